// The route of many submissions of a game in one call. It translates HTTP; what the call does is in
// commands/submit-many.ts.

import { z } from 'zod'
import {
  type ListedSubmission,
  type ManySubmitted,
  type NamedInSubmission,
  submitMany,
} from '../../commands/submit-many.ts'
import { Refusal } from '../../domain/decider.ts'
import { orRefusal } from '../../domain/or-refusal.ts'
import { scoreAnswer } from '../../queries/scores/entry.ts'
import { mapInSlices, TimeSlices } from '../../runtime/time-slices.ts'
import { fields } from '../fields.ts'
import { RefusedElement } from '../pipeline/list-json.ts'
import { permissionNeeded } from '../pipeline/permission.ts'
import { malformed, problemRow } from '../problem.ts'
import { type Call, type Caller, JsonText, type Part, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { listedSubmission, type SentSubmission, submissionIn } from './listed-submission.ts'
import { ownGame } from './own.ts'
import { readCaller } from './read-caller.ts'
import { contentFrom, scoreShape, submittedShape } from './score-fields.ts'
import { checkSubmitFor, readMayPlay, statusOf } from './scores.ts'

export const SUBMISSIONS_MAX = 500
export const MANY_MAX_BYTES = 1_048_576
/** Submissions that count as one call at the rates. */
const PER_RATE = 20

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

export const manySubmissionsRoute = (deps: Deps): Route =>
  route({
    method: 'POST',
    path: '/api/gm/:game/scores/',
    summary: 'Submit many scores',
    needs: 'token',
    tenantOnly: true,
    records: true,
    inParts: true,
    weight: ({ submissions }) => Math.ceil(submissions.length / PER_RATE),
    list: {
      field: 'submissions',
      max: SUBMISSIONS_MAX,
      maxBytes: MANY_MAX_BYTES,
      documented: listOf(listedSubmission),
    },
    body: listOf(z.unknown()),
    answers: { 200: manyShape },
    async handle(call) {
      const { caller, context, params, body } = call
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const slices = new TimeSlices(undefined, readCaller(call).path)
      // The call runs under its own key, which a submission would wait for.
      const keys = new Set([call.header('idempotency-key') ?? ''])
      const submissions = await mapInSlices(slices, body.submissions, (given, nth) => {
        const sent = readOne(given, keys)
        return sent instanceof Refusal ? sent : submissionOf(call, game, sent, nth)
      })
      const list = {
        game,
        submissions,
        checkMaySubmit: (board: string, named: string) => checkMaySubmit(caller, board, named),
        readMayPlay: (players: readonly string[]) => readMayPlay(deps, caller, players, context.nowMs),
      }
      const { outcomes, written } = await submitMany(deps, list, slices)
      // Each in its slice: one JSON.stringify of all would be one long turn.
      const results = await mapInSlices(slices, outcomes, (outcome) => JSON.stringify(resultOf(outcome)))
      return { status: 200, body: new JsonText(`{"results":[${results.join()}]}`), written, hasWaited: true }
    },
  })

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

const submissionOf = (call: ManyCall, game: string, sent: SentSubmission, nth: number): ListedSubmission => ({
  leaderboard: sent.leaderboard,
  player: sent.player,
  externalId: sent.external_id,
  content: () => contentFrom(sent),
  begin: (named) => call.beginPart(partOf(call, game, { sent, nth, named })),
})

interface ToBegin {
  readonly sent: SentSubmission
  /** Its place in the list. */
  readonly nth: number
  readonly named: NamedInSubmission
}

function partOf({ caller, header }: ManyCall, game: string, { sent, nth, named }: ToBegin): Part {
  const callKey = header('idempotency-key')
  const { boardKey } = named
  const player = caller.player === named.player ? caller.player : null
  if (sent.idempotency_key === undefined && callKey === null) return { key: null, meaning: [], player, boardKey }
  const { idempotency_key: own, ...meaning } = sent
  // No key that a caller sends has a line break.
  const key = own ?? `${callKey}\n${nth}`
  return { key, meaning: ['POST', '/api/gm/:game/scores/', game, meaning], player, boardKey }
}

/** `named`: the leaderboard as it was named. Throws 403 `permission_needed`. */
function checkMaySubmit(caller: Caller, board: string, named: string): void {
  if (!caller.may(`lb:${board}:submit`)) throw permissionNeeded(`lb:${named}:submit`)
  checkSubmitFor(caller, board)
}

function resultOf(outcome: ManySubmitted['outcomes'][number]): object {
  if (outcome instanceof Refusal) return problemRow(outcome)
  const { entry, rank, improved, submitted, season } = outcome
  const joined = season === undefined ? {} : { season }
  return { status: statusOf(submitted), score: scoreAnswer(entry), rank, improved, submitted, ...joined }
}
