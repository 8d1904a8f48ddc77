// The rules of a leaderboard over time, from the events of its history, and the rule change that runs now: its
// progress, the rules to go back to, and what has to be read afterwards.

import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Api, GameEvent, LeaderboardRules, Rebuild } from '../api.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { type Loaded, useLoad } from '../use-load.ts'

interface RulesState {
  /** When the leaderboard was created, ISO 8601; null without the permission to read the history. */
  readonly created: string | null
  /** The rules at creation and after each change, oldest first; empty without that permission. */
  readonly applied: readonly AppliedRules[]
  /** The rules before those in force; null if there are none. */
  readonly previous: LeaderboardRules | null
  /** The rules of `change`; null if unknown. */
  readonly coming: LeaderboardRules | null
  /** The running or the last rule change; null if there was none. */
  readonly change: Rebuild | null
}

export interface AppliedRules {
  readonly time: string
  readonly rules: LeaderboardRules
}

const NOTHING_KNOWN: RulesState = { created: null, applied: [], previous: null, coming: null, change: null }

const RUNNING_MS = 1_000
/** Somebody waits for the end of a change. */
const RUNNING_PAUSE_FACTOR = 2
const IDLE_MS = 15_000

export const isRunning = (change: Rebuild | null): boolean => change?.state === 'queued' || change?.state === 'running'

/** `runs`: whether a change is known to run, so that its progress is read often. */
function useRules(api: Api, game: string | null, board: string, runs: boolean): Loaded<RulesState> {
  const read = async (): Promise<RulesState> => {
    if (game === null || !may(`gm:${game}:history`)) return NOTHING_KNOWN
    const rulesOf = async (type: string) => {
      const events: AppliedRules[] = []
      for await (const event of api.eventsOnce(game, { board, type })) {
        const rules = rulesIn(event)
        if (rules !== null) events.push({ time: event.time, rules })
      }
      return events
    }
    const [created, requested] = await Promise.all([
      rulesOf('LeaderboardCreated'),
      rulesOf('LeaderboardRulesRequested'),
    ])
    const change = requested.length > 0 && may(`lb:${board}:configure`) ? await api.rebuildOf(board) : null
    // After the state of the change: the events of one that is done are recorded then.
    const changed = await rulesOf('LeaderboardRulesChanged')
    const applied = [...created, ...changed]
    return {
      created: created[0]?.time ?? null,
      applied,
      previous: previousRules(applied.map(({ rules }) => rules)),
      coming: requested.at(-1)?.rules ?? null,
      change,
    }
  }
  return useLoad(`rules ${board}`, read, {
    ...(runs ? { everyMs: RUNNING_MS, pauseFactor: RUNNING_PAUSE_FACTOR } : { everyMs: IDLE_MS }),
    keeps: true,
    tags: [`board:${board}`],
  })
}

interface RecordedRules {
  readonly ordering: LeaderboardRules['ordering']
  readonly secondaryOrdering: LeaderboardRules['ordering']
  readonly unique: boolean
  readonly keep?: LeaderboardRules['keep']
  readonly minScore: string | null
  readonly maxScore: string | null
}

/** The rules in an event; null if it has none. */
export function rulesIn({ data }: Pick<GameEvent, 'data'>): LeaderboardRules | null {
  const rules = data.rules as RecordedRules | undefined
  if (typeof rules !== 'object' || rules === null) return null
  return {
    ordering: rules.ordering,
    secondary_ordering: rules.secondaryOrdering,
    unique: rules.unique,
    keep: rules.keep ?? 'best',
    min_score: rules.minScore,
    max_score: rules.maxScore,
  }
}

export const sameRules = (a: LeaderboardRules, b: LeaderboardRules): boolean =>
  a.ordering === b.ordering &&
  a.secondary_ordering === b.secondary_ordering &&
  a.unique === b.unique &&
  a.keep === b.keep &&
  a.min_score === b.min_score &&
  a.max_score === b.max_score

/**
 * `applied`: the rules at creation and after each change, oldest first. The rules before those in force; null if they
 * are the first.
 */
export function previousRules(applied: readonly LeaderboardRules[]): LeaderboardRules | null {
  const current = applied.at(-1)
  if (current === undefined) return null
  return applied.findLast((rules) => !sameRules(rules, current)) ?? null
}

/** What the second rules have that the first have not, in words. */
export const whatIsNew = (before: LeaderboardRules, after: LeaderboardRules): string =>
  texts.rules
    .differences(before, after)
    .map((part) => part.after)
    .join('; ')

export interface RuleChange {
  readonly state: RulesState | null
  readonly isRunning: boolean
  /** Changes with each state of a change: what was read under the rules before is out of date. */
  readonly revision: string
  /** Call it when a change was requested. */
  readonly requested: () => void
}

/** `onChange`: called when the rules in force may be others. */
export function useRuleChange(api: Api, game: string | null, board: string, onChange: () => void): RuleChange {
  const [isExpected, setExpected] = useState(false)
  const { value: state } = useRules(api, game, board, isExpected)
  const runs = isRunning(state?.change ?? null)
  const revision = `${state?.change?.id ?? ''} ${state?.change?.state ?? ''}`

  useEffect(() => {
    if (revision === ' ') return
    setExpected(runs)
    onChange()
  }, [revision, runs, onChange])

  const requested = useCallback(() => setExpected(true), [])
  return { state, isRunning: runs, revision, requested }
}
