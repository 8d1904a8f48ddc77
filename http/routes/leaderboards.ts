// Leaderboards: made, listed, read, described, archived.

import { z } from 'zod'
import { archive, makeLeaderboard, setLeaderboard } from '../../commands/leaderboard.ts'
import { compareDecimals, type Decimal } from '../../domain/decimal.ts'
import type { Leaderboard } from '../../domain/leaderboard.ts'
import { listAnswer } from '../../queries/deps.ts'
import { boardAnswer, listBoards } from '../../queries/leaderboard.ts'
import { decimal, description, fields, inOrder, name, paging } from '../fields.ts'
import { checkIfMatch, etagOf } from '../pipeline/etag.ts'
import { type Route, route } from '../route.ts'
import { ownBoard, ownGame, type RouteDeps } from './deps.ts'
import { deletedShape, leaderboardShape, leaderboardsShape } from './shapes.ts'

const ordering = z.enum(['desc', 'asc'], 'must be desc (highest first) or asc (lowest first)')

const rules = {
  secondary_ordering: ordering.optional(),
  unique: z.boolean('must be true (one entry per player, their best) or false').optional(),
  min_score: decimal.nullable().optional(),
  max_score: decimal.nullable().optional(),
}
/** What the rules left out are is not known here: the domain looks at all of them together. */
const boundsInOrder = inOrder(
  'min_score',
  'max_score',
  (least: Decimal, most: Decimal) => compareDecimals(least, most) > 0,
)
const newLeaderboard = fields({ name, description: description.optional(), ordering, ...rules }).superRefine(
  boundsInOrder,
)
const change = fields({
  name: name.optional(),
  description: description.optional(),
  ordering: ordering.optional(),
  ...rules,
}).superRefine(boundsInOrder)

export function leaderboardRoutes(deps: RouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/gm/:game/lb/',
      summary: 'Make a leaderboard',
      needs: { permission: 'gm:{game}:boards' },
      tenantOnly: true,
      records: true,
      body: newLeaderboard,
      answers: { 201: leaderboardShape },
      async handle({ caller, params, body, intent }) {
        const { id: game } = await ownGame(deps, caller, params.game ?? '')
        const data = { name: body.name, description: body.description ?? '', rules: newRules(body) }
        const { id, handled } = await makeLeaderboard(deps.commands, game, data, intent)
        const state = handled.after as Leaderboard
        const answer = await boardAnswer(deps.queries, { id, game, generation: 1, state })
        return { status: 201, body: answer, written: handled.written, replayed: handled.replayed }
      },
    }),
    route({
      method: 'GET',
      path: '/api/gm/:game/lb/',
      summary: 'List leaderboards',
      needs: { permission: 'gm:{game}:boards' },
      tenantOnly: true,
      records: false,
      query: paging,
      answers: { 200: leaderboardsShape },
      async handle({ caller, params, query }) {
        const { id: game } = await ownGame(deps, caller, params.game ?? '')
        const page = await listBoards(deps.queries, game, query)
        const rows = await Promise.all(page.rows.map((board) => boardAnswer(deps.queries, board)))
        return { status: 200, body: listAnswer('leaderboards', { ...page, rows }, query) }
      },
    }),
    route({
      method: 'GET',
      path: '/api/lb/:leaderboard/',
      summary: 'Read a leaderboard',
      needs: { permission: 'lb:{leaderboard}:details' },
      tenantOnly: false,
      records: false,
      answers: { 200: leaderboardShape },
      async handle({ caller, params }) {
        const board = await ownBoard(deps, caller, params.leaderboard ?? '')
        const body = await boardAnswer(deps.queries, board)
        return { status: 200, body, headers: { ETag: boardTag(board.state) } }
      },
    }),
    route({
      method: 'PUT',
      path: '/api/lb/:leaderboard/',
      summary: 'Change name and description; what is left out stays',
      needs: { permission: 'lb:{leaderboard}:configure' },
      tenantOnly: true,
      records: true,
      body: change,
      answers: { 200: leaderboardShape },
      refusals: ['precondition_failed', 'rules_change_unavailable'],
      async handle({ caller, params, body, ifMatch, intent }) {
        const board = await ownBoard(deps, caller, params.leaderboard ?? '', intent.repeated)
        const expect = (state: Leaderboard) => checkIfMatch(ifMatch, boardTag(state))
        const wanted = { name: body.name, description: body.description, rules: changedRules(body) }
        const place = { board: board.id, game: board.game }
        const handled = await setLeaderboard(deps.commands, place, wanted, expect, intent)
        const state = handled.after as Leaderboard
        const answer = await boardAnswer(deps.queries, { ...board, state })
        const { written, replayed, stands } = handled
        const headers = { ETag: boardTag(state) }
        return { status: 200, body: answer, headers, written, stood: stands?.at, replayed }
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/lb/:leaderboard/',
      summary: 'Archive a leaderboard: it is gone from every answer, its history stays',
      needs: { permission: 'lb:{leaderboard}:configure' },
      tenantOnly: true,
      records: true,
      answers: { 200: deletedShape },
      async handle({ caller, params, intent }) {
        if (intent.repeated) return { status: 200, body: { deleted: params.leaderboard }, replayed: true }
        const { id, game } = await ownBoard(deps, caller, params.leaderboard ?? '')
        const { written, replayed, stands } = await archive(deps.commands, id, game, intent)
        return { status: 200, body: { deleted: id }, written, stood: stands?.at, replayed }
      },
    }),
  ]
}

function newRules(body: z.output<typeof newLeaderboard>) {
  return {
    ordering: body.ordering,
    secondaryOrdering: body.secondary_ordering ?? 'desc',
    unique: body.unique ?? true,
    minScore: body.min_score ?? null,
    maxScore: body.max_score ?? null,
  }
}

function changedRules(body: z.output<typeof change>) {
  return {
    ordering: body.ordering,
    secondaryOrdering: body.secondary_ordering,
    unique: body.unique,
    minScore: body.min_score,
    maxScore: body.max_score,
  }
}

/** What a tenant changes, and not the count of entries, which others change. */
function boardTag({ name, description, rules }: Leaderboard): string {
  return etagOf({ name, description, rules })
}
