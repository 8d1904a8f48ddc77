// Releases the slots of leaderboards, keys and buckets that were deleted or never created, if the request that should
// have done so failed.

import { settle } from '../commands/slots.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Slot, SlotKind } from '../domain/slots.ts'
import { idIn } from '../domain/streams.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge } from './wait.ts'

const ENDS: Readonly<Record<string, SlotKind>> = {
  LeaderboardArchived: 'leaderboards',
  KeyRevoked: 'keys',
  BucketDeleted: 'buckets',
}

export function settleSlots({ commands, now }: Pick<ReactionDeps, 'commands' | 'now'>): Reaction {
  return {
    name: 'settle_slots',
    takes: ['SlotTaken', ...Object.keys(ENDS)],
    async react(event, signal) {
      const settled = settledBy(event)
      if (settled === null || !(await waitForAge(event, now, signal))) return
      await settle(commands, settled.game, settled.slot, ownContext(now()))
    },
  }
}

function settledBy({ type, stream, data, meta }: StoredEvent): { game: string; slot: Slot } | null {
  if (type === 'SlotTaken') return { game: idIn(stream), slot: unsafeCast<Slot>(data) }
  const kind = ENDS[type]
  return kind === undefined || meta.game === null ? null : { game: meta.game, slot: { kind, id: idIn(stream) } }
}
