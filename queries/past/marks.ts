// What a player's own streams and the board's streams say about each instant of their movement.

import type { Decimal } from '../../domain/decimal.ts'
import { momentOf, type StoredEvent, shaped } from '../../domain/event.ts'
import { boardStream, type Leaderboard, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { type Standing, standing } from '../../domain/standing.ts'
import { memberOf } from '../../ranking/member.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Board } from '../leaderboard.ts'
import { absencesReached, banChanges } from './absences.ts'
import type { PastDeps } from './deps.ts'
import { instantsOf } from './instants.ts'
import { streamBy } from './reading.ts'

/** An instant, the rules then in force, and the player's own best entry by them. */
export interface Mark {
  readonly time: string
  readonly state: Leaderboard
  readonly member: string | null
  readonly score: Decimal | null
}

/** Whose movement, on which board, at how many instants up to which; `own`: the player's stream on the board up to then. */
export interface MarksAsked {
  readonly board: Board
  readonly player: string
  readonly own: readonly StoredEvent[]
  readonly points: number
  readonly asOf: string
}

/** What the player's own streams and the board's say of each instant. */
export async function marksOf({ queries, log }: PastDeps, asked: MarksAsked, slices: TimeSlices): Promise<Mark[]> {
  const { board, player, own, points, asOf } = asked
  const upTo = await absencesReached(queries, board.game)
  const bans = await banChanges(queries, { player }, { after: null, upTo, asOf })
  const rules = await streamBy(log, boardStream(board.id), asOf)
  const begun = own[0]?.meta.time ?? asOf
  const changes = [
    ...own.map(({ meta }) => meta.time),
    ...bans.map(({ time }) => time),
    ...rules.filter(({ type }) => type === 'LeaderboardRulesChanged').map(({ meta }) => meta.time),
  ]
  let state = leaderboard.initial
  let [ofBoard, ofOwn, ofBans] = [0, 0, 0]
  let isBanned = false
  let [under, stands] = [null as Leaderboard | null, null as Standing | null]
  const marks: Mark[] = []
  for (const time of instantsOf(begun, asOf, changes, points)) {
    for (; (rules[ofBoard]?.meta.time ?? '~') <= time; ofBoard++) {
      const event = rules[ofBoard] as StoredEvent
      state = leaderboard.evolve(state, shaped<LeaderboardEvent>(event), momentOf(event))
    }
    for (; (bans[ofBans]?.time ?? '~') <= time; ofBans++) isBanned = bans[ofBans]?.banned === true
    // A board's clock may be behind a player's: there is no entry on a board that is not there.
    if (state === null) {
      marks.push({ time, state: board.state, member: null, score: null })
      continue
    }
    const { evolve, initial } = standing(state.rules, 'all')
    if (under === null || under.generation !== state.generation) [stands, ofOwn] = [initial, 0]
    under = state
    for (; (own[ofOwn]?.meta.time ?? '~') <= time; ofOwn++) {
      const event = own[ofOwn] as StoredEvent
      stands = evolve(stands ?? initial, shaped<ScoreEvent>(event), momentOf(event))
      if (slices.due) await slices.yield()
    }
    const best = isBanned ? null : (stands?.best ?? null)
    const id = state.rules.unique ? (stands?.first?.id ?? '') : (best?.id ?? '')
    const member = best === null ? null : memberOf(best, id, state.rules)
    marks.push({ time, state, member, score: best?.score ?? null })
  }
  return marks
}
