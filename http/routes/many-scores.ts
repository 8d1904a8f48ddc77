// Submits many scores of a game in one call. Each is checked, recorded and answered as a single one would be; what is
// wrong with one is its own result.

import { z } from 'zod'
import type { Submitted } from '../../commands/judge-submission.ts'
import { holderOfExternalId } from '../../commands/player.ts'
import { type ReadySubmission, submitMany, type UnjudgedSubmission } from '../../commands/submit-many.ts'
import { prepareSubmission, unknownPlayer } from '../../commands/submit-score.ts'
import { Refusal } from '../../domain/decider.ts'
import { boardIdOf } from '../../queries/board-key.ts'
import { type Board, findBoard } from '../../queries/leaderboard.ts'
import { scoreAnswer } from '../../queries/scores/entry.ts'
import { fields, idText, nullAsLeftOut } from '../fields.ts'
import { validated } from '../pipeline/input.ts'
import { RefusedElement } from '../pipeline/list-json.ts'
import { permissionNeeded } from '../pipeline/permission.ts'
import { malformed, orRefusal, problemRow } from '../problem.ts'
import { type Call, type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { externalId } from './players.ts'
import { contentFrom, newScore, scoreShape, submittedShape } from './score-fields.ts'
import { checkMayPlay, checkSubmitFor, statusOf } from './scores.ts'

export const SUBMISSIONS_MAX = 500
export const MANY_MAX_BYTES = 1_048_576
/** Submissions that count as one call at the rates. */
const PER_RATE = 20

const newSubmission = fields({
  leaderboard: idText.meta({ description: 'The id or the key of the leaderboard.' }),
  ...newScore.shape,
  external_id: nullAsLeftOut(externalId).meta({
    description: 'Your own id of the player, in place of `player`. One of the two is needed.',
  }),
  idempotency_key: nullAsLeftOut(
    z.string('must be text').regex(/^[ -~]{1,255}$/, 'must be 1 to 255 printable ASCII characters'),
  ).meta({ description: 'Records this submission at most once, like the header Idempotency-Key for a single one.' }),
}).meta({ id: 'NewSubmission' })

type SentSubmission = z.output<typeof newSubmission>

const listOf = <Element extends z.ZodType>(element: Element) =>
  fields({
    submissions: z
      .array(element, 'must be a list of submissions')
      .min(1, 'must have a submission')
      .max(SUBMISSIONS_MAX, `must have at most ${SUBMISSIONS_MAX} submissions: split the list`),
  })

const recordedShape = fields({
  status: z.literal([200, 201]).meta({ type: 'integer', description: '201: a new entry.' }),
  score: scoreShape,
  rank: submittedShape.shape.rank,
  improved: submittedShape.shape.improved,
  submitted: submittedShape.shape.submitted,
}).meta({ id: 'RecordedSubmission' })

const refusedShape = fields({
  status: z.int().min(400).max(499),
  code: z.string(),
  detail: z.string(),
})
  .catchall(z.unknown())
  .meta({
    id: 'RefusedSubmission',
    description: 'With the further fields of the problem, such as `errors` or `needed`.',
  })

const manyShape = fields({ results: z.array(z.union([recordedShape, refusedShape])) }).meta({ id: 'SubmissionResults' })

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'statuses' | 'waitForProjection'>

type ManyCall = Call<undefined, { submissions: unknown[] }>

export const manyScoresRoute = (deps: Deps): Route =>
  route({
    method: 'POST',
    path: '/api/gm/:game/scores/',
    summary: 'Submit many scores',
    needs: 'token',
    tenantOnly: true,
    records: true,
    inParts: true,
    weight: ({ submissions }) => Math.ceil(submissions.length / PER_RATE),
    list: { field: 'submissions', max: SUBMISSIONS_MAX, maxBytes: MANY_MAX_BYTES, documented: listOf(newSubmission) },
    body: listOf(z.unknown()),
    answers: { 200: manyShape },
    async handle(call) {
      const { id: game } = await ownGame(deps, call.caller, call.params.game ?? '')
      const { submissions } = call.body
      // The call runs under its own key, which a submission would wait for.
      const keys = new Set([call.header('idempotency-key') ?? ''])
      const boards = new Boards(deps, game)
      const { outcomes, written } = await submitMany(
        deps,
        submissions.map((given, nth) => {
          const read = readOne(given, keys)
          return (record) => submitOne({ deps, call: call as ManyCall, game, boards }, read, nth, record)
        }),
      )
      return { status: 200, body: { results: outcomes.map(resultOf) }, written, hasWaited: true }
    },
  })

function resultOf(outcome: Awaited<ReturnType<typeof submitMany>>['outcomes'][number]): object {
  if (outcome instanceof Refusal) return problemRow(outcome)
  const { entry, rank, improved, submitted } = outcome
  return { status: statusOf(submitted), score: scoreAnswer(entry), rank, improved, submitted }
}

/** A submission as it was sent, or why it is refused. `keys`: those of the call and of the submissions before it. */
function readOne(given: unknown, keys: Set<string>): SentSubmission | Refusal {
  const sent = given instanceof RefusedElement ? given.refusal : orRefusal(() => submissionIn(given))
  if (sent instanceof Refusal || sent.idempotency_key === undefined) return sent
  const { idempotency_key: key } = sent
  if (keys.has(key)) {
    const detail = 'is the key of this call or of an earlier submission: give each its own'
    return malformed([{ pointer: '/idempotency_key', detail }], 'The submission')
  }
  keys.add(key)
  return sent
}

/** A submission of a list. Throws 400 `malformed`. */
export function submissionIn(given: unknown): SentSubmission {
  const sent = validated(newSubmission, given, 'submission')
  const { player, external_id } = sent
  if (player === undefined && external_id === undefined) {
    throw malformed([{ pointer: '/player', detail: 'is missing: give player or external_id' }], 'The submission')
  }
  if (player !== undefined && external_id !== undefined) {
    const detail = 'cannot be combined with player: leave out one of them'
    throw malformed([{ pointer: '/external_id', detail }], 'The submission')
  }
  return sent
}

interface Submitting {
  readonly deps: Deps
  readonly call: ManyCall
  readonly game: string
  readonly boards: Boards
}

async function submitOne(
  { deps, call, game, boards }: Submitting,
  read: SentSubmission | Refusal,
  nth: number,
  record: (ready: ReadySubmission) => Promise<Submitted>,
): Promise<UnjudgedSubmission> {
  if (read instanceof Refusal) throw read
  const { caller } = call
  const { idempotency_key: own, ...meaning } = read
  const board = await boards.idOf(read.leaderboard)
  checkPermissions(caller, read.leaderboard, board)
  const player = read.player ?? (await playerOf(deps, game, read.external_id ?? ''))
  const callKey = call.header('idempotency-key')
  // No key that a caller sends has a line break.
  const key = own ?? (callKey === null ? null : `${callKey}\n${nth}`)
  const part = {
    key,
    meaning: ['POST', '/api/gm/:game/scores/', game, meaning],
    player: caller.player === player ? player : null,
  }
  return call.part(part, async (context, earlier) => {
    // The key of a leaderboard may name another one since.
    const of = earlier?.board ?? board
    if (of !== board) checkPermissions(caller, read.leaderboard, of)
    const submission = {
      board: await boards.existing(of, context.repeated),
      player,
      checkMayPlay: player === caller.player ? null : () => checkMayPlay(deps, caller, player, context.nowMs),
      content: () => contentFrom(read),
    }
    const prepared = await prepareSubmission(deps.queries, submission, context)
    return { prepared, recorded: await record({ prepared, context }) }
  })
}

/** `sent`: the leaderboard as it was named. */
function checkPermissions(caller: Caller, sent: string, board: string): void {
  if (!caller.may(`lb:${board}:submit`)) throw permissionNeeded(`lb:${sent}:submit`)
  checkSubmitFor(caller, board)
}

async function playerOf({ commands }: Deps, game: string, external: string): Promise<string> {
  const holder = await holderOfExternalId(commands, game, external)
  if (holder === null) throw unknownPlayer()
  return holder.player
}

/** The leaderboards of one call, each read once. */
class Boards {
  readonly #deps: Deps
  readonly #game: string
  readonly #ids = new Map<string, Promise<string>>()
  readonly #found = new Map<string, Promise<Board | null>>()

  constructor(deps: Deps, game: string) {
    this.#deps = deps
    this.#game = game
  }

  idOf(sent: string): Promise<string> {
    return known(this.#ids, sent, () => boardIdOf(this.#deps.queries, this.#game, sent))
  }

  /** 404 `leaderboard_not_found`; an archived one too, unless the submission is repeated. */
  async existing(id: string, repeated: boolean): Promise<Board> {
    const board = await known(this.#found, id, () => findBoard(this.#deps.queries, id, true))
    if (board !== null && board.game === this.#game && (repeated || !board.state.archived)) return board
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
  }
}

function known<Value>(kept: Map<string, Value>, key: string, read: () => Value): Value {
  const found = kept.get(key)
  if (found !== undefined) return found
  const value = read()
  kept.set(key, value)
  return value
}
