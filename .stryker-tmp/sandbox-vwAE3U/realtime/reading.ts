// An event as it arrived, read: which one it is, and what was sent with it.

import type { Arrival } from './decoder.ts'
import { CLIENT_EVENTS, type ClientEvent, isPlainlySent, RoomRefusal } from './events.ts'

/** Throws RoomRefusal `unknown_event`. */
export function nameOf(event: string): ClientEvent {
  if (Object.hasOwn(CLIENT_EVENTS, event)) return event as ClientEvent
  const known = Object.keys(CLIENT_EVENTS).join(', ')
  throw new RoomRefusal('unknown_event', `There is no such event. Send one of ${known}.`)
}

/** As the event's schema has it. Throws RoomRefusal `malformed`. */
export function bodyOf(event: ClientEvent, { args, isBinary }: Arrival): unknown {
  if (isBinary) throw new RoomRefusal('malformed', 'Binary is not taken: send JSON.')
  if (args.length > 1) throw new RoomRefusal('malformed', 'Send one object with the event, and nothing more.')
  if (event === 'send' && isPlainlySent(args[0])) return args[0]
  const read = CLIENT_EVENTS[event].safeParse(args[0] ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.')
  throw new RoomRefusal('malformed', `${place}: ${issue?.message ?? 'is malformed'}.`)
}
