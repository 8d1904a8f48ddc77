// Parses the name and the body of a received event.

import type { Arrival } from './decoder.ts'
import { CLIENT_EVENTS, type ClientEvent, isPlainlySent, RoomRefusal } from './events.ts'

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
  const read = CLIENT_EVENTS[event].safeParse(args[0] ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.')
  throw new RoomRefusal('malformed', `${path}: ${issue?.message ?? 'is malformed'}.`)
}
