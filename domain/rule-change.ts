// A rule change makes a leaderboard's entries again from the log, under other rules or those in force, as a new
// generation beside the active one. It is requested, built in ranges of the board's history, and activated by one
// event. Each range is an event, so a generation's content follows from the log alone, and the builder may crash at any
// point. Stored data, paths and problem codes call it a rebuild.

import type { Rules } from './board-rules.ts'
import { type Decision, Refusal } from './decider.ts'
import { type EventReference, type RecordedAt, sameReference } from './event.ts'

/** `change` is the rule change's id. */
type Id = { readonly change: string; readonly generation: number }

export type RuleChangeEvent =
  | { readonly type: 'LeaderboardRulesRequested'; readonly data: Id & { readonly rules: Rules } }
  /** Progress before the first range is built: how many events of the history are folded, of how many. */
  | { readonly type: 'LeaderboardHistoryFolded'; readonly data: Id & FoldedSoFar }
  | { readonly type: 'LeaderboardSliceBuilt'; readonly data: Id & BuiltRange }
  /** The rest of the history is applied too, and the generation is active. `total`: its events, if no range has it. */
  | {
      readonly type: 'LeaderboardRulesChanged'
      readonly data: Id & { readonly rules: Rules; readonly after: EventReference | null } & Replaced
    }
  /** `upTo`: the last event applied to the generation. */
  | { readonly type: 'LeaderboardRulesCancelled'; readonly data: Id & { readonly upTo: EventReference | null } }
  | {
      readonly type: 'LeaderboardRulesFailed'
      readonly data: Id & { readonly upTo: EventReference | null; readonly reason: string }
    }
  | { readonly type: 'LeaderboardSliceCleared'; readonly data: ClearedRange }

/** A range of the board's history, after one event (null: from the start) up to and including another, was applied. */
export type BuiltRange = {
  readonly after: EventReference | null
  readonly upTo: EventReference
  /** Number of events in the range. */
  readonly events: number
  /** Number of events in the history when this build started or resumed, to report progress. */
  readonly total: number
  /**
   * For a board with one entry per player: the history was folded up to this event, and the range's entries are those
   * that show a submission of the range at that point. All ranges of one fold share it. Absent: applied one by one.
   */
  readonly asOf?: EventReference
}

type Replaced = { readonly replaces: number; readonly total?: number }

type FoldedSoFar = Pick<BuiltRange, 'events' | 'total'>

/** The entries of this range in an inactive generation are removed; the generation is cleared after its last range. */
export type ClearedRange = {
  readonly generation: number
  readonly after: EventReference | null
  readonly upTo: EventReference | null
  /** The last event that was applied to the generation; null if none was. */
  readonly until: EventReference | null
}

export interface RuleChange {
  readonly id: string
  readonly generation: number
  readonly rules: Rules
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Number of the board's events that are applied. */
  readonly done: number
  /** Number of events folded before the first was applied. Absent if too few to report. */
  readonly folded?: number
  /** Null until the first range is built or some history is folded. */
  readonly total: number | null
  readonly started: string
  /** When it last progressed. */
  readonly moved: string
  readonly finished: string | null
  readonly error: string | null
  /** The last event of the board's history that is applied. */
  readonly upTo: EventReference | null
}

interface Inactive {
  readonly generation: number
  /** The last event of the board's history whose entries are removed. */
  readonly upTo: EventReference | null
}

/** The part of a leaderboard's state about its rules, generations and rule changes. */
export interface Generations {
  /** The rules in force. */
  readonly rules: Rules
  readonly archived: boolean
  /** The active generation, from 1, and the last one that was started. */
  readonly generation: number
  readonly lastGeneration: number
  /** The running or last rule change. */
  readonly rebuild: RuleChange | null
  /** Inactive generations, not cleared yet: former active ones, and those of a failed or cancelled rule change. */
  readonly superseded: readonly Inactive[]
}

/** 404 `leaderboard_not_found` for an unknown or archived leaderboard. */
export function existing<State extends Generations>(state: State | null): State {
  if (state === null || state.archived) {
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
  }
  return state
}

export function evolveRuleChange<State extends Generations>(
  state: State,
  event: RuleChangeEvent,
  at: RecordedAt,
): State {
  const { rebuild } = state
  switch (event.type) {
    case 'LeaderboardRulesRequested': {
      const { change: id, generation, rules } = event.data
      const queued = { done: 0, total: null, started: at.time, moved: at.time, finished: null, error: null, upTo: null }
      return { ...state, lastGeneration: generation, rebuild: { id, generation, rules, state: 'queued', ...queued } }
    }
    case 'LeaderboardSliceCleared':
      return { ...state, superseded: cleared(state.superseded, event.data) }
  }
  if (rebuild === null) return state
  const ended = { moved: at.time, finished: at.time }
  switch (event.type) {
    case 'LeaderboardHistoryFolded': {
      const { events: folded, total } = event.data
      return { ...state, rebuild: { ...rebuild, state: 'running', folded, total, moved: at.time } }
    }
    case 'LeaderboardSliceBuilt': {
      const { events, total, upTo } = event.data
      const done = rebuild.done + events
      return { ...state, rebuild: { ...rebuild, state: 'running', done, total, moved: at.time, upTo } }
    }
    case 'LeaderboardRulesChanged': {
      const { rules, generation, total = rebuild.total ?? 0 } = event.data
      const done = Math.max(rebuild.done, total)
      const superseded = [...state.superseded, { generation: state.generation, upTo: null }]
      const over = { ...rebuild, ...ended, state: 'done', done, total: done } as const
      return { ...state, rules, generation, superseded, rebuild: over }
    }
    case 'LeaderboardRulesCancelled':
      return {
        ...state,
        superseded: withInactive(state, rebuild),
        rebuild: { ...rebuild, ...ended, state: 'cancelled' },
      }
    case 'LeaderboardRulesFailed': {
      const failed = { ...rebuild, ...ended, state: 'failed', error: event.data.reason } as const
      return { ...state, superseded: withInactive(state, rebuild), rebuild: failed }
    }
    default:
      return state
  }
}

const withInactive = ({ superseded }: Generations, { generation }: RuleChange): Inactive[] => [
  ...superseded,
  { generation, upTo: null },
]

function cleared(superseded: readonly Inactive[], { generation, upTo, until }: ClearedRange): readonly Inactive[] {
  if (sameReference(upTo, until)) return superseded.filter((one) => one.generation !== generation)
  return superseded.map((one) => (one.generation === generation ? { ...one, upTo } : one))
}

/** The running rule change, if its id is `change`; else null. */
export function running(state: Generations | null, change?: string): RuleChange | null {
  if (state === null || state.archived || state.rebuild === null || state.rebuild.finished !== null) return null
  return change === undefined || state.rebuild.id === change ? state.rebuild : null
}

/** 409 `rebuild_running` while another rule change runs. */
export function requestRuleChange(present: Generations, rules: Rules, id: string): readonly RuleChangeEvent[] {
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

/** Builds the entries again, under the rules in force. */
export function rebuildEntries(id: string): Decision<Generations | null, RuleChangeEvent> {
  return (state) => requestRuleChange(existing(state), existing(state).rules, id)
}

/** Records nothing if the rule change is over or at another point, because another node builds it too. */
export function buildRange(change: string, range: BuiltRange): Decision<Generations | null, RuleChangeEvent> {
  return (state) => {
    const present = running(state, change)
    if (present === null || !sameReference(present.upTo, range.after)) return []
    return [{ type: 'LeaderboardSliceBuilt', data: { change, generation: present.generation, ...range } }]
  }
}

/** Records nothing if this progress is recorded already, or if a range is built. */
export function recordFolded(change: string, progress: FoldedSoFar): Decision<Generations | null, RuleChangeEvent> {
  return (state) => {
    const present = running(state, change)
    if (present === null || present.upTo !== null || progress.events <= (present.folded ?? 0)) return []
    return [{ type: 'LeaderboardHistoryFolded', data: { change, generation: present.generation, ...progress } }]
  }
}

/** `total`: the number of events in the history, if no range recorded it. */
export function finishRuleChange(
  change: string,
  after: EventReference | null,
  total?: number,
): Decision<Generations | null, RuleChangeEvent> {
  return (state) => {
    const present = running(state, change)
    if (state === null || present === null || !sameReference(present.upTo, after)) return []
    const { generation, rules } = present
    const data = { change, generation, rules, after, replaces: state.generation }
    return [{ type: 'LeaderboardRulesChanged', data: total === undefined ? data : { ...data, total } }]
  }
}

/** Records nothing if the rule change is over. 404 `rebuild_not_found` if the board was never rebuilt. */
export const cancelRuleChange: Decision<Generations | null, RuleChangeEvent> = (state) => {
  if (existing(state).rebuild === null) {
    throw new Refusal('not_found', 'rebuild_not_found', 'This leaderboard was never rebuilt.')
  }
  return endRuleChange(state)
}

/** Records nothing if no rule change runs. */
export function endRuleChange(state: Generations | null): readonly RuleChangeEvent[] {
  const present = running(state)
  return present === null ? [] : [{ type: 'LeaderboardRulesCancelled', data: ended(present) }]
}

export function failRuleChange(change: string, reason: string): Decision<Generations | null, RuleChangeEvent> {
  return (state) => {
    const present = running(state, change)
    return present === null ? [] : [{ type: 'LeaderboardRulesFailed', data: { ...ended(present), reason } }]
  }
}

const ended = ({ id: change, generation, upTo }: RuleChange) => ({ change, generation, upTo })

/** Records nothing if that range is removed already. */
export function clearRange(range: ClearedRange): Decision<Generations | null, RuleChangeEvent> {
  return (state) => {
    const present = state?.superseded.find(({ generation }) => generation === range.generation)
    if (present === undefined || !sameReference(present.upTo, range.after)) return []
    return [{ type: 'LeaderboardSliceCleared', data: range }]
  }
}
