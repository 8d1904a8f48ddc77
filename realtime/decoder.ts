// A Socket.IO decoder that also reports the acknowledgement id of an event and whether it contained binary data. With
// the id, the answer can be sent in the same flush as everything else. Packets that no rooms client may send close the
// connection here, before Socket.IO answers them.

import { Decoder, Encoder, type Packet, PacketType } from 'socket.io-parser'

/** A received event. */
export interface Arrival {
  readonly event: string
  readonly args: readonly unknown[]
  /** Null if the client requested no acknowledgement. */
  readonly ackId: number | null
  readonly isBinary: boolean
}

class ArrivalDecoder extends Decoder {
  #sawBinary = false
  #hasConnected = false

  constructor() {
    super()
    // Socket.IO adds its own listener after construction, so this one runs first.
    this.on('decoded', (packet) => this.#asArrival(packet))
  }

  override add(received: unknown): void {
    if (typeof received !== 'string') this.#sawBinary = true
    super.add(received)
  }

  #asArrival(packet: Packet): void {
    const isBinary = this.#sawBinary
    this.#sawBinary = false
    this.#check(packet)
    if (packet.type !== PacketType.EVENT) return
    const [name, ...args]: unknown[] = Array.isArray(packet.data) ? packet.data : []
    const ackId = typeof packet.id === 'number' ? packet.id : null
    const arrival: Arrival = { event: String(name ?? ''), args: isBinary ? [] : args, ackId, isBinary }
    packet.data = ['event', arrival]
    delete packet.id
  }

  /** If this throws, Socket.IO emits `error` and closes the connection. */
  #check({ type, nsp }: Packet): void {
    if (type === PacketType.ACK) throw new Error('Nothing asks clients of the rooms for an acknowledgement')
    if (type !== PacketType.CONNECT) return
    // Socket.IO would queue an answer to each such packet, and no limit counts that queue.
    if (this.#hasConnected || nsp !== '/') throw new Error('The rooms have one namespace, connected to once')
    this.#hasConnected = true
  }
}

export const arrivalParser = { Encoder, Decoder: ArrivalDecoder }
