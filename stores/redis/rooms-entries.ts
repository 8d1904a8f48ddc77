// Parses the entries and replies of the room scripts: fields separated by one space. Only the last field may contain
// spaces.

import type { Member, Message, RoomEvent, Seat } from '../contract/rooms.ts'
import { numberOf, orNull, type Reply, textOf, textsOf } from './client.ts'

type InboxEntry =
  /** `incarnation`: for a join, the node incarnation on which the member joined; null for other events. */
  | { readonly kind: 'event'; readonly event: RoomEvent; readonly incarnation: string | null }
  /** A listener of this node began to hear the room, or no longer hears it. */
  | { readonly kind: 'listening' | 'unlistened'; readonly ref: string; readonly listener: string }
  /** The player of a seat on this node joins the room again. */
  | { readonly kind: 'asked'; readonly seat: Seat }

export function inboxEntryOf(entry: string): InboxEntry {
  const [kind, afterKind] = cut(entry)
  const [ref, rest] = cut(afterKind)
  const slash = ref.indexOf('/')
  const where = { game: ref.slice(0, slash), room: ref.slice(slash + 1) }
  const plain = (event: RoomEvent): InboxEntry => ({ kind: 'event', event, incarnation: null })
  if (kind === 'm') return plain({ type: 'message', ...where, ...messageOf(rest) })
  if (kind === 'e') return plain({ type: 'ended', ...where })
  if (kind === 'h') return { kind: 'listening', ref, listener: rest }
  if (kind === 'u') return { kind: 'unlistened', ref, listener: rest }
  const [first, afterFirst] = cut(rest)
  if (kind === 'l') return plain({ type: 'left', ...where, member: first, reason: afterFirst })
  const [second, afterSecond] = cut(afterFirst)
  if (kind === 'j') {
    const event: RoomEvent = { type: 'joined', ...where, member: second, player: JSON.parse(afterSecond) }
    return { kind: 'event', event, incarnation: first }
  }
  const [to, data] = cut(afterSecond)
  if (kind === 'a') return { kind: 'asked', seat: { ...where, member: data } }
  return plain({ type: 'direct', ...where, from: second, to, data, sentAtMs: Number(first) })
}

/** `<seq> <time> <sender> <data>`. */
function messageOf(text: string): Message {
  const [seq, afterSeq] = cut(text)
  const [sentAt, afterTime] = cut(afterSeq)
  const [from, data] = cut(afterTime)
  return { from, data, seq: Number(seq), sentAtMs: Number(sentAt) }
}

/** The state of a room for a new member. */
export interface Found {
  readonly name: string
  readonly maxMembers: number
  readonly seq: number
  readonly missed: readonly Message[] | null
  /** In the order of joining; null if the node already had a member or listener there and knows the list. */
  readonly members: readonly Member[] | null
}

/**
 * Parses the reply of CREATE, JOIN and LISTEN: name, limit, seq, alternating members and values or null, missed
 * messages or null.
 */
export function foundOf([name, maxMembers, seq, members, missed]: readonly Reply[]): Found {
  return {
    name: textOf(name),
    maxMembers: numberOf(maxMembers),
    seq: numberOf(seq),
    missed: orNull(textsOf, missed)?.map(messageOf) ?? null,
    members: orNull((flat) => membersOf(textsOf(flat)), members),
  }
}

/** Alternating members and values, as `members:<ref>` has them. */
export function membersOf(flat: readonly string[]): Member[] {
  const members: { readonly where: number; readonly member: Member }[] = []
  for (let n = 0; n < flat.length; n += 2) {
    const [, afterLife] = cut(flat[n + 1] ?? '')
    const [where, player] = cut(afterLife)
    members.push({ where: Number(where), member: { member: flat[n] ?? '', player: JSON.parse(player) } })
  }
  return members.sort((a, b) => a.where - b.where).map(({ member }) => member)
}

function cut(text: string): readonly [string, string] {
  const end = text.indexOf(' ')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
}
