// Recomputing a leaderboard's entries from the log, beside the present ones: a new generation of them. It is
// asked for, built in slices of the board's history, and comes into force in one step. Each slice is an event, so what a
// generation holds follows from the log alone, and the builder may crash at any point.

import type { Rules } from './board-rules.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import type { Moment } from './event.ts'
import { type EventReference, sameReference } from './event-reference.ts'

/** `change` is the rebuild's id. */
type Id = { readonly change: string; readonly generation: number }

export type RebuildEvent =
  | { readonly type: 'LeaderboardRulesRequested'; readonly data: Id & { readonly rules: Rules } }
  /** So many events of the history are folded, of so many: before the first slice, and only for telling how far it is. */
  | { readonly type: 'LeaderboardHistoryFolded'; readonly data: Id & FoldedSoFar }
  | { readonly type: 'LeaderboardSliceBuilt'; readonly data: Id & BuiltSlice }
  /**
   * The rest of the history, after the last slice up to this very event, is applied too, and the generation stands. `total`: how
   * many events the history had, where no slice told of that.
   */
  | {
      readonly type: 'LeaderboardRulesChanged'
      readonly data: Id & { readonly rules: Rules; readonly after: EventReference | null } & Replaced
    }
  /** Of what is given up, as of what failed, `upTo` says how far it was built. */
  | { readonly type: 'LeaderboardRulesCancelled'; readonly data: Id & { readonly upTo: EventReference | null } }
  | {
      readonly type: 'LeaderboardRulesFailed'
      readonly data: Id & { readonly upTo: EventReference | null; readonly reason: string }
    }
  | { readonly type: 'LeaderboardSliceCleared'; readonly data: ClearedSlice }

/** The board's history after one event (null: from its beginning), up to and with another, is applied to the new generation. */
export type BuiltSlice = {
  readonly after: EventReference | null
  readonly upTo: EventReference
  /** How many events that is. */
  readonly events: number
  /** How many there were in all when this build began or went on: only for telling how far it is. */
  readonly total: number
  /**
   * Of a board with one entry a player: the history up to there was folded, and written are the entries that show a submission of
   * this part as of that place. The slices of one fold have the same, and end there. Left out: applied event by event.
   */
  readonly asOf?: EventReference
}

type Replaced = { readonly replaces: number; readonly total?: number }

type FoldedSoFar = Pick<BuiltSlice, 'events' | 'total'>

/** What this part of the history made in a generation that stands no more is removed; with the last part, all of it is. */
export type ClearedSlice = {
  readonly generation: number
  readonly after: EventReference | null
  readonly upTo: EventReference | null
  /** The last event that was applied to it; null where none was. */
  readonly until: EventReference | null
}

export interface Rebuild {
  readonly id: string
  readonly generation: number
  readonly rules: Rules
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** In recorded events of the board. */
  readonly done: number
  /** Of those events so many were folded before any was done. Left out where that was too few to tell, or none. */
  readonly folded?: number
  /** Null until the first slice is built, or some history folded. */
  readonly total: number | null
  readonly started: string
  /** When it last went on. */
  readonly moved: string
  readonly finished: string | null
  readonly error: string | null
  /** How far in the board's history it has come. */
  readonly upTo: EventReference | null
}

interface Superseded {
  readonly generation: number
  /** How far in the board's history it is removed already. */
  readonly upTo: EventReference | null
}

/** What a leaderboard says of its entries and their rebuilding. */
export interface Generations {
  /** Those in force. */
  readonly rules: Rules
  readonly archived: boolean
  /** Which computing of its entries stands, from 1; and the last one that was begun. */
  readonly generation: number
  readonly lastGeneration: number
  /** The rebuild that runs, or ran last. */
  readonly rebuild: Rebuild | null
  /** Generations that stand no more, and are being removed. */
  readonly superseded: readonly Superseded[]
}

/** 404 `leaderboard_not_found` for one that was never made, or is archived. */
export function existing<State extends Generations>(state: State | null): State {
  if (state === null || state.archived) {
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
  }
  return state
}

export function evolveRebuild<State extends Generations>(state: State, event: RebuildEvent, { time }: Moment): State {
  const { rebuild } = state
  switch (event.type) {
    case 'LeaderboardRulesRequested': {
      const { change: id, generation, rules } = event.data
      const queued = { done: 0, total: null, started: time, moved: time, finished: null, error: null, upTo: null }
      return { ...state, lastGeneration: generation, rebuild: { id, generation, rules, state: 'queued', ...queued } }
    }
    case 'LeaderboardSliceCleared':
      return { ...state, superseded: cleared(state.superseded, event.data) }
  }
  if (rebuild === null) return state
  const ended = { moved: time, finished: time }
  switch (event.type) {
    case 'LeaderboardHistoryFolded': {
      const { events: folded, total } = event.data
      return { ...state, rebuild: { ...rebuild, state: 'running', folded, total, moved: time } }
    }
    case 'LeaderboardSliceBuilt': {
      const { events, total, upTo } = event.data
      const done = rebuild.done + events
      return { ...state, rebuild: { ...rebuild, state: 'running', done, total, moved: time, upTo } }
    }
    case 'LeaderboardRulesChanged': {
      const { rules, generation, total = rebuild.total ?? 0 } = event.data
      const done = Math.max(rebuild.done, total)
      const superseded = [...state.superseded, { generation: state.generation, upTo: null }]
      const over = { ...rebuild, ...ended, state: 'done', done, total: done } as const
      return { ...state, rules, generation, superseded, rebuild: over }
    }
    case 'LeaderboardRulesCancelled':
      return { ...state, superseded: withAbandoned(state, rebuild), rebuild: { ...rebuild, ...ended, state: 'cancelled' } }
    case 'LeaderboardRulesFailed': {
      const failed = { ...rebuild, ...ended, state: 'failed', error: event.data.reason } as const
      return { ...state, superseded: withAbandoned(state, rebuild), rebuild: failed }
    }
    default:
      return state
  }
}

const withAbandoned = ({ superseded }: Generations, { generation }: Rebuild): Superseded[] => [
  ...superseded,
  { generation, upTo: null },
]

function cleared(superseded: readonly Superseded[], { generation, upTo, until }: ClearedSlice): readonly Superseded[] {
  if (sameReference(upTo, until)) return superseded.filter((one) => one.generation !== generation)
  return superseded.map((one) => (one.generation === generation ? { ...one, upTo } : one))
}

/** The rebuild that runs, where it is this one; else null. */
export function running(state: Generations | null, change?: string): Rebuild | null {
  if (state === null || state.archived || state.rebuild === null || state.rebuild.finished !== null) return null
  return change === undefined || state.rebuild.id === change ? state.rebuild : null
}

/** 409 `rebuild_running` while one runs. */
export function requestRebuild(present: Generations, rules: Rules, id: string): readonly RebuildEvent[] {
  if (running(present) !== null) {
    throw new Refusal(
      'conflict',
      'rebuild_running',
      'This leaderboard is being rebuilt. Wait until that is done, or cancel it: DELETE its rebuild.',
    )
  }
  const generation = present.lastGeneration + 1
  return [{ type: 'LeaderboardRulesRequested', data: { change: id, generation, rules } }]
}

/** Recomputes the entries under the rules in force. */
export function rebuildLeaderboard(id: string): Decision<Generations | null, RebuildEvent> {
  return (state) => requestRebuild(existing(state), existing(state).rules, id)
}

/** Nothing where the rebuild is over, or has come elsewhere: another one builds it too. */
export function buildSlice(change: string, slice: BuiltSlice): Decision<Generations | null, RebuildEvent> {
  return (state) => {
    const present = running(state, change)
    if (present === null || !sameReference(present.upTo, slice.after)) return []
    return [{ type: 'LeaderboardSliceBuilt', data: { change, generation: present.generation, ...slice } }]
  }
}

/** Nothing where that is known already, or where slices are built by now. */
export function recordFolded(change: string, progress: FoldedSoFar): Decision<Generations | null, RebuildEvent> {
  return (state) => {
    const present = running(state, change)
    if (present === null || present.upTo !== null || progress.events <= (present.folded ?? 0)) return []
    return [{ type: 'LeaderboardHistoryFolded', data: { change, generation: present.generation, ...progress } }]
  }
}

/** `total` is how many events there are in all, where no slice told of that. */
export function finishRebuild(
  change: string,
  after: EventReference | null,
  total?: number,
): Decision<Generations | null, RebuildEvent> {
  return (state) => {
    const present = running(state, change)
    if (state === null || present === null || !sameReference(present.upTo, after)) return []
    const { generation, rules } = present
    const data = { change, generation, rules, after, replaces: state.generation }
    return [{ type: 'LeaderboardRulesChanged', data: total === undefined ? data : { ...data, total } }]
  }
}

/** Nothing where it is over already. 404 `rebuild_not_found` where there never was one. */
export const cancelRebuild: Decision<Generations | null, RebuildEvent> = (state) => {
  if (existing(state).rebuild === null) {
    throw new Refusal('not_found', 'rebuild_not_found', 'This leaderboard was never rebuilt.')
  }
  return endRebuild(state)
}

/** Nothing where none runs. */
export function endRebuild(state: Generations | null): readonly RebuildEvent[] {
  const present = running(state)
  return present === null ? [] : [{ type: 'LeaderboardRulesCancelled', data: ended(present) }]
}

export function failRebuild(change: string, reason: string): Decision<Generations | null, RebuildEvent> {
  return (state) => {
    const present = running(state, change)
    return present === null ? [] : [{ type: 'LeaderboardRulesFailed', data: { ...ended(present), reason } }]
  }
}

const ended = ({ id: change, generation, upTo }: Rebuild) => ({ change, generation, upTo })

/** Nothing where that part is removed already. */
export function clearSlice(slice: ClearedSlice): Decision<Generations | null, RebuildEvent> {
  return (state) => {
    const present = state?.superseded.find(({ generation }) => generation === slice.generation)
    if (present === undefined || !sameReference(present.upTo, slice.after)) return []
    return [{ type: 'LeaderboardSliceCleared', data: slice }]
  }
}
