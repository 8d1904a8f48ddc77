// Routes to submit, list, read and delete scores. They translate HTTP; what the calls do is in
// commands/submit-score.ts and delete-score.ts, queries/scores/list.ts and read-score.ts, and
// queries/past/list-scores.ts.

import { cachedOrRead } from '../../access/statuses.ts'
import { deleteScore } from '../../commands/delete-score.ts'
import { submitScore, unknownPlayer } from '../../commands/submit-score.ts'
import { Refusal } from '../../domain/decider.ts'
import { bannedRefusal, isBanned } from '../../domain/player.ts'
import type { RankedBoard } from '../../queries/leaderboard.ts'
import { listScoresAsOf } from '../../queries/past/list-scores.ts'
import { rankedAnswer, scoreAnswer, seasonRowAnswer } from '../../queries/scores/entry.ts'
import type { ScoresPage } from '../../queries/scores/query.ts'
import { readScore } from '../../queries/scores/read-score.ts'
import type { TextPage } from '../../queries/scores/text-pages.ts'
import { findSeason } from '../../queries/seasons.ts'
import type { PlayerStatus } from '../../stores/contract/revocations.ts'
import { fields, pastInstant } from '../fields.ts'
import { type Caller, JsonText, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownBoard } from './own.ts'
import { instantOf } from './past.ts'
import { readCaller } from './read-caller.ts'
import { contentFrom, newScore, scoreShape, scoresShape, submittedShape } from './score-fields.ts'
import { queryOf, refuseConflicts, scoresQuery } from './scores-query.ts'
import { deletedShape } from './shapes.ts'

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
    refusals: [
      'conflicting_parameters',
      'no_seasons',
      'season_not_found',
      'rankings_filling',
      'reads_busy',
      'board_too_large',
    ],
    async handle(call) {
      const { caller, params, query, context } = call
      refuseConflicts(query)
      const whole = await ownBoard(deps, caller, params.leaderboard ?? '')
      const { season } = query
      const board = season === undefined ? whole : await findSeason(deps.queries, whole, season, context.nowMs)
      const requested = queryOf(query)
      const found = await (query.as_of === undefined
        ? deps.listScores(board, requested, deps.reads.of(readCaller(call)))
        : listScoresAsOf(deps, whole, requested, instantOf(call, query.as_of)))
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
      'total_out_of_range',
    ],
    async handle({ caller, params, body, context }) {
      checkMaySubmitFor(caller, params.leaderboard ?? '', body.player)
      const board = await ownBoard(deps, caller, params.leaderboard ?? '', context.repeated)
      const player = body.player ?? signedIn(caller)
      const submission = {
        board,
        player,
        checkMayPlay:
          player === caller.player
            ? null
            : async () => (await readMayPlay(deps, caller, [player], context.nowMs))(player),
        content: () => contentFrom(body),
      }
      const recorded = await submitScore(deps, submission, context)
      const { entry, rank, improved, submitted, season, written, replayed } = recorded
      const answer = Object.assign(
        scoreAnswer(entry),
        { rank, improved, submitted },
        season !== undefined && { season },
      )
      return { status: statusOf(submitted), body: answer, written, hasWaited: true, replayed }
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
      const instant = query.as_of === undefined ? null : instantOf(call, query.as_of)
      return { status: 200, body: scoreAnswer(await readScore(deps, params.score ?? '', caller.game, instant)) }
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
      const { id, ...recorded } = await deleteScore(deps, params.score ?? '', caller.game, context)
      return { status: 200, body: { deleted: id }, ...recorded }
    },
  })

/** 201 for a new entry. */
export const statusOf = (submitted: string | null): 200 | 201 => (submitted === null ? 200 : 201)

/** Submitting for another player than the signed-in one requires `submit_for`. */
function checkMaySubmitFor(caller: Caller, board: string, named: string | undefined): void {
  if (named !== undefined && named !== caller.player) checkSubmitFor(caller, board)
}

/** Throws 403 `permission_needed`. */
export function checkSubmitFor(caller: Caller, board: string): void {
  if (caller.may('submit_for') || caller.may(`lb:${board}:submit_for`)) return
  throw new Refusal('forbidden', 'permission_needed', 'Submitting for another player needs submit_for.', {
    needed: 'submit_for',
  })
}

function signedIn({ player }: Caller): string {
  if (player !== null) return player
  throw new Refusal('unprocessable', 'player_required', 'Sign a player in, or name one in `player`.')
}

/**
 * Reads whether players may play. The result throws 422 `unknown_player` and 403 `player_banned` for one of them. The
 * caller's own player was checked at authentication.
 */
export async function readMayPlay(
  { statuses }: Pick<RouteDeps, 'statuses'>,
  { key, player: own }: Caller,
  players: readonly string[],
  nowMs: number,
): Promise<(player: string) => void> {
  const others = players.filter((player) => player !== own)
  const identities = others.map((player) => ({ key, session: null, player }))
  const found = await cachedOrRead(statuses, identities)
  const statusBy = new Map(others.map((player, nth) => [player, found[nth]?.player ?? null]))
  return (player) => {
    if (player !== own) refuseNotPlaying(statusBy.get(player) ?? null, nowMs)
  }
}

function refuseNotPlaying(status: PlayerStatus | null, nowMs: number): void {
  if (status === null || status.deleted) throw unknownPlayer()
  if (isBanned(status.banned, nowMs)) throw bannedRefusal(status.banned)
}

// The answer with a page of scores.

function scoresAnswer(board: RankedBoard, pageLimit: number, page: TextPage | ScoresPage): object {
  return 'rows' in page ? rowsAnswer(board, pageLimit, page) : textAnswer(board, pageLimit, page)
}

function rowsAnswer(board: RankedBoard, pageLimit: number, page: ScoresPage): object {
  const { rows, count, offset, own, finalRanks } = page
  const ownRow = own && { rank: own.rank, id: own.entry.id }
  const scores =
    finalRanks === undefined
      ? rows.map(rankedAnswer)
      : rows.map((row, i) => seasonRowAnswer(row, finalRanks[i] ?? null))
  return pageAnswer(board, pageLimit, { count, offset, own: ownRow }, scores)
}

/** The same with the JSON of the rows, which is put in place of an empty list. */
function textAnswer(board: RankedBoard, pageLimit: number, page: TextPage): JsonText {
  const empty = JSON.stringify(pageAnswer(board, pageLimit, page, []))
  return new JsonText(empty.replace('"scores":[]', () => `"scores":${page.scores}`))
}

function pageAnswer(
  board: RankedBoard,
  pageLimit: number,
  { count, offset, own }: Omit<TextPage, 'scores'>,
  scores: readonly object[],
) {
  // An `around` of a player without an entry has no page that another one could follow.
  const next = own === null ? null : offset + pageLimit
  return {
    leaderboard: board.id,
    count,
    offset,
    limit: pageLimit,
    next_offset: next !== null && next < count ? next : null,
    ...(board.season !== undefined && { season: board.season }),
    scores,
    ...(own === undefined ? {} : { player_rank: own?.rank ?? null, player_score: own?.id ?? null }),
  }
}
