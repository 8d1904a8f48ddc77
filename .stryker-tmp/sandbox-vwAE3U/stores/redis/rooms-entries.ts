// Parses what the room scripts write: words separated by a space, the last of which may contain anything.

import type { Member, Message, RoomEvent } from '../contract/rooms.ts'
import type { Reply } from './client.ts'
import { numberOf, orNull, textOf, textsOf } from './replies.ts'

/** `life` is the one that a member joined by, else null. */
export interface Told {
  readonly event: RoomEvent
  readonly incarnation: string | null
}

/** An entry of an inbox. */
export function toldOf(entry: string): Told {
  const [kind, afterKind] = cut(entry)
  const [ref, rest] = cut(afterKind)
  const slash = ref.indexOf('/')
  const place = { game: ref.slice(0, slash), room: ref.slice(slash + 1) }
  if (kind === 'm') return { event: { type: 'message', ...place, ...messageOf(rest) }, incarnation: null }
  const [first, afterFirst] = cut(rest)
  if (kind === 'l') return { event: { type: 'left', ...place, member: first, reason: afterFirst }, incarnation: null }
  const [second, afterSecond] = cut(afterFirst)
  if (kind === 'j') {
    return { event: { type: 'joined', ...place, member: second, player: JSON.parse(afterSecond) }, incarnation: first }
  }
  const [to, data] = cut(afterSecond)
  return { event: { type: 'direct', ...place, from: second, to, data, sentAtMs: Number(first) }, incarnation: null }
}

/** `<seq> <time> <sender> <data>`. */
function messageOf(text: string): Message {
  const [seq, afterSeq] = cut(text)
  const [sentAt, afterTime] = cut(afterSeq)
  const [from, data] = cut(afterTime)
  return { from, data, seq: Number(seq), sentAtMs: Number(sentAt) }
}

/** What somebody finds who takes a seat. */
export interface Found {
  readonly name: string
  readonly maxMembers: number
  readonly seq: number
  readonly missed: readonly Message[] | null
  /** In the order of joining; null where the node had a seat there before and knows. */
  readonly members: readonly Member[] | null
}

/**
 * Of what CREATE and JOIN answer: name, limit, seq, members with their values in turn or null, messages missed or null.
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

function membersOf(flat: readonly string[]): Member[] {
  const members: { readonly place: number; readonly member: Member }[] = []
  for (let n = 0; n < flat.length; n += 2) {
    const [, afterLife] = cut(flat[n + 1] ?? '')
    const [place, player] = cut(afterLife)
    members.push({ place: Number(place), member: { member: flat[n] ?? '', player: JSON.parse(player) } })
  }
  return members.sort((a, b) => a.place - b.place).map(({ member }) => member)
}

function cut(text: string): readonly [string, string] {
  const end = text.indexOf(' ')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
}
