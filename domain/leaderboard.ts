// A leaderboard: its name, its key, and the rules that decide which scores it accepts and how entries are ordered.
// After a change of rules is requested (domain/rule-change.ts), new entries are computed; the new rules take effect
// once that is done.

import { checkRules, namesRules, type Rules, type RulesChange, rulesAfter, sameRules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import {
  endRuleChange,
  evolveRuleChange,
  existing,
  type Generations,
  type RuleChangeEvent,
  requestRuleChange,
  running,
} from './rule-change.ts'
import { type SeasonSchedule, sameSchedule } from './season-schedule.ts'
import {
  evolveSeasons,
  firstSeason,
  type NextSeason,
  recutNeeded,
  type SeasonEvent,
  type Seasons,
  seasonsOf,
  setSchedule,
} from './seasons.ts'
import { streamName } from './streams.ts'

export const boardStream = (board: string): string => streamName('board-', board)

interface LeaderboardCreatedData {
  readonly name: string
  readonly description: string
  readonly rules: Rules
  /** Absent without a key. */
  readonly key?: string
  readonly claim?: string
}

/** A key, and the claim with which the leaderboard took it (board-key.ts). Both null: the leaderboard has no key. */
interface HeldKey {
  readonly key: string | null
  readonly claim: string | null
}

export type LeaderboardEvent =
  | { readonly type: 'LeaderboardCreated'; readonly data: LeaderboardCreatedData }
  | { readonly type: 'LeaderboardDescribed'; readonly data: { readonly name: string; readonly description: string } }
  | { readonly type: 'LeaderboardKeyChanged'; readonly data: HeldKey }
  | { readonly type: 'LeaderboardArchived'; readonly data: Readonly<Record<string, never>> }
  | RuleChangeEvent
  | SeasonEvent

export interface Leaderboard extends Generations, HeldKey {
  readonly name: string
  readonly description: string
  readonly created: string
  /** Absent if it never had seasons. */
  readonly seasons?: Seasons
}

export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = {
  name: 'leaderboard',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'LeaderboardCreated') {
      const { name, description, rules, key = null, claim = null } = event.data
      return { name, description, rules, key, claim, ...DEFAULTS, created: at.time }
    }
    if (state === null) return null
    switch (event.type) {
      case 'LeaderboardDescribed':
      case 'LeaderboardKeyChanged':
        return { ...state, ...event.data }
      case 'LeaderboardArchived':
        return { ...state, ...NO_KEY, archived: true }
      case 'SeasonScheduleSet':
      case 'SeasonOpened':
      case 'SeasonClosed':
      case 'SeasonStandingRecorded':
        return evolveSeasons(state, event)
      default:
        return evolveRuleChange(state, event, at)
    }
  },
}

const NO_KEY: HeldKey = { key: null, claim: null }

const DEFAULTS = { archived: false, generation: 1, lastGeneration: 1, rebuild: null, superseded: [] } as const

/**
 * Thrown by a decision whose leaderboard takes a key that is not claimed for it yet; nothing was recorded. Claim the
 * key, and decide again with the claim.
 */
export class KeyNotClaimed extends Error {}

export interface NewLeaderboard {
  readonly name: string
  readonly description: string
  /** Absent or null: none. */
  readonly key?: string | null | undefined
  readonly rules: Rules
  /** The schedule of its seasons, and when the first one begins (Unix milliseconds). Absent: it has none. */
  readonly seasons?: { readonly schedule: SeasonSchedule; readonly fromMs: number } | undefined
}

/** `claim`: null if the key is not claimed yet. Throws as `checkRules` and `checkSchedule`. */
export function createLeaderboard(
  { name, description, key = null, rules, seasons }: NewLeaderboard,
  claim: string | null = null,
): Decision<Leaderboard | null, LeaderboardEvent> {
  checkRules(rules)
  const opening = seasons === undefined ? [] : firstSeason(seasons.schedule, seasons.fromMs)
  return (state) => {
    if (state !== null) return []
    if (key === null) return [{ type: 'LeaderboardCreated', data: { name, description, rules } }, ...opening]
    if (claim === null) throw new KeyNotClaimed()
    return [{ type: 'LeaderboardCreated', data: { name, description, rules, key, claim } }, ...opening]
  }
}

export interface LeaderboardChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Null: no key any longer. */
  readonly key?: string | null | undefined
  readonly rules?: RulesChange | undefined
  /** The schedule of its seasons from an instant on (Unix milliseconds); null: no season follows. */
  readonly seasons?:
    | { readonly schedule: SeasonSchedule | null; readonly fromMs: number; readonly next?: NextSeason | null }
    | undefined
}

/**
 * The rules that a leaderboard has after a change. Throws as `checkRules`; 400 `recut_needed` if both seasons and rules
 * change.
 */
export function rulesAfterChange(present: Leaderboard, change: Pick<LeaderboardChange, 'rules' | 'seasons'>): Rules {
  const rules = rulesAfter(present.rules, change.rules ?? {})
  const schedule = seasonsOf(present).schedule
  const changesSeasons = change.seasons !== undefined && !sameSchedule(schedule, change.seasons.schedule)
  if (changesSeasons && !sameRules(rules, present.rules)) throw recutNeeded()
  return rules
}

/**
 * Changes name, description, key and seasons. Rules other than those in force request a rule change with this `id`;
 * records nothing if the running rule change has these rules, and gives 409 `rebuild_running` if it has others. Throws
 * as `rulesAfterChange` before all other refusals but 404. Without a `claim` on a new key it throws KeyNotClaimed,
 * after all refusals.
 */
export function changeLeaderboard(
  change: LeaderboardChange,
  id: string,
  expect: (state: Leaderboard) => void,
  claim: string | null = null,
): Decision<Leaderboard | null, LeaderboardEvent> {
  return (state) => {
    const present = existing(state)
    const rules = rulesAfterChange(present, change)
    expect(present)
    const events: LeaderboardEvent[] = []
    const name = change.name ?? present.name
    const description = change.description ?? present.description
    if (name !== present.name || description !== present.description) {
      events.push({ type: 'LeaderboardDescribed', data: { name, description } })
    }
    const requested = namesRules(change.rules ?? {}) ? requestRules(present, rules, id) : []
    const { seasons } = change
    const scheduled =
      seasons === undefined ? [] : setSchedule(present, seasons.schedule, seasons.fromMs, seasons.next ?? null)
    return [...events, ...changeKey(present, change.key, claim), ...scheduled, ...requested]
  }
}

function changeKey(present: Leaderboard, key: string | null | undefined, claim: string | null): LeaderboardEvent[] {
  if (key === undefined || key === present.key) return []
  if (key === null) return [{ type: 'LeaderboardKeyChanged', data: NO_KEY }]
  if (claim === null) throw new KeyNotClaimed()
  return [{ type: 'LeaderboardKeyChanged', data: { key, claim } }]
}

/** Gives up a key that the leaderboard took with a claim that it has lost; records nothing if it has another claim. */
export function giveUpKey(claim: string): Decision<Leaderboard | null, LeaderboardEvent> {
  return (state) => (state?.claim === claim ? [{ type: 'LeaderboardKeyChanged', data: NO_KEY }] : [])
}

function requestRules(present: Leaderboard, rules: Rules, id: string): readonly RuleChangeEvent[] {
  const coming = running(present)?.rules ?? present.rules
  return sameRules(rules, coming) ? [] : requestRuleChange(present, rules, id)
}

/** Also cancels a running rule change, so that its entries are removed. */
export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = (state) => [
  ...endRuleChange(existing(state)),
  { type: 'LeaderboardArchived', data: {} },
]
