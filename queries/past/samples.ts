// Samples of a player's movement: the rules and the player's own best entry at each instant, from the player's streams
// and the board's.

import type { Decimal } from '../../domain/decimal.ts'
import { type Position, recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { boardStream, type Leaderboard, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { type Standing, standing } from '../../domain/standing.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Board } from '../leaderboard.ts'
import { banChanges } from './absences.ts'
import type { PastBoards } from './boards.ts'
import { streamUpTo } from './reading.ts'

/** An instant with its cut, the rules active then, and the player's own best entry under them. */
export interface Sample {
  readonly time: string
  readonly cut: Position
  readonly state: Leaderboard
  readonly sortKey: string | null
  readonly score: Decimal | null
}

/**
 * The player, the board, the number of samples and their last instant with its cut; `own`: the player's stream on the
 * board up to there.
 */
export interface SamplesQuery {
  readonly board: Board
  readonly player: string
  readonly own: readonly StoredEvent[]
  readonly points: number
  readonly asOf: string
  readonly cut: Position
}

/** Computes the samples, in order of time. */
export async function samplesOf(
  { deps: { queries, log }, cuts }: Pick<PastBoards, 'deps' | 'cuts'>,
  query: SamplesQuery,
  slices: TimeSlices,
): Promise<Sample[]> {
  const { board, player, own, points, asOf, cut: last } = query
  const bans = await banChanges(queries, { player }, last)
  const rules = await streamUpTo(log, boardStream(board.id), last)
  const start = own.reduce((least, { meta }) => (meta.time < least ? meta.time : least), asOf)
  const changes = [
    ...own.map(({ meta }) => meta.time),
    ...bans.map(({ time }) => time),
    ...rules.filter(({ type }) => type === 'LeaderboardRulesChanged').map(({ meta }) => meta.time),
  ]
  let state = leaderboard.initial
  let [rulesIndex, ownIndex, bansIndex] = [0, 0, 0]
  let isBanned = false
  let [active, current] = [null as Leaderboard | null, null as Standing | null]
  const samples: Sample[] = []
  const positions = new Map(own.map(({ revision, position }) => [revision, position]))
  const instants = instantsOf(start, asOf, changes, points)
  const found = await cuts.ofAll(board.game, last, instants, () => slices.yieldIfDue())
  for (const [i, time] of instants.entries()) {
    const cut = found[i] ?? null
    // The first instant is that of an event of the player.
    if (cut === null) throw new Error(`no event of game ${board.game} is as old as ${time}`)
    for (; (rules[rulesIndex]?.position ?? '~') <= cut; rulesIndex++) {
      const event = rules[rulesIndex] as StoredEvent
      state = leaderboard.evolve(state, unsafeCast<LeaderboardEvent>(event), recordedAt(event))
    }
    for (; (bans[bansIndex]?.position ?? '~') <= cut; bansIndex++) isBanned = bans[bansIndex]?.banned === true
    // A board is created before its first submission.
    if (state === null) throw new Error(`leaderboard ${board.id} has a submission but was never created`)
    const { evolve, initial } = standing(state.rules, 'all')
    if (active === null || active.generation !== state.generation) [current, ownIndex] = [initial, 0]
    active = state
    for (; (own[ownIndex]?.position ?? '~') <= cut; ownIndex++) {
      const event = own[ownIndex] as StoredEvent
      current = evolve(current ?? initial, unsafeCast<ScoreEvent>(event), recordedAt(event))
      if (slices.due) await slices.yield()
    }
    const shown = isBanned ? null : (current?.shown ?? null)
    const id = state.rules.unique ? (current?.first?.id ?? '') : (shown?.id ?? '')
    const position = positions.get(shown?.revision ?? -1) ?? ''
    const sortKey = shown === null ? null : sortKeyOf({ ...shown, position }, id, state.rules)
    samples.push({ time, cut, state, sortKey, score: shown?.score ?? null })
  }
  return samples
}

// Chooses the instants of a player's movement: each at which something of their own changed, plus evenly spaced ones up
// to the requested number; if there are too many changes, an even selection of them.

/** ISO 8601, UTC, milliseconds; in order, without duplicates, at most `points`. `changes` out of range are ignored. */
function instantsOf(start: string, end: string, changes: readonly string[], points: number): string[] {
  const own = [...new Set([start, ...changes])].filter((time) => time >= start && time <= end).sort()
  if (own.length >= points) return thinned(own, points)
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
  const more = points - own.length
  const spaced = Array.from({ length: more }, (_, i) => fromMs + Math.round(((toMs - fromMs) * (i + 1)) / more))
  return [...new Set([...own, ...spaced.map((ms) => new Date(ms).toISOString())])].sort()
}

/** The first, the last, and evenly spaced ones in between; the last only if `points` is 1. */
function thinned(times: readonly string[], points: number): string[] {
  const last = times.length - 1
  if (points === 1) return times.slice(last)
  return Array.from({ length: points }, (_, i) => times[Math.round((i * last) / (points - 1))] as string)
}
