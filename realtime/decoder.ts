// Decodes what a client sends: a Socket.IO decoder that also reports the acknowledgement id of an event and whether it
// contained binary data. With the id, the answer can be sent in the same flush as everything else. Packets that no
// rooms client may send close the connection here, before Socket.IO answers them.

import { Decoder, Encoder, type Packet, PacketType } from 'socket.io-parser'
import { schemaText } from '../runtime/schema-texts.ts'
import { CLIENT_EVENTS, type ClientEvent, isPlainlySent, RoomRefusal } from './events.ts'

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

/** Throws RoomRefusal `unknown_event`. */
export function parseEventName(event: string): ClientEvent {
  if (Object.hasOwn(CLIENT_EVENTS, event)) return event as ClientEvent
  const known = Object.keys(CLIENT_EVENTS).join(', ')
  throw new RoomRefusal('unknown_event', `There is no such event. Send one of ${known}.`)
}

/** The body, parsed by the event's schema. Throws RoomRefusal `malformed`. */
export function parseEventBody(event: ClientEvent, { args, isBinary }: Arrival): unknown {
  if (isBinary) throw new RoomRefusal('malformed', 'Binary data is not accepted: send JSON.')
  if (args.length > 1) throw new RoomRefusal('malformed', 'Send one object with the event, and nothing more.')
  if (event === 'send' && isPlainlySent(args[0])) return args[0]
  const read = CLIENT_EVENTS[event].safeParse(args[0] ?? {}, { error: schemaText })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.')
  throw new RoomRefusal('malformed', `${path}: ${issue?.message ?? 'is malformed'}.`)
}
