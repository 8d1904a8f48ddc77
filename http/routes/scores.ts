// Routes to submit, list, read and delete scores.

import { remove, type Submitted, submit, type Target, underRulesInForce } from '../../commands/score.ts'
import { Refusal } from '../../domain/decider.ts'
import type { AsOf } from '../../queries/deps.ts'
import { type Board, findBoard } from '../../queries/leaderboard.ts'
import type { Instant } from '../../queries/past/deps.ts'
import { pastReader } from '../../queries/past/reader.ts'
import { scoreAsOf } from '../../queries/past/score.ts'
import { scoreAnswer } from '../../queries/scores/entry.ts'
import { listRows } from '../../queries/scores/list.ts'
import { findScore, rankOf } from '../../queries/scores/one.ts'
import type { ScoresPage, ScoresQuery } from '../../queries/scores/query.ts'
import { decimal, fields, freeJson, idText, name, pastInstant } from '../fields.ts'
import { BEHIND_AFTER_MS } from '../pipeline/consistency.ts'
import { type Caller, type Route, route } from '../route.ts'
import { ownBoard, type RouteDeps } from './deps.ts'
import { extraText } from './extra-data.ts'
import { instantOf, pastBoard } from './past.ts'
import { readCaller } from './read-caller.ts'
import { checkMayPlay, isHidden, ownPlayer } from './scorer.ts'
import { scoresAnswer } from './scores-answer.ts'
import { queryOf, refuseConflicts, scoresQuery } from './scores-query.ts'
import { deletedShape, scoreShape, scoresShape, submittedShape } from './shapes.ts'

const newScore = fields({
  score: decimal.meta({ description: 'The score as a decimal string, so that no precision is lost.' }),
  // Omitted and null mean the same, also when the call is repeated.
  secondary_score: decimal
    .nullable()
    .default(null)
    .meta({ description: 'Decides between equal scores. Null: none, which ranks after all others.' }),
  extra_data: freeJson
    .default(null)
    .meta({ description: 'Any JSON of at most 8 KiB, shown with the entry. Null: none.' }),
  player_name: name
    .nullable()
    .default(null)
    .meta({ description: 'Shown with this entry instead of the player’s name. Null: the player’s name.' }),
  player: idText.optional().meta({
    description: 'The player who gets the score. Default: the player of the token. Another needs `submit_for`.',
  }),
})

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'statuses' | 'waitForProjection' | 'past' | 'reads' | 'listScores'>

export function scoreRoutes(deps: Deps): Route[] {
  return [listScoresRoute(deps), submitScoreRoute(deps), getScoreRoute(deps), deleteScoreRoute(deps)]
}

const listScoresRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/lb/:leaderboard/score/',
    summary: 'List scores with their ranks',
    needs: { permission: 'lb:{leaderboard}:scores' },
    tenantOnly: false,
    records: false,
    query: scoresQuery,
    answers: { 200: scoresShape },
    refusals: ['conflicting_parameters', 'rankings_filling', 'reads_busy', 'board_too_large'],
    async handle(call) {
      const { caller, params, query } = call
      refuseConflicts(query)
      const board = await ownBoard(deps, caller, params.leaderboard ?? '')
      const requested = queryOf(query)
      const found = await (query.as_of === undefined
        ? deps.listScores(board, requested, deps.reads.of(readCaller(call)))
        : listPast(deps, board, requested, instantOf(call, query.as_of)))
      return { status: 200, body: scoresAnswer(board, query.limit, found) }
    },
  })

const submitScoreRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/lb/:leaderboard/score/',
    summary: 'Submit a score',
    needs: { permission: 'lb:{leaderboard}:submit' },
    tenantOnly: false,
    records: true,
    recordsFor: ({ player }, body) => (body.player === undefined || body.player === player ? player : null),
    body: newScore,
    answers: { 200: submittedShape, 201: submittedShape },
    refusals: [
      'player_required',
      'unknown_player',
      'extra_data_too_large',
      'score_below_minimum',
      'score_above_maximum',
    ],
    async handle({ caller, params, body, context }) {
      checkMaySubmitFor(caller, params.leaderboard ?? '', body.player)
      const board = await ownBoard(deps, caller, params.leaderboard ?? '', context.repeated)
      const player = body.player ?? signedIn(caller)
      const { name: presentName } = await ownPlayer(deps, board, player)
      if (player !== caller.player) await checkMayPlay(deps, caller, player, context.nowMs)
      const target = targetOf(board, player)
      const score = {
        score: body.score,
        secondary: body.secondary_score,
        extra: extraText(body.extra_data),
        playerName: body.player_name,
      }
      const recorded = await submit(deps.commands, target, score, context)
      const { written, replayed } = recorded
      // After this time the recorded submission is answered anyway.
      const isVisible = await deps.waitForProjection(written, BEHIND_AFTER_MS)
      const asOf = isVisible && !replayed ? 'waited' : 'now'
      const judged = await underRules(deps, board, target, { ...recorded, isVisible, asOf })
      const { best, improved, submitted, under } = judged
      const entry = {
        id: best.entry,
        player,
        name: best.playerName ?? presentName,
        score: best.score,
        secondary: best.secondary,
        extra: best.extra,
        added: best.added,
        updated: best.time,
      }
      const [present, isOut] = await Promise.all([rankOf(deps.queries, under, entry), isHidden(deps, player, asOf)])
      const rank = isOut ? null : present
      const answer = Object.assign(scoreAnswer(entry), { rank, improved, submitted })
      return { status: submitted === null ? 200 : 201, body: answer, written, hasWaited: true, replayed }
    },
  })

const getScoreRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/score/:score/',
    summary: 'Read a score',
    needs: { permission: 'score:{score}:details' },
    tenantOnly: false,
    records: false,
    query: fields({ as_of: pastInstant.optional() }),
    answers: { 200: scoreShape },
    refusals: ['reads_busy', 'board_too_large'],
    async handle(call) {
      const { caller, params, query } = call
      if (query.as_of !== undefined) {
        const found = await scoreAsOf(deps.past, params.score ?? '', caller.game, instantOf(call, query.as_of))
        if (found === null) throw noSuchScore()
        return { status: 200, body: scoreAnswer(found) }
      }
      const { entry } = await ownScore(deps, caller, params.score ?? '')
      return { status: 200, body: scoreAnswer(entry) }
    },
  })

const deleteScoreRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/score/:score/',
    summary: 'Delete a score from its leaderboard',
    needs: { permission: 'score:{score}:delete' },
    tenantOnly: true,
    records: true,
    answers: { 200: deletedShape },
    async handle({ caller, params, context }) {
      if (context.repeated) return { status: 200, body: { deleted: params.score }, replayed: true }
      const { entry, board } = await ownScore(deps, caller, params.score ?? '', true)
      const target = targetOf(board, entry.player)
      const { written, replayed, current } = await remove(deps.commands, target, entry.id, context)
      return { status: 200, body: { deleted: entry.id }, written, unchangedAt: current?.at, replayed }
    },
  })

const targetOf = (board: Board, player: string): Target => ({
  game: board.game,
  board: board.id,
  rules: board.state.rules,
  since: board.state.created,
  generation: board.generation,
  player,
})

/**
 * The result under the rules in force at the submission's position in the log, with their generation of entries. Views
 * that do not show the submission may not show a change of rules before it either: the log has it.
 */
async function underRules(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  board: Board,
  target: Target,
  recorded: Submitted & { readonly isVisible: boolean; readonly asOf: AsOf },
) {
  if (recorded.replayed) return { ...recorded, under: board }
  const now = (await findBoard(deps.queries, board.id, true, recorded.asOf)) ?? board
  if (recorded.isVisible && now.generation === board.generation) return { ...recorded, under: board }
  const judged = await underRulesInForce(deps.commands, target, recorded)
  return { ...judged, under: judged.rules === target.rules ? board : now }
}

/** Submitting for another player than the signed-in one requires `submit_for`. */
function checkMaySubmitFor(caller: Caller, board: string, named: string | undefined): void {
  if (named === undefined || named === caller.player) return
  if (caller.may('submit_for') || caller.may(`lb:${board}:submit_for`)) return
  throw new Refusal('forbidden', 'permission_needed', 'Submitting for another player needs submit_for.', {
    needed: 'submit_for',
  })
}

function signedIn({ player }: Caller): string {
  if (player !== null) return player
  throw new Refusal('unprocessable', 'player_required', 'Sign a player in, or name one in `player`.')
}

/** The score in the path, of the caller's own game. Otherwise 404. */
export async function ownScore(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string, hiddenToo = false) {
  const found = await findScore(deps.queries, id, caller.game, hiddenToo)
  if (found === null) throw noSuchScore()
  return found
}

const noSuchScore = () => new Refusal('not_found', 'score_not_found', 'There is no such score.')

/** The list at an instant in the past. */
async function listPast(
  deps: Pick<RouteDeps, 'past' | 'reads'>,
  board: Board,
  requested: ScoresQuery,
  instant: Instant,
): Promise<ScoresPage> {
  const past = await pastBoard(deps, board, instant)
  const reader = pastReader(deps.past.deps, past, requested.playerName !== null, instant)
  return listRows(reader, requested, deps.reads.of(instant))
}
