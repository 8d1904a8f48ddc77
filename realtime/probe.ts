// Whether a client that is sent much still reads it. The system takes megabytes for one that does not, which can take
// longer to fill than it may go on: so a WebSocket gets pings among its messages, and missing pongs are noticed before
// that is full.

import { PROBE_EVERY_BYTES, UNANSWERED_MOST } from './limits.ts'

const [FINAL_PING, NUMBER_BYTES] = [0x89, 4]

export class Probe {
  #sinceBytes = 0
  #asked = 0
  #answered = 0
  #lookedAt = -1
  #sinceMs = 0

  /** Counts what is written to the client; the ping to write after it, where one is due. */
  told(bytes: number): Buffer | null {
    this.#sinceBytes += bytes
    if (this.#sinceBytes < PROBE_EVERY_BYTES) return null
    this.#sinceBytes = 0
    this.#asked++
    const ping = Buffer.from([FINAL_PING, NUMBER_BYTES, 0, 0, 0, 0])
    ping.writeUInt32BE(this.#asked, 2)
    return ping
  }

  /** Whether a pong answers one of them, and those before it: a client need not answer each. */
  answers(pong: Buffer): boolean {
    if (pong.length !== NUMBER_BYTES) return false
    const number = pong.readUInt32BE()
    if (number <= this.#answered || number > this.#asked) return false
    this.#answered = number
    return true
  }

  /**
   * For how many milliseconds none was answered, as far as looked at; 0 where few wait for
   * it: little was sent meanwhile.
   */
  unansweredMs(nowMs: number): number {
    const waiting = this.#asked - this.#answered
    if (waiting === 0 || this.#answered !== this.#lookedAt) this.#sinceMs = nowMs
    this.#lookedAt = this.#answered
    return waiting >= UNANSWERED_MOST ? nowMs - this.#sinceMs : 0
  }
}
