// Socket.IO's decoder, with what the rooms need to know of an event beside its arguments: the number to acknowledge it
// by, so that the answer goes out with everything else of the tick, and whether anything in it was binary. Packets that
// no client of the rooms sends end the connection here, before Socket.IO answers them.

import { Decoder, Encoder, type Packet, PacketType } from 'socket.io-parser'

/** An event as it arrived. */
export interface Arrival {
  readonly event: string
  readonly args: readonly unknown[]
  /** Null where no acknowledgement is asked for. */
  readonly ackId: number | null
  readonly isBinary: boolean
}

class ArrivalDecoder extends Decoder {
  #sawBinary = false
  #hasConnected = false

  constructor() {
    super()
    // Before Socket.IO's own listener, which is added once this is made.
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

  /** What is thrown, Socket.IO tells as an `error` and closes for. */
  #check({ type, nsp }: Packet): void {
    if (type === PacketType.ACK) throw new Error('Nothing asks clients of the rooms for an acknowledgement')
    if (type !== PacketType.CONNECT) return
    // Each answer to one would sit in a queue that is not counted.
    if (this.#hasConnected || nsp !== '/') throw new Error('The rooms have one namespace, connected to once')
    this.#hasConnected = true
  }
}

export const arrivalParser = { Encoder, Decoder: ArrivalDecoder }
