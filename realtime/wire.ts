// The way out to one client. A WebSocket with nothing queued in Engine.IO is written to directly, in finished frames, once a
// turn; everything else goes through Engine.IO. What a client leaves unread is counted, and past its budget it is cut.

import type { Socket as TcpSocket } from 'node:net'
import type { Socket } from 'socket.io'
import type { Batch } from './frames.ts'
import { UNSENT_MOST_BYTES } from './limits.ts'
import type { Flushing, Tick } from './tick.ts'

type EngineSocket = Socket['conn']

/** What Engine.IO's WebSocket transport has beside what it declares. */
type WebSocketTransport = EngineSocket['transport'] & {
  readonly socket?: {
    readonly readyState: number
    readonly _socket?: TcpSocket | null
    pause?(): void
    resume?(): void
  }
}

const OPEN = 1

export class Wire implements Flushing {
  readonly #conn: EngineSocket
  readonly #tick: Tick
  readonly #tooSlow: () => void
  #waiting: Batch[] = []
  #waitingBytes = 0
  /** Handed to Engine.IO and not taken by a transport yet. */
  #queuedBytes = 0
  #sentBytes = -1
  #stalledSinceMs = 0
  #isClosed = false

  /** `tooSlow` is told once: what is unsent is dropped, and the connection gone. */
  constructor(conn: EngineSocket, tick: Tick, tooSlow: () => void) {
    this.#conn = conn
    this.#tick = tick
    this.#tooSlow = tooSlow
    conn.on('drain', () => {
      this.#queuedBytes = 0
    })
  }

  /** Goes out at the end of this turn, after what was pushed before. */
  push(batch: Batch): void {
    if (this.#isClosed) return
    if (this.#waiting.length === 0) this.#tick.connection(this)
    this.#waiting.push(batch)
    this.#waitingBytes += batch.frames.length
  }

  flush(): void {
    const batches = this.#waiting
    if (batches.length === 0 || this.#isClosed) return
    const bytes = this.#waitingBytes
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#conn.readyState !== 'open') return
    if (this.unsentBytes + bytes > UNSENT_MOST_BYTES) {
      this.cut()
      this.#tooSlow()
      return
    }
    const tcp = this.#direct()
    if (tcp === null) this.#throughEngine(batches, bytes)
    else writeAll(tcp, batches)
  }

  /** Held in this process for the client, sent to it at the end of this turn or waiting for it to read. */
  get unsentBytes(): number {
    return (this.#tcp()?.writableLength ?? 0) + this.#queuedBytes + this.#waitingBytes
  }

  /** Whether something has waited for the client so long, with nothing going out. */
  isStalled(nowMs: number, mostMs: number): boolean {
    const tcp = this.#tcp()
    const sent = tcp === null ? -1 : tcp.bytesWritten - tcp.writableLength
    if (tcp === null || tcp.writableLength === 0 || sent !== this.#sentBytes) {
      this.#sentBytes = sent
      this.#stalledSinceMs = nowMs
      return false
    }
    return nowMs - this.#stalledSinceMs >= mostMs
  }

  /** Reads no more of what the client sends until `resume`. */
  pause(): void {
    this.#webSocket()?.pause?.()
  }

  resume(): void {
    this.#webSocket()?.resume?.()
  }

  /** Drops what is unsent, and the connection. */
  cut(): void {
    this.#isClosed = true
    this.#waiting = []
    const tcp = this.#tcp()
    this.#conn.close(true)
    tcp?.destroy()
  }

  #webSocket(): WebSocketTransport['socket'] {
    const { transport } = this.#conn
    return transport.name === 'websocket' ? (transport as WebSocketTransport).socket : undefined
  }

  #tcp(): TcpSocket | null {
    return this.#webSocket()?._socket ?? null
  }

  /** The socket under a WebSocket, where nothing is before what is written to it now. */
  #direct(): TcpSocket | null {
    const webSocket = this.#webSocket()
    if (webSocket?.readyState !== OPEN || this.#engineQueue > 0) return null
    return webSocket._socket ?? null
  }

  get #engineQueue(): number {
    // biome-ignore lint/complexity/useLiteralKeys: it is declared private, though Engine.IO's own events hand it out.
    return this.#conn['writeBuffer'].length
  }

  #throughEngine(batches: readonly Batch[], bytes: number): void {
    this.#queuedBytes += bytes
    for (const { texts } of batches) for (const text of texts) this.#conn.write(text, { compress: false })
  }
}

function writeAll(tcp: TcpSocket, batches: readonly Batch[]): void {
  const [first] = batches
  if (first !== undefined && batches.length === 1) {
    tcp.write(first.frames)
    return
  }
  tcp.cork()
  for (const { frames } of batches) tcp.write(frames)
  tcp.uncork()
}
