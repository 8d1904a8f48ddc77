// The liveness probe of a client that receives much data. The kernel buffers megabytes for a client that does not read,
// and filling that buffer can take too long. So the server sends WebSocket pings between messages: missing pongs show
// the stall before the buffer is full.

import { OPEN_PINGS_MAX, PROBE_EVERY_BYTES } from './limits.ts'

const [FINAL_PING, NUMBER_BYTES] = [0x89, 4]

export class LivenessProbe {
  #sinceBytes = 0
  #asked = 0
  #answered = 0
  #lastAnswered = -1
  #sinceMs = 0

  /** Counts bytes written to the client. Returns the ping frame to write next if one is due, else null. */
  countWritten(bytes: number): Buffer | null {
    this.#sinceBytes += bytes
    if (this.#sinceBytes < PROBE_EVERY_BYTES) return null
    this.#sinceBytes = 0
    this.#asked++
    const ping = Buffer.from([FINAL_PING, NUMBER_BYTES, 0, 0, 0, 0])
    ping.writeUInt32BE(this.#asked, 2)
    return ping
  }

  /**
   * Accepts a pong payload. False if it answers no open ping. A pong also answers all earlier pings (RFC 6455 5.5.3).
   */
  answers(pong: Buffer): boolean {
    if (pong.length !== NUMBER_BYTES) return false
    const number = pong.readUInt32BE()
    if (number <= this.#answered || number > this.#asked) return false
    this.#answered = number
    return true
  }

  /**
   * Milliseconds since the last pong, measured between calls; 0 if fewer than OPEN_PINGS_MAX pings are open.
   */
  unansweredMs(nowMs: number): number {
    const waiting = this.#asked - this.#answered
    if (waiting === 0 || this.#answered !== this.#lastAnswered) this.#sinceMs = nowMs
    this.#lastAnswered = this.#answered
    return waiting >= OPEN_PINGS_MAX ? nowMs - this.#sinceMs : 0
  }
}
