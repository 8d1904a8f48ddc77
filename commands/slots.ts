// Taking and releasing the slots of what a game may have so many of. Where a call ends between the two steps, a process
// releases the slot of what was not made, or is no more.

import { type Bucket, bucket, bucketStream } from '../domain/bucket.ts'
import { type Key, key, keyStream } from '../domain/key.ts'
import { boardStream, type Leaderboard, leaderboard } from '../domain/leaderboard.ts'
import { isCounted, releaseSlot, type Slot, slots, slotsStream, takeSlot } from '../domain/slots.ts'
import { childContext } from './child-context.ts'
import type { Handled } from './command-batch.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { loadState } from './load-state.ts'

/** Not part of the game's history: the created item has its own event. */
const about = (game: string) => ({ stream: slotsStream(game), game: null })

/**
 * Before what it is for is made. Throws 422 `too_many_…`. A repeated call whose first one made it takes no other slot.
 */
export async function take(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if (context.call !== null && (await isThere(deps, slot)) !== null) return
  const state = await loadState(deps, slots, slotsStream(game))
  const existing = isCounted(state, slot.kind) ? 0 : ((await deps.countExisting?.(slot.kind, game)) ?? 0)
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), takeSlot(slot, existing))
}

/** Whether this very call ended something: not one that met it ended, or that repeats another one. */
export const isEnding = ({ events, replayed }: Pick<Handled<unknown, unknown>, 'events' | 'replayed'>): boolean =>
  events.length > 0 && !replayed

/** After what it was for is gone, where `isGone` says that this very call ended it. */
export async function release(
  deps: CommandDeps,
  game: string,
  { isGone, ...slot }: Slot & { readonly isGone: boolean },
  context: CommandContext,
) {
  if (!isGone) return
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), releaseSlot(slot, true))
}

/** Releases the slot of what was never made, or is no more. For a process, once the call has had its time. */
export async function settle(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if ((await isThere(deps, slot)) === true) return
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), releaseSlot(slot, false))
}

/** Null: it was never made. False: it is archived, revoked or deleted. */
async function isThere(deps: CommandDeps, { kind, id }: Slot): Promise<boolean | null> {
  switch (kind) {
    case 'leaderboards': {
      const state: Leaderboard | null = await loadState(deps, leaderboard, boardStream(id))
      return state && !state.archived
    }
    case 'keys': {
      const state: Key | null = await loadState(deps, key, keyStream(id))
      return state && !state.revoked
    }
    case 'buckets': {
      const state: Bucket | null = await loadState(deps, bucket, bucketStream(id))
      return state && !state.deleted
    }
  }
}
