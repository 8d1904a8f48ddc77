// Reads the inbox of a node incarnation to its end and passes the entries to the node one by one. While Redis is
// unavailable it waits; nothing is missed.

import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../contract/faults.ts'
import type { Hearing, RoomEvent } from '../contract/rooms.ts'
import type { Redis } from './redis.ts'
import { type Told, toldOf } from './rooms-entries.ts'
import { type Inbox, InboxLost, InboxReader } from './rooms-inbox.ts'
import type { Incarnation } from './rooms-life.ts'
import { Rosters } from './rooms-rosters.ts'

const AGAIN_AFTER_MS = 100

interface Following {
  readonly reader: Redis
  readonly inbox: Inbox
  readonly incarnation: Incarnation
  readonly hearing: Hearing
  /** Somebody sits there for whom nobody waits any more. */
  readonly giveUp: (ref: string, member: string) => void
}

/** Resolves to why there is no more to read; never rejects. */
export async function followInbox(following: Following): Promise<string> {
  const { reader, inbox, incarnation } = following
  const entries = new InboxReader(reader, inbox)
  const rosters = new Rosters()
  while (!incarnation.isOver) {
    try {
      for (const entry of await entries.next()) {
        if (incarnation.isOver) break
        const told = toldOf(entry)
        if (told.incarnation === inbox.incarnation) await sitDown(told, following, rosters)
        else tell(told.event, following, rosters)
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
  if (event.type === 'left' && !rosters.left(refOf(event), event.member)) return
  hearing.heard(event)
}

/**
 * A member of this node: what it finds is known when Redis has answered its call, for which all that comes after waits.
 */
async function sitDown({ event }: Told, following: Following, rosters: Rosters): Promise<void> {
  if (event.type !== 'joined') return
  const { incarnation, hearing, giveUp } = following
  const sitting = incarnation.sittings.get(event.member)
  const found = (await sitting?.answered) ?? null
  if (incarnation.isOver) return
  incarnation.sittings.delete(event.member)
  hearing.heard(event)
  const members = rosters.sat(refOf(event), { member: event.member, player: event.player }, found?.members ?? null)
  if (sitting !== undefined && found !== null && members !== null) return sitting.take(found, members)
  // Nobody waits for it, or who sits there is not known as the answer to the first of this node was lost.
  sitting?.fail(new StoreUnavailable('Redis did not answer who sits in a room. Try again.'))
  giveUp(refOf(event), event.member)
}
