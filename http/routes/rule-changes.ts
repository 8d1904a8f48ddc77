// Recomputing a leaderboard's entries: a preview under other rules, and the rule change that applies them.

import { z } from 'zod'
import { cancel, rebuildEntries } from '../../commands/leaderboard.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Leaderboard, rulesAfterChange } from '../../domain/leaderboard.ts'
import { checkSchedule } from '../../domain/season-schedule.ts'
import { ruleChangeAnswer } from '../../queries/rule-change.ts'
import { fields, givenOffset, wholeNumber } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { changedRules, checkRecut, previewedChange, refuseRecut, scheduleFrom } from './leaderboards.ts'
import { ownBoard } from './own.ts'
import { readCaller } from './read-caller.ts'
import { previewShape, rebuildShape } from './shapes.ts'

const LIMIT_DEFAULT = 20

/** With one of them the answer also has `movers`. */
const previewQuery = fields({
  limit: wholeNumber(
    1,
    100,
    'Adds a page of this many players that move. Default: 20, if `offset` is sent.',
  ).optional(),
  offset: givenOffset,
  summary: z
    .literal('1', 'must be 1, or be left out')
    .optional()
    .meta({ description: 'Adds how many players move, enter and leave, and the first three before and after.' }),
})

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'previews'>

export function ruleChangeRoutes(deps: Deps): Route[] {
  return [previewRulesRoute(deps), getRuleChangeRoute(deps), recomputeRoute(deps), cancelRuleChangeRoute(deps)]
}

const previewRulesRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/lb/:leaderboard/preview/',
    summary: 'Preview the leaderboard under other rules; changes nothing',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: false,
    query: previewQuery,
    body: previewedChange,
    answers: { 200: previewShape },
    refusals: ['reads_busy', 'board_too_large', 'season_too_short', 'recut_needed', 'recut_unavailable'],
    async handle(call) {
      const { caller, params, body, query } = call
      const rules = changedRules(body)
      checkRecut(body, rules)
      const seasons = body.seasons === undefined ? undefined : scheduleFrom(body.seasons, call.context)
      const { limit = LIMIT_DEFAULT, offset = 0 } = query
      const summary = query.summary !== undefined
      const paging = query.limit === undefined && query.offset === undefined ? null : { limit, offset }
      const presentBoard = async () => {
        const board = await ownBoard(deps, caller, params.leaderboard ?? '')
        refuseRecut(body)
        const after = rulesAfterChange(board.state, { rules, seasons })
        if (seasons?.schedule) checkSchedule(seasons.schedule)
        return { board, rules: after, paging, summary, requiredPosition: call.requiredPosition() }
      }
      return { status: 200, body: await deps.previews(readCaller(call), presentBoard) }
    },
  })

const getRuleChangeRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/lb/:leaderboard/rebuild/',
    summary: 'Read the progress of the running or last rebuild',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: false,
    answers: { 200: rebuildShape },
    refusals: ['rebuild_not_found'],
    async handle({ caller, params }) {
      const { id, state } = await ownBoard(deps, caller, params.leaderboard ?? '')
      return { status: 200, body: await answerOf(deps, id, state) }
    },
  })

const recomputeRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/lb/:leaderboard/rebuild/',
    summary: 'Recompute all entries from the log under the current rules',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: true,
    answers: { 202: rebuildShape },
    refusals: ['rebuild_running'],
    async handle({ caller, params, context }) {
      const { id, game } = await ownBoard(deps, caller, params.leaderboard ?? '', context.repeated)
      const { after, written, replayed, current } = await rebuildEntries(deps.commands, { board: id, game }, context)
      const body = await answerOf(deps, id, after as Leaderboard)
      return { status: 202, body, written, unchangedAt: current?.at, replayed }
    },
  })

const cancelRuleChangeRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/lb/:leaderboard/rebuild/',
    summary: 'Cancel the running rebuild of a leaderboard',
    needs: { permission: 'lb:{leaderboard}:configure' },
    tenantOnly: true,
    records: true,
    answers: { 200: rebuildShape },
    refusals: ['rebuild_not_found'],
    async handle({ caller, params, context }) {
      const { id, game } = await ownBoard(deps, caller, params.leaderboard ?? '', context.repeated)
      const { after, written, replayed, current } = await cancel(deps.commands, { board: id, game }, context)
      const body = await answerOf(deps, id, after as Leaderboard)
      return { status: 200, body, written, unchangedAt: current?.at, replayed }
    },
  })

async function answerOf(deps: Deps, board: string, state: Pick<Leaderboard, 'rebuild'>) {
  const answer = await ruleChangeAnswer(deps.queries, board, state)
  if (answer !== null) return answer
  throw new Refusal('not_found', 'rebuild_not_found', 'This leaderboard was never rebuilt.')
}
