// The socket writer of one client. If Engine.IO has nothing queued, it writes finished frames directly to the TCP
// socket of a WebSocket, once per flush; otherwise it writes through Engine.IO. A client whose unsent bytes exceed the
// limit is disconnected.

import type { Socket as TcpSocket } from 'node:net'
import type { Backpressure } from './backpressure.ts'
import { type EngineSocket, engineQueue, tcpOf, webSocketOf } from './engine-internals.ts'
import type { Flushing, FlushScheduler } from './flush-scheduler.ts'
import type { Batch } from './frames.ts'
import {
  OPEN_PINGS_MAX,
  PAUSED_STALLED_MAX_MS,
  PROBE_EVERY_BYTES,
  SOCKET_BUFFER_MAX_BYTES,
  STALLED_MAX_MS,
  UNSENT_MAX_BYTES,
  UNSENT_POLLING_MAX_BYTES,
} from './limits.ts'

const OPEN = 1

/**
 * @fields The hottest path of the rooms (every message to every member), where further objects cost measurable time.
 */
export class SocketWriter implements Flushing {
  readonly #conn: EngineSocket
  readonly #backpressure: Backpressure
  readonly #flushScheduler: FlushScheduler
  readonly #tooSlow: () => void
  /** The reader of the WebSocket reports pongs to it. */
  readonly livenessProbe = new LivenessProbe()
  #waiting: Batch[] = []
  #waitingBytes = 0
  /** Handed to Engine.IO and not taken by a transport yet. */
  #queuedBytes = 0
  /** Last seen progress counter: bytes sent, or drains when polling. */
  #gone = -1
  #stalledSinceMs = 0
  #drains = 0
  #isClosed = false
  #isDraining = false

  /** `tooSlow` is called once, before unsent data is dropped and the connection closed. */
  constructor(conn: EngineSocket, backpressure: Backpressure, flushScheduler: FlushScheduler, tooSlow: () => void) {
    this.#conn = conn
    this.#backpressure = backpressure
    this.#flushScheduler = flushScheduler
    this.#tooSlow = tooSlow
    conn.on('drain', () => {
      this.#queuedBytes = 0
      this.#drains++
    })
  }

  push(batch: Batch): void {
    if (this.#isClosed) return
    if (this.#waiting.length === 0) this.#flushScheduler.connection(this)
    this.#waiting.push(batch)
    this.#waitingBytes += batch.frames.length
    if (!this.#isDraining) {
      if (this.#waitingBytes > SOCKET_BUFFER_MAX_BYTES) this.#backpressure.pause('unsent')
    } else if (this.unsentBytes > UNSENT_MAX_BYTES) {
      // No flush checks the limit while the socket drains.
      this.#tooSlow()
      this.cut()
    }
  }

  flush(): void {
    if (this.#waiting.length === 0 || this.#isClosed || this.#isDraining || this.#conn.readyState !== 'open') return
    const tcp = this.#direct()
    if (tcp !== null) this.#hand(tcp)
    else this.#throughEngine()
    if (this.unsentBytes <= (tcp === null ? UNSENT_POLLING_MAX_BYTES : UNSENT_MAX_BYTES)) return
    this.#tooSlow()
    this.cut()
  }

  /** Bytes held in this process for the client: queued for the flush, or waiting for the client to read. */
  get unsentBytes(): number {
    return (tcpOf(this.#conn)?.writableLength ?? 0) + this.#queuedBytes + this.#waitingBytes
  }

  /**
   * True if the client does not read: either nothing left the socket for STALLED_MAX_MS, or it answered no ping for
   * that long. Call it regularly. `nowMs` must exclude the time in which this process was suspended.
   */
  isStalled(nowMs: number): boolean {
    const tcp = tcpOf(this.#conn)
    const isStuck = tcp === null ? this.#queuedBytes >= SOCKET_BUFFER_MAX_BYTES : tcp.writableLength > 0
    const gone = tcp === null ? this.#drains : tcp.bytesWritten - tcp.writableLength
    if (!isStuck || gone !== this.#gone) this.#stalledSinceMs = nowMs
    this.#gone = gone
    const stalledMs = nowMs - this.#stalledSinceMs
    if (stalledMs >= STALLED_MAX_MS) return true
    return this.livenessProbe.unansweredMs(nowMs) >= STALLED_MAX_MS && (!isStuck || stalledMs >= PAUSED_STALLED_MAX_MS)
  }

  /** Drops unsent data and closes the connection. */
  cut(): void {
    this.#isClosed = true
    this.#backpressure.end()
    this.#waiting = []
    const tcp = tcpOf(this.#conn)
    this.#conn.close(true)
    tcp?.destroy()
  }

  /** The TCP socket of a WebSocket if Engine.IO has nothing queued before it; else null. */
  #direct(): TcpSocket | null {
    const webSocket = webSocketOf(this.#conn)
    if (webSocket?.readyState !== OPEN || engineQueue(this.#conn) > 0) return null
    return webSocket._socket ?? null
  }

  /** Writes until the socket holds SOCKET_BUFFER_MAX_BYTES; the rest follows on drain. */
  #hand(tcp: TcpSocket): void {
    let handed = 0
    let bytes = 0
    const isMany = this.#waiting.length > 1
    if (isMany) tcp.cork()
    while (handed < this.#waiting.length && tcp.writableLength < SOCKET_BUFFER_MAX_BYTES) {
      const frames = this.#waiting[handed++]?.frames
      if (frames === undefined) break
      const times = isMany ? 1 + this.#sameFrom(handed, frames) : 1
      handed += times - 1
      bytes += frames.length * times
      tcp.write(times === 1 ? frames : Buffer.alloc(frames.length * times, frames))
    }
    this.#waitingBytes -= bytes
    const ping = this.livenessProbe.countWritten(bytes)
    if (ping !== null) tcp.write(ping)
    if (isMany) tcp.uncork()
    this.#waiting = handed === this.#waiting.length ? [] : this.#waiting.slice(handed)
    if (this.#waiting.length > 0 || tcp.writableLength >= SOCKET_BUFFER_MAX_BYTES) this.#untilDrained(tcp)
    else this.#backpressure.release('unsent')
  }

  /** Number of identical batches from this index on. A flooding client gets hundreds of equal refusals. */
  #sameFrom(index: number, frames: Buffer): number {
    let same = 0
    while (index + same < this.#waiting.length && this.#waiting[index + same]?.frames === frames) same++
    return same
  }

  /** Applies backpressure: the client is not read until its socket has drained. */
  #untilDrained(tcp: TcpSocket): void {
    this.#isDraining = true
    this.#backpressure.pause('unsent')
    const goOn = () => {
      this.#isDraining = false
      this.#backpressure.release('unsent')
      this.flush()
    }
    // If everything was already written, no drain event follows.
    if (tcp.writableNeedDrain) tcp.once('drain', goOn)
    else setImmediate(goOn)
  }

  #throughEngine(): void {
    const batches = this.#waiting
    this.#waiting = []
    this.#queuedBytes += this.#waitingBytes
    this.#waitingBytes = 0
    for (const { texts } of batches) for (const text of texts) this.#conn.write(text, { compress: false })
    // Engine.IO's queue has its own limit. If reading stayed paused, the client could not answer pings.
    this.#backpressure.release('unsent')
  }
}

// The liveness probe of a client that receives much data. The kernel buffers megabytes for a client that does not read,
// and filling that buffer can take too long. So the server sends WebSocket pings between messages: missing pongs show
// the stall before the buffer is full.

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
