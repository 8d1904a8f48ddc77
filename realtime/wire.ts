// The way out to one client. A WebSocket with nothing queued in Engine.IO is written to directly, in finished frames,
// once a tick; everything else goes through Engine.IO. What a client leaves unread is counted, and past its budget it
// is cut.

import type { Socket as TcpSocket } from 'node:net'
import type { Brake } from './brake.ts'
import { type EngineSocket, engineQueue, tcpOf, webSocketOf } from './direct.ts'
import type { Batch } from './frames.ts'
import {
  HANDED_MOST_BYTES,
  HELD_STALLED_MOST_MS,
  STALLED_MOST_MS,
  UNSENT_MOST_BYTES,
  UNSENT_POLLING_MOST_BYTES,
} from './limits.ts'
import { Probe } from './probe.ts'
import type { Flushing, Tick } from './tick.ts'

const OPEN = 1

/**
 * @fields Written for every message to every member of a room: each further object costs on the busiest path of the rooms.
 */
export class Wire implements Flushing {
  readonly #conn: EngineSocket
  readonly #brake: Brake
  readonly #tick: Tick
  readonly #tooSlow: () => void
  /** Called by the reader of the WebSocket for each pong. */
  readonly probe = new Probe()
  #waiting: Batch[] = []
  #waitingBytes = 0
  /** Handed to Engine.IO and not taken by a transport yet. */
  #queuedBytes = 0
  /** What has gone out, by which it is seen that something does. */
  #gone = -1
  #stalledSinceMs = 0
  #drains = 0
  #isClosed = false
  #isDraining = false

  /** Calls `tooSlow` once, before it drops the unsent messages and the connection. */
  constructor(conn: EngineSocket, brake: Brake, tick: Tick, tooSlow: () => void) {
    this.#conn = conn
    this.#brake = brake
    this.#tick = tick
    this.#tooSlow = tooSlow
    conn.on('drain', () => {
      this.#queuedBytes = 0
      this.#drains++
    })
  }

  /** Goes out at the end of this tick, after what was pushed before. */
  push(batch: Batch): void {
    if (this.#isClosed) return
    if (this.#waiting.length === 0) this.#tick.connection(this)
    this.#waiting.push(batch)
    this.#waitingBytes += batch.frames.length
    if (!this.#isDraining) {
      if (this.#waitingBytes > HANDED_MOST_BYTES) this.#brake.hold('unsent')
    } else if (this.unsentBytes > UNSENT_MOST_BYTES) {
      // While it drains there is no flush to look at it.
      this.#tooSlow()
      this.cut()
    }
  }

  flush(): void {
    if (this.#waiting.length === 0 || this.#isClosed || this.#isDraining || this.#conn.readyState !== 'open') return
    const tcp = this.#direct()
    if (tcp !== null) this.#hand(tcp)
    else this.#throughEngine()
    if (this.unsentBytes <= (tcp === null ? UNSENT_POLLING_MOST_BYTES : UNSENT_MOST_BYTES)) return
    this.#tooSlow()
    this.cut()
  }

  /** Held in this process for the client, sent to it at the end of this tick or waiting for it to read. */
  get unsentBytes(): number {
    return (tcpOf(this.#conn)?.writableLength ?? 0) + this.#queuedBytes + this.#waitingBytes
  }

  /**
   * Whether the client does not read: much has waited for it too long with nothing going out, or it
   * answers none of what it was asked among that. To be looked at again and again; `nowMs` stands while this process
   * does.
   */
  isStalled(nowMs: number): boolean {
    const tcp = tcpOf(this.#conn)
    const isStuck = tcp === null ? this.#queuedBytes >= HANDED_MOST_BYTES : tcp.writableLength > 0
    const gone = tcp === null ? this.#drains : tcp.bytesWritten - tcp.writableLength
    if (!isStuck || gone !== this.#gone) this.#stalledSinceMs = nowMs
    this.#gone = gone
    const stalledMs = nowMs - this.#stalledSinceMs
    if (stalledMs >= STALLED_MOST_MS) return true
    return this.probe.unansweredMs(nowMs) >= STALLED_MOST_MS && (!isStuck || stalledMs >= HELD_STALLED_MOST_MS)
  }

  /** Drops what is unsent, and the connection. */
  cut(): void {
    this.#isClosed = true
    this.#brake.end()
    this.#waiting = []
    const tcp = tcpOf(this.#conn)
    this.#conn.close(true)
    tcp?.destroy()
  }

  /** The socket under a WebSocket, where nothing is before what is written to it now. */
  #direct(): TcpSocket | null {
    const webSocket = webSocketOf(this.#conn)
    if (webSocket?.readyState !== OPEN || engineQueue(this.#conn) > 0) return null
    return webSocket._socket ?? null
  }

  /** Writes as much as may be on its way at a time. What is left goes out when that has gone. */
  #hand(tcp: TcpSocket): void {
    let handed = 0
    let bytes = 0
    const isMany = this.#waiting.length > 1
    if (isMany) tcp.cork()
    while (handed < this.#waiting.length && tcp.writableLength < HANDED_MOST_BYTES) {
      const frames = this.#waiting[handed++]?.frames
      if (frames === undefined) break
      const times = isMany ? 1 + this.#sameFrom(handed, frames) : 1
      handed += times - 1
      bytes += frames.length * times
      tcp.write(times === 1 ? frames : Buffer.alloc(frames.length * times, frames))
    }
    this.#waitingBytes -= bytes
    const ping = this.probe.told(bytes)
    if (ping !== null) tcp.write(ping)
    if (isMany) tcp.uncork()
    this.#waiting = handed === this.#waiting.length ? [] : this.#waiting.slice(handed)
    if (this.#waiting.length > 0 || tcp.writableLength >= HANDED_MOST_BYTES) this.#untilDrained(tcp)
    else this.#brake.release('unsent')
  }

  /** How many queued messages from this index on are identical: a flooding client has hundreds of refusals. */
  #sameFrom(place: number, frames: Buffer): number {
    let same = 0
    while (place + same < this.#waiting.length && this.#waiting[place + same]?.frames === frames) same++
    return same
  }

  /** Do not read more from a client that does not read. */
  #untilDrained(tcp: TcpSocket): void {
    this.#isDraining = true
    this.#brake.hold('unsent')
    const goOn = () => {
      this.#isDraining = false
      this.#brake.release('unsent')
      this.flush()
    }
    // All that was handed over may have gone at once.
    if (tcp.writableNeedDrain) tcp.once('drain', goOn)
    else setImmediate(goOn)
  }

  #throughEngine(): void {
    const batches = this.#waiting
    this.#waiting = []
    this.#queuedBytes += this.#waitingBytes
    this.#waitingBytes = 0
    for (const { texts } of batches) for (const text of texts) this.#conn.write(text, { compress: false })
    // What lies there is within its own budget; held, the client could not even answer a ping.
    this.#brake.release('unsent')
  }
}
