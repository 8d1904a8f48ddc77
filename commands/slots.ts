// Takes and releases a game's slots for leaderboards, keys and buckets. If a call is interrupted, a reaction releases
// the slot of an item that was not created or no longer exists.

import { type Bucket, bucket, bucketStream } from '../domain/bucket.ts'
import { type Key, key, keyStream } from '../domain/key.ts'
import { boardStream, type Leaderboard, leaderboard } from '../domain/leaderboard.ts'
import { isCounted, releaseSlot, type Slot, slots, slotsStream, takeSlot } from '../domain/slots.ts'
import type { Handled } from './command-batch.ts'
import { type CommandContext, childContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { loadState } from './load-state.ts'

/** `game` null keeps slot events out of the game's history: the created item has its own event. */
const about = (game: string) => ({ stream: slotsStream(game), game: null })

/**
 * Call it before the item is created. Throws 422 `too_many_…`. A repeated call takes no second slot.
 */
export async function take(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if (context.call !== null && (await stateOf(deps, slot)) !== 'never created') return
  const state = await loadState(deps, slots, slotsStream(game))
  const existing = isCounted(state, slot.kind) ? 0 : ((await deps.countExisting?.(slot.kind, game)) ?? 0)
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), takeSlot(slot, existing))
}

/** Whether this call ended the item: false if it had ended already, or if the call is a repeat. */
export const isEnding = ({ events, replayed }: Pick<Handled<unknown, unknown>, 'events' | 'replayed'>): boolean =>
  events.length > 0 && !replayed

/** Call it after the item is gone. `isGone`: whether this call ended it. */
export async function release(
  deps: CommandDeps,
  game: string,
  { isGone, ...slot }: Slot & { readonly isGone: boolean },
  context: CommandContext,
) {
  if (!isGone) return
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), releaseSlot(slot, true))
}

/**
 * Releases the slot of an item that was never created or no longer exists. For a reaction, after the call had its time.
 */
export async function settle(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if ((await stateOf(deps, slot)) === 'in use') return
  await deps.handler.handle(slots, about(game), childContext(context, 'slot'), releaseSlot(slot, false))
}

type ItemState = 'never created' | 'in use' | 'ended'

/** The state of the slot's item. `ended`: archived, revoked or deleted. */
async function stateOf(deps: CommandDeps, { kind, id }: Slot): Promise<ItemState> {
  switch (kind) {
    case 'leaderboards': {
      const state: Leaderboard | null = await loadState(deps, leaderboard, boardStream(id))
      return itemState(state?.archived)
    }
    case 'keys': {
      const state: Key | null = await loadState(deps, key, keyStream(id))
      return itemState(state?.revoked)
    }
    case 'buckets': {
      const state: Bucket | null = await loadState(deps, bucket, bucketStream(id))
      return itemState(state?.deleted)
    }
  }
}

/** `hasEnded`: undefined for an item that was never created. */
function itemState(hasEnded: boolean | undefined): ItemState {
  if (hasEnded === undefined) return 'never created'
  return hasEnded ? 'ended' : 'in use'
}
