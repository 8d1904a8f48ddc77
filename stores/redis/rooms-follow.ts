// Reads the inbox of a node incarnation to its end and passes the entries to the node one by one. While Redis is
// unavailable it waits; nothing is missed.

import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../contract/faults.ts'
import { type Hearing, type Member, REPLACED, type RoomEvent } from '../contract/rooms.ts'
import type { Redis } from './redis.ts'
import { inboxEntryOf } from './rooms-entries.ts'
import { type Inbox, InboxLost, InboxReader } from './rooms-inbox.ts'
import type { Incarnation } from './rooms-incarnation.ts'

const AGAIN_AFTER_MS = 100

interface Following {
  readonly reader: Redis
  readonly inbox: Inbox
  readonly incarnation: Incarnation
  readonly hearing: Hearing
  /** Removes a member or listener if no caller waits for it. */
  readonly giveUp: (ref: string, member: string) => void
}

/** Resolves to the reason why reading ended; never rejects. */
export async function followInbox(following: Following): Promise<string> {
  const { reader, inbox, incarnation, hearing } = following
  const entries = new InboxReader(reader, inbox)
  const rosters = new Rosters()
  while (!incarnation.isOver) {
    try {
      for (const entry of await entries.next()) {
        if (incarnation.isOver) break
        const parsed = inboxEntryOf(entry)
        if (parsed.kind === 'listening') await beginListening(parsed, following, rosters)
        if (parsed.kind === 'unlistened') rosters.unlistened(parsed.ref, parsed.listener)
        if (parsed.kind === 'asked') hearing.asked(parsed.seat)
        if (parsed.kind !== 'event') continue
        if (parsed.incarnation === inbox.incarnation) await sitDown(parsed.event, following, rosters)
        else tell(parsed.event, following, rosters)
      }
    } catch (failure) {
      if (failure instanceof InboxLost) return failure.message
      if (!(failure instanceof StoreUnavailable)) return `its inbox cannot be read: ${failure}`
      await wait(AGAIN_AFTER_MS)
    }
  }
  return 'it is over'
}

const refOf = ({ game, room }: RoomEvent): string => `${game}/${room}`

function tell(event: RoomEvent, { hearing }: Following, rosters: Rosters): void {
  if (event.type === 'joined') rosters.joined(refOf(event), { member: event.member, player: event.player })
  if (event.type === 'left' && !rosters.left(refOf(event), event.member) && event.reason !== REPLACED) return
  if (event.type === 'ended' && !rosters.ended(refOf(event))) return
  hearing.heard(event)
}

/**
 * Handles the join of a member of this node. Waits for the reply to its call, which has the state of the room; later
 * entries wait, too.
 */
async function sitDown(event: RoomEvent, following: Following, rosters: Rosters): Promise<void> {
  if (event.type !== 'joined') return
  const { member, player } = event
  await take({ ref: refOf(event), id: member }, following, (found) => {
    following.hearing.heard(event)
    return rosters.sat(refOf(event), { member, player }, found)
  })
}

/** The same for a listener, whom nobody else hears of. */
function beginListening(
  { ref, listener }: { readonly ref: string; readonly listener: string },
  following: Following,
  rosters: Rosters,
): Promise<void> {
  return take({ ref, id: listener }, following, (found) => rosters.listening(ref, listener, found))
}

/** `enter` gets the member list from the reply, if it has one, and returns all members, or null if they are unknown. */
async function take(
  { ref, id }: { readonly ref: string; readonly id: string },
  { incarnation, giveUp }: Following,
  enter: (found: readonly Member[] | null) => readonly Member[] | null,
): Promise<void> {
  const sitting = incarnation.sittings.get(id)
  const found = (await sitting?.answered) ?? null
  if (incarnation.isOver) return
  incarnation.sittings.delete(id)
  const members = enter(found?.members ?? null)
  if (sitting !== undefined && found !== null && members !== null) return sitting.take(found, members)
  // No caller waits for it, or the member list is unknown because the reply to this node's first join was lost.
  sitting?.fail(new StoreUnavailable('Redis did not answer who sits in a room. Try again.'))
  giveUp(ref, id)
}

// The members of a node's rooms, derived from its inbox in order, so that Redis need not send the full member list
// for each join to a full room.

interface Roster {
  /** In the order of joining. */
  readonly members: Map<string, Member>
  /** Members and listeners of this node. */
  readonly own: Set<string>
}

class Rosters {
  private readonly rosters = new Map<string, Roster>()

  /**
   * A member of this node joined; `found` is the member list from Redis, if it sent one. Returns all members, or null
   * if unknown.
   */
  sat(ref: string, own: Member, found: readonly Member[] | null): readonly Member[] | null {
    const roster = this.known(ref, found)
    if (roster === null) return null
    roster.members.set(own.member, own)
    roster.own.add(own.member)
    return [...roster.members.values()]
  }

  /** A listener of this node began to hear the room; otherwise as `sat`. */
  listening(ref: string, listener: string, found: readonly Member[] | null): readonly Member[] | null {
    const roster = this.known(ref, found)
    if (roster === null) return null
    roster.own.add(listener)
    return [...roster.members.values()]
  }

  unlistened(ref: string, listener: string): void {
    const own = this.rosters.get(ref)?.own
    if (own?.delete(listener) === true && own.size === 0) this.rosters.delete(ref)
  }

  /** Returns whether this node had listeners in the room. */
  ended(ref: string): boolean {
    return this.rosters.delete(ref)
  }

  private known(ref: string, found: readonly Member[] | null): Roster | null {
    if (found !== null)
      this.rosters.set(ref, { members: new Map(found.map((one) => [one.member, one])), own: new Set() })
    return this.rosters.get(ref) ?? null
  }

  joined(ref: string, member: Member): void {
    this.rosters.get(ref)?.members.set(member.member, member)
  }

  /** Returns whether this node still has members or listeners in the room, who must receive the event. */
  left(ref: string, member: string): boolean {
    const roster = this.rosters.get(ref)
    if (roster === undefined) return false
    roster.members.delete(member)
    roster.own.delete(member)
    if (roster.own.size > 0) return true
    this.rosters.delete(ref)
    return false
  }
}
