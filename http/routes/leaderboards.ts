// Routes to create, list, read, change and archive leaderboards.

import { z } from 'zod'
import { archive, makeLeaderboard, setLeaderboard } from '../../commands/leaderboard.ts'
import { namesRules, type RulesChange, rulesOf } from '../../domain/board-rules.ts'
import { Refusal } from '../../domain/decider.ts'
import { compareDecimals, type Decimal } from '../../domain/decimal.ts'
import type { Leaderboard } from '../../domain/leaderboard.ts'
import { running } from '../../domain/rule-change.ts'
import type { SeasonSchedule } from '../../domain/season-schedule.ts'
import { listAnswer } from '../../queries/deps.ts'
import { boardAnswer, listBoards } from '../../queries/leaderboard.ts'
import { existingPastBoard } from '../../queries/past/list-scores.ts'
import { listSeasons, nextSeason } from '../../queries/seasons.ts'
import { boardKey, decimal, description, fields, inOrder, name, nullAsLeftOut, paging, pastInstant } from '../fields.ts'
import { checkIfMatch, etagOf } from '../pipeline/etag.ts'
import { malformed } from '../problem.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { keep, ordering } from './enumerations.ts'
import { ownBoard, ownGame } from './own.ts'
import { instantOf } from './past.ts'
import {
  deletedShape,
  leaderboardShape,
  leaderboardsShape,
  ruleChangeShape,
  seasonSchedule,
  seasonsShape,
} from './shapes.ts'

const unique = z
  .boolean('must be true (one entry per player) or false (one entry per submission)')
  .meta({ description: 'True: one entry per player, see `keep`. False: one entry per submission.' })
const kept = keep.meta({
  description:
    'What the entry of a player shows on a unique leaderboard: their best submission, the latest one, or the sum of all. Only `best` ' +
    'where each submission is an entry.',
})
const secondaryOrdering = ordering.meta({
  description: 'The same for secondary scores, which decide between equal scores.',
})
const lowest = { description: 'The lowest score that is accepted. Null: no bound.' }
const highest = { description: 'The highest score that is accepted. Null: no bound.' }
/** Null removes a bound. */
const bounds = {
  min_score: decimal.nullable().optional().meta(lowest),
  max_score: decimal.nullable().optional().meta(highest),
}
const KEY_IS = 'Callers may send it in place of the id. No two leaderboards of a game have the same one.'
/** Most seasons that a call names. */
const RECOMPUTED_MAX = 1_000
const NOT_AVAILABLE = 'Not available yet: 422 `recut_unavailable`.'
const recut = z.literal(true, 'must be true, or left out').meta({ description: NOT_AVAILABLE })
const recompute = z
  .union(
    [z.literal('all'), z.array(z.int().positive()).min(1).max(RECOMPUTED_MAX)],
    'must be all, or numbers of seasons',
  )
  .meta({ description: NOT_AVAILABLE })
const seasons = seasonSchedule.nullable().optional().meta({
  description:
    'Another schedule ends the open season and begins the next one. Null: no season follows the open one, which ends now.',
})
/** Checks only bounds that are sent together; the domain checks them against the current rules. */
const boundsInOrder = inOrder('min_score', 'max_score', (min: Decimal, max: Decimal) => compareDecimals(min, max) > 0)
const key = boardKey.nullable().optional()
const newLeaderboard = fields({
  name,
  description: nullAsLeftOut(description),
  ordering,
  secondary_ordering: nullAsLeftOut(secondaryOrdering),
  unique: nullAsLeftOut(unique),
  min_score: nullAsLeftOut(decimal).meta(lowest),
  max_score: nullAsLeftOut(decimal).meta(highest),
  key: nullAsLeftOut(boardKey).meta({ description: `${KEY_IS} Default: none.` }),
  keep: nullAsLeftOut(kept),
  seasons: nullAsLeftOut(seasonSchedule).meta({ description: 'The schedule of its seasons. Default: it has none.' }),
}).superRefine(boundsInOrder)
export const boardChange = fields({
  name: name.optional(),
  description: description.optional(),
  ordering: ordering.optional(),
  secondary_ordering: secondaryOrdering.optional(),
  unique: unique.optional(),
  ...bounds,
  key: key.meta({ description: `${KEY_IS} Null: it has no key any longer.` }),
  keep: kept.optional(),
  seasons,
  recut: recut.optional(),
  recompute: recompute.optional(),
})
  .superRefine(boundsInOrder)
  .meta({ id: 'LeaderboardChange' })
/** The same in a POST. */
export const previewedChange = fields({
  name: nullAsLeftOut(name),
  description: nullAsLeftOut(description),
  ordering: nullAsLeftOut(ordering),
  secondary_ordering: nullAsLeftOut(secondaryOrdering),
  unique: nullAsLeftOut(unique),
  ...bounds,
  key: key.meta({ description: `${KEY_IS} Null: it has no key any longer.` }),
  keep: nullAsLeftOut(kept),
  seasons,
  recut: nullAsLeftOut(recut),
  recompute: nullAsLeftOut(recompute),
})
  .superRefine(boundsInOrder)
  .meta({ id: 'PreviewedChange' })

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'past'>

export function leaderboardRoutes(deps: Deps): Route[] {
  return [
    createLeaderboardRoute(deps),
    listLeaderboardsRoute(deps),
    getLeaderboardRoute(deps),
    updateLeaderboardRoute(deps),
    archiveLeaderboardRoute(deps),
    listSeasonsRoute(deps),
  ]
}

const createLeaderboardRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/lb/',
    summary: 'Create a leaderboard',
    needs: { permission: 'gm:{game}:boards' },
    tenantOnly: true,
    records: true,
    body: newLeaderboard,
    answers: { 201: leaderboardShape },
    refusals: ['leaderboard_key_taken', 'too_many_leaderboards', 'season_too_short'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const rules = newRules(body)
      const seasons = body.seasons === undefined ? undefined : scheduleFrom(body.seasons, context)
      const data = { name: body.name, description: body.description ?? '', key: body.key, rules, seasons }
      const { id, handled } = await makeLeaderboard(deps.commands, game, data, context)
      const state = handled.after as Leaderboard
      const answer = await boardAnswer(deps.queries, { id, game, generation: 1, state })
      return { status: 201, body: answer, written: handled.written, replayed: handled.replayed }
    },
  })

const listLeaderboardsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/lb/',
    summary: 'List leaderboards',
    needs: { permission: 'gm:{game}:boards' },
    tenantOnly: false,
    records: false,
    query: paging,
    answers: { 200: leaderboardsShape },
    async handle({ caller, params, query }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const page = await listBoards(deps.queries, game, query)
      const rows = await Promise.all(page.rows.map((board) => boardAnswer(deps.queries, board)))
      return { status: 200, body: listAnswer('leaderboards', { ...page, rows }, query) }
    },
  })

const getLeaderboardRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/lb/:leaderboard/',
    summary: 'Read a leaderboard',
    needs: { permission: 'lb:{leaderboard}:details' },
    tenantOnly: false,
    records: false,
    query: fields({ as_of: pastInstant.optional() }),
    answers: { 200: leaderboardShape },
    refusals: ['reads_busy', 'board_too_large'],
    async handle(call) {
      const { caller, params, query } = call
      const board = await ownBoard(deps, caller, params.leaderboard ?? '')
      if (query.as_of !== undefined) {
        const past = await existingPastBoard(deps.past, board, instantOf(call, query.as_of))
        return { status: 200, body: await boardAnswer(deps.queries, past.board, past.fold.ranked.size) }
      }
      const body = await boardAnswer(deps.queries, board)
      return { status: 200, body, headers: { ETag: boardTag(board.state) } }
    },
  })

const listSeasonsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/lb/:leaderboard/seasons/',
    summary: 'List the seasons of a leaderboard',
    needs: { permission: 'lb:{leaderboard}:scores' },
    tenantOnly: false,
    records: false,
    query: paging,
    answers: { 200: seasonsShape },
    async handle({ caller, params, query }) {
      const board = await ownBoard(deps, caller, params.leaderboard ?? '')
      return { status: 200, body: listAnswer('seasons', await listSeasons(deps.queries, board, query), query) }
    },
  })

const updateLeaderboardRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/lb/:leaderboard/',
    summary: 'Change a leaderboard’s name, key, seasons and rules',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: true,
    body: boardChange,
    answers: { 200: leaderboardShape, 202: ruleChangeShape },
    refusals: [
      'precondition_failed',
      'rebuild_running',
      'leaderboard_key_taken',
      'season_too_short',
      'recut_needed',
      'recut_unavailable',
    ],
    async handle({ caller, params, body, ifMatch, context }) {
      const rules = changedRules(body)
      checkRecut(body, rules)
      const board = await ownBoard(deps, caller, params.leaderboard ?? '', context.repeated)
      refuseRecut(body)
      const expect = (state: Leaderboard) => checkIfMatch(ifMatch, boardTag(state))
      const wanted = {
        name: body.name,
        description: body.description,
        key: body.key,
        rules: namesRules(rules) ? rules : undefined,
        seasons:
          body.seasons === undefined
            ? undefined
            : { ...scheduleFrom(body.seasons, context), next: await nextSeason(deps.queries, board.id) },
      }
      const ref = { board: board.id, game: board.game }
      const handled = await setLeaderboard(deps.commands, ref, { change: wanted, expect }, context)
      const state = handled.after as Leaderboard
      const { written, replayed, current } = handled
      const rest = { headers: { ETag: boardTag(state) }, written, unchangedAt: current?.at, replayed }
      const coming = namesRules(rules) ? running(state) : null
      if (coming === null) {
        return { status: 200, body: await boardAnswer(deps.queries, { ...board, state }), ...rest }
      }
      const changed = { ...board, state: { ...state, rules: coming.rules } }
      const leaderboard = await boardAnswer(deps.queries, changed)
      return { status: 202, body: { rebuild: coming.id, leaderboard }, ...rest }
    },
  })

const archiveLeaderboardRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/lb/:leaderboard/',
    summary: 'Archive a leaderboard',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: true,
    answers: { 200: deletedShape },
    async handle({ caller, params, context }) {
      if (context.repeated) return { status: 200, body: { deleted: params.leaderboard }, replayed: true }
      const { id, game } = await ownBoard(deps, caller, params.leaderboard ?? '')
      const { written, replayed, current } = await archive(deps.commands, id, game, context)
      return { status: 200, body: { deleted: id }, written, unchangedAt: current?.at, replayed }
    },
  })

function newRules(body: z.output<typeof newLeaderboard>) {
  return rulesOf({
    ordering: body.ordering,
    secondaryOrdering: body.secondary_ordering ?? 'desc',
    unique: body.unique ?? true,
    minScore: body.min_score ?? null,
    maxScore: body.max_score ?? null,
    keep: body.keep ?? 'best',
  })
}

export function changedRules(body: z.output<typeof boardChange>) {
  return {
    ordering: body.ordering,
    secondaryOrdering: body.secondary_ordering,
    unique: body.unique,
    minScore: body.min_score,
    maxScore: body.max_score,
    keep: body.keep,
  }
}

type SentSchedule = z.output<typeof seasonSchedule>

export function scheduleFrom<Sent extends SentSchedule | null>(sent: Sent, { nowMs }: { readonly nowMs: number }) {
  const schedule = (sent && { cron: sent.cron, timeZone: sent.time_zone }) as Sent extends null
    ? SeasonSchedule | null
    : SeasonSchedule
  return { schedule, fromMs: nowMs }
}

type SentRecut = Pick<z.output<typeof boardChange>, 'seasons' | 'recut' | 'recompute'>

/** Throws 400 if `recut` or `recompute` lacks what it needs, or has what it cannot be combined with. */
export function checkRecut({ seasons, recut, recompute }: SentRecut, rules: RulesChange): void {
  if (recut !== undefined && (seasons === undefined || seasons === null)) {
    throw malformed([
      { pointer: '/recut', detail: 'needs a schedule in `seasons`. It is not available yet: leave it out' },
    ])
  }
  if (recompute !== undefined && (seasons !== undefined || !namesRules(rules))) {
    throw malformed([
      { pointer: '/recompute', detail: 'needs other rules, and no seasons. It is not available yet: leave it out' },
    ])
  }
}

/** Throws 422 `recut_unavailable` for a call that would number or rank past seasons again. */
export function refuseRecut({ recut, recompute }: SentRecut): void {
  if (recut === undefined && recompute === undefined) return
  const detail = 'Past seasons cannot be numbered or ranked again yet. Leave out recut and recompute.'
  throw new Refusal('unprocessable', 'recut_unavailable', detail)
}

/** ETag of the fields that a tenant sets, without the number of entries. */
function boardTag({ name, description, key, rules, seasons }: Leaderboard): string {
  const schedule = seasons?.schedule ?? null
  return etagOf({ name, description, rules, ...(key !== null && { key }), ...(schedule !== null && { schedule }) })
}
