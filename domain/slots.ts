// Counts a game's leaderboards, keys and buckets. A slot is taken before one is created, and released after it is
// archived, revoked or deleted, so concurrent creation cannot exceed a limit.

import { Set as ImmutableSet } from 'immutable'
import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import type { JsonObject } from './event.ts'
import { unsafeCast } from './event.ts'
import { idIn, isNamed, streamName } from './streams.ts'

export const slotsStream = (game: string): string => streamName('slots-', game)

/** The game that an event belongs to. Slot events have no game in their metadata; only their stream names it. */
export function gameOf(stream: string, game: string | null): string | null {
  return game === null && isNamed(stream, 'slots-') ? idIn(stream) : game
}

export type SlotKind = 'leaderboards' | 'keys' | 'buckets'

/** Archived, revoked and deleted ones do not count. */
export const SLOTS_MAX: Readonly<Record<SlotKind, number>> = { leaderboards: 10_000, keys: 1_000, buckets: 1_000 }

const ENDINGS: Readonly<Record<SlotKind, string>> = {
  leaderboards: 'Archive one that you do not need.',
  keys: 'Revoke one that you do not need.',
  buckets: 'Delete one that you do not need.',
}

export interface Slot {
  readonly kind: SlotKind
  /** Id of the leaderboard, key or bucket. */
  readonly id: string
}

export type SlotEvent =
  /** The number that an older version, which took no slots, had created. */
  | { readonly type: 'SlotsCounted'; readonly data: { readonly kind: SlotKind; readonly count: number } }
  | { readonly type: 'SlotTaken'; readonly data: Slot }
  | { readonly type: 'SlotReleased'; readonly data: Slot }

/** The slots of one kind. */
interface Taken {
  /** How many created by an older version still exist; null until they are counted. */
  readonly others: number | null
  readonly ids: ImmutableSet<string>
}

type Slots = Readonly<Record<SlotKind, Taken>>

const NONE: Taken = { others: null, ids: ImmutableSet() }

export const slots: Aggregate<Slots, SlotEvent> = {
  name: 'slots',
  initial: { leaderboards: NONE, keys: NONE, buckets: NONE },
  evolve(state, event) {
    const { kind } = event.data
    const taken = state[kind]
    if (taken === undefined) return state
    return { ...state, [kind]: after(taken, event) }
  },
  size: ({ leaderboards, keys, buckets }) => leaderboards.ids.size + keys.ids.size + buckets.ids.size,
  snapshot: {
    form: 1,
    write: ({ leaderboards, keys, buckets }) => ({
      leaderboards: written(leaderboards),
      keys: written(keys),
      buckets: written(buckets),
    }),
    read: ({ leaderboards, keys, buckets }) => ({
      leaderboards: read(unsafeCast<Written>(leaderboards)),
      keys: read(unsafeCast<Written>(keys)),
      buckets: read(unsafeCast<Written>(buckets)),
    }),
  },
}

function after(taken: Taken, event: SlotEvent): Taken {
  switch (event.type) {
    case 'SlotsCounted':
      return { ...taken, others: event.data.count }
    case 'SlotTaken':
      return { ...taken, ids: taken.ids.add(event.data.id) }
    case 'SlotReleased': {
      if (taken.ids.has(event.data.id)) return { ...taken, ids: taken.ids.delete(event.data.id) }
      return { ...taken, others: Math.max(0, (taken.others ?? 0) - 1) }
    }
    default:
      return taken
  }
}

interface Written {
  readonly others: number | null
  readonly ids: readonly string[]
}

const written = ({ others, ids }: Taken): JsonObject => ({ others, ids: [...ids] })
const read = ({ others, ids }: Written): Taken => ({ others, ids: ImmutableSet(ids) })

export const isCounted = (state: Slots, kind: SlotKind): boolean => state[kind].others !== null

/**
 * Takes a slot, once for each id. 422 `too_many_leaderboards`, `too_many_keys`, `too_many_buckets`. `existing`: the
 * number that existed when the first slot was taken.
 */
export function takeSlot({ kind, id }: Slot, existing: number): Decision<Slots, SlotEvent> {
  return (state) => {
    const { others, ids } = state[kind]
    if (ids.has(id)) return []
    const max = SLOTS_MAX[kind]
    if ((others ?? existing) + ids.size >= max) {
      const detail = `This game has the maximum of ${max.toLocaleString('en')} ${kind}. ${ENDINGS[kind]}`
      throw new Refusal('unprocessable', `too_many_${kind}`, detail, { limit: max })
    }
    const counted: SlotEvent = { type: 'SlotsCounted', data: { kind, count: existing } }
    const taken: SlotEvent = { type: 'SlotTaken', data: { kind, id } }
    return others === null ? [counted, taken] : [taken]
  }
}

/** Releases a taken slot; with `isOther`, also that of an item created by an older version. */
export function releaseSlot({ kind, id }: Slot, isOther: boolean): Decision<Slots, SlotEvent> {
  return (state) => {
    const { others, ids } = state[kind]
    const isHeld = ids.has(id) || (isOther && others !== null && others > 0)
    return isHeld ? [{ type: 'SlotReleased', data: { kind, id } }] : []
  }
}
