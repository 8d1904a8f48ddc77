// Submits many scores of a game in one call. Each is checked, recorded and answered as a single one would be; what is
// wrong with one is its own result.

import { z } from 'zod'
import type { Identity } from '../../access/statuses.ts'
import { holderOfExternalId } from '../../commands/player.ts'
import {
  answerMany,
  type ManySubmitted,
  type ReadySubmission,
  recordMany,
  refusalIn,
  withoutRefusals,
} from '../../commands/submit-many.ts'
import { preparedSubmission, presentName, unknownPlayer } from '../../commands/submit-score.ts'
import { Refusal } from '../../domain/decider.ts'
import { boardIdOf, NO_BOARD } from '../../queries/board-key.ts'
import { type Board, findBoards } from '../../queries/leaderboard.ts'
import { findPlayers } from '../../queries/player.ts'
import { scoreAnswer } from '../../queries/scores/entry.ts'
import { allOf, allOfInSlices, Failed } from '../../runtime/all-of.ts'
import { mapInSlices, TimeSlices } from '../../runtime/time-slices.ts'
import type { PlayerStatus } from '../../stores/contract/revocations.ts'
import { fields, idText, nullAsLeftOut } from '../fields.ts'
import { validated } from '../pipeline/input.ts'
import { RefusedElement } from '../pipeline/list-json.ts'
import { permissionNeeded } from '../pipeline/permission.ts'
import { malformed, orRefusal, problemRow } from '../problem.ts'
import { type BegunPart, type Call, type Caller, JsonText, type Part, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { externalId } from './players.ts'
import { readCaller } from './read-caller.ts'
import { contentFrom, newScore, scoreShape, submittedShape } from './score-fields.ts'
import { checkSubmitFor, refuseNotPlaying, statusOf } from './scores.ts'

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
  season: submittedShape.shape.season,
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
      // The call runs under its own key, which a submission would wait for.
      const keys = new Set([call.header('idempotency-key') ?? ''])
      const slices = new TimeSlices(undefined, readCaller(call).path)
      const read = await mapInSlices(slices, call.body.submissions, (given) => readOne(given, keys))
      const own: OwnCall = { deps, call, game, slices }
      const recorded = await recordAll(own, await nameAll(own, read))
      const { outcomes, written } = await answerMany(deps, recorded, slices)
      // Each in its slice: one JSON.stringify of all would be one long turn.
      const results = await mapInSlices(slices, outcomes, (outcome) => JSON.stringify(resultOf(outcome)))
      return { status: 200, body: new JsonText(`{"results":[${results.join()}]}`), written, hasWaited: true }
    },
  })

function resultOf(outcome: ManySubmitted['outcomes'][number]): object {
  if (outcome instanceof Refusal) return problemRow(outcome)
  const { entry, rank, improved, submitted, season } = outcome
  const joined = season === undefined ? {} : { season }
  return { status: statusOf(submitted), score: scoreAnswer(entry), rank, improved, submitted, ...joined }
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

interface OwnCall {
  readonly deps: Deps
  readonly call: ManyCall
  readonly game: string
  /** Of all steps of the call. */
  readonly slices: TimeSlices
}

/** What a submission names: a leaderboard that may not exist, and a player. */
interface Named {
  readonly sent: SentSubmission
  readonly board: string
  readonly player: string
}

/** Looks up what the submissions name, once each, and checks the permissions for it. */
async function nameAll(
  { deps, call: { caller }, game, slices }: OwnCall,
  read: readonly (SentSubmission | Refusal)[],
): Promise<readonly (Named | Refusal)[]> {
  const sent = withoutRefusals(read)
  const [boards, players] = await Promise.all([
    readEach(
      sent.map(({ leaderboard }) => leaderboard),
      (name) => boardIdOf(deps.queries, game, name),
    ),
    readEach(
      sent.flatMap(({ external_id }) => external_id ?? []),
      async (external) => (await holderOfExternalId(deps.commands, game, external))?.player,
    ),
  ])
  const named = (one: SentSubmission): Named => {
    const board = boards.get(one.leaderboard) ?? NO_BOARD
    checkPermissions(caller, one.leaderboard, board)
    const player = one.player ?? players.get(one.external_id ?? '')
    if (player === undefined) throw unknownPlayer()
    return { sent: one, board, player }
  }
  return mapInSlices(slices, read, (one) => (one instanceof Refusal ? one : orRefusal(() => named(one))))
}

/** `sent`: the leaderboard as it was named. */
function checkPermissions(caller: Caller, sent: string, board: string): void {
  if (!caller.may(`lb:${board}:submit`)) throw permissionNeeded(`lb:${sent}:submit`)
  checkSubmitFor(caller, board)
}

/** Records each submission as a part of the call. */
async function recordAll(own: OwnCall, named: readonly (Named | Refusal)[]): ReturnType<typeof recordMany> {
  const begun = await beginAll(own, named)
  try {
    return await recordMany(own.deps, await prepareAll(own, begun), own.slices)
  } finally {
    await endAll(begun)
  }
}

/** A submission that runs as a part of the call until it is ended. */
interface Begun {
  readonly named: Named
  readonly part: BegunPart
}

/** Begins each submission under its key. If one of them cannot be begun or refused, none is. */
async function beginAll(own: OwnCall, named: readonly (Named | Refusal)[]): Promise<readonly (Begun | Refusal)[]> {
  const parts = await allOfInSlices(own.slices, named, (one, nth) =>
    one instanceof Refusal ? one : orRefusal(() => own.call.begin(partOf(own, one, nth))),
  )
  const begun = parts.map((part, nth): Begun | Refusal | Failed =>
    part instanceof Failed || part instanceof Refusal ? part : { named: named[nth] as Named, part },
  )
  try {
    return begun.map((one) => (one instanceof Failed ? refusalIn(one.error) : one))
  } catch (error) {
    await endAll(begun)
    throw error
  }
}

function partOf({ call, game }: OwnCall, { sent, player }: Named, nth: number): Part {
  const callKey = call.header('idempotency-key')
  const counted = call.caller.player === player ? player : null
  if (sent.idempotency_key === undefined && callKey === null) return { key: null, meaning: [], player: counted }
  const { idempotency_key: own, ...meaning } = sent
  // No key that a caller sends has a line break.
  const key = own ?? `${callKey}\n${nth}`
  return { key, meaning: ['POST', '/api/gm/:game/scores/', game, meaning], player: counted }
}

async function endAll(begun: readonly (Begun | Refusal | Failed)[]): Promise<void> {
  await allOf(begun.map((one) => ('part' in one ? one.part.end() : undefined)))
}

/** Checks leaderboards and players, each read once. */
async function prepareAll(
  { deps, call: { caller, context }, game, slices }: OwnCall,
  begun: readonly (Begun | Refusal)[],
): Promise<readonly (ReadySubmission | Refusal)[]> {
  const parts = withoutRefusals(begun)
  const players = [...new Set(parts.map(({ named }) => named.player))]
  const [boards, found, statuses] = await Promise.all([
    findBoards(deps.queries, [...new Set(parts.map(boardOf))]),
    findPlayers(deps.queries, players),
    statusesOf(deps, caller, players),
  ])
  const ready = (one: Begun): ReadySubmission => {
    const { named, part } = one
    const { sent, player } = named
    const { repeated } = part.context
    // The key of a leaderboard may name another one since.
    if (boardOf(one) !== named.board) checkPermissions(caller, sent.leaderboard, boardOf(one))
    const board = existing(boards.get(boardOf(one)), game, repeated)
    const name = presentName(found.get(player) ?? null, game, repeated)
    if (player !== caller.player && !repeated) refuseNotPlaying(statuses.get(player) ?? null, context.nowMs)
    return { prepared: preparedSubmission(board, player, name, contentFrom(sent)), context: part.context }
  }
  return mapInSlices(slices, begun, (one) => (one instanceof Refusal ? one : orRefusal(() => ready(one))))
}

/** The leaderboard of an earlier call with this key, else the one that is named. */
const boardOf = ({ named, part }: Begun): string => part.recorded?.board ?? named.board

/** Throws 404 `leaderboard_not_found`; for an archived one too, unless the submission is repeated. */
function existing(board: Board | undefined, game: string, repeated: boolean): Board {
  if (board !== undefined && board.game === game && (repeated || !board.state.archived)) return board
  throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
}

/** Of players, where they are cached, else by one read. */
async function statusesOf(
  { statuses }: Deps,
  { key }: Caller,
  players: readonly string[],
): Promise<ReadonlyMap<string, PlayerStatus | null>> {
  const found = new Map<string, PlayerStatus | null>()
  const missing: string[] = []
  const identityOf = (player: string): Identity => ({ key, session: null, player })
  for (const player of players) {
    const cached = statuses.cached(identityOf(player))
    if (cached === null) missing.push(player)
    else found.set(player, cached.player)
  }
  const read = missing.length === 0 ? [] : await statuses.readAll(missing.map(identityOf))
  for (const [nth, player] of missing.entries()) found.set(player, read[nth]?.player ?? null)
  return found
}

/** Reads the value of each key once. */
async function readEach<Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const each = [...new Set(keys)].map(async (key) => [key, await read(key)] as const)
  return new Map(await Promise.all(each))
}
