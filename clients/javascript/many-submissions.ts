// Submits many: submissions of any players in few calls, for game servers.

import { type Caller, pathTo } from './caller.ts'
import { ProblemError } from './problem.ts'
import type { ManySubmission, SubmissionResult } from './score-shapes.ts'
import { RETRY_MS, type TransportOptions, waitFor } from './transport.ts'

export interface ManySubmissionCalls {
  /**
   * Submits scores of any players on any leaderboards of the key's game, in their order, and resolves with a result for
   * each submission, in the same order. A refused one has a result with `code` and `detail`, and holds back no other.
   *
   * Calls with lost answers, 429 and 503 are repeated, and so are single submissions that are refused for now. Each
   * submission counts once. If it rejects all the same, some may be recorded: to repeat such a list safely, give each
   * submission an `idempotency_key` of your own.
   *
   * A submission that is sent again may be recorded after later ones of its player. A leaderboard that keeps the latest
   * score then shows the earlier one, and nothing can undo that. There, list a player at most once, and submit their
   * next score when this one is recorded. Where the best score is kept, the order does not matter for the score.
   *
   * @example
   * const results = await server.submitMany([
   *   { leaderboard: 'weekly', player: ada, score: '1250.5', idempotency_key: `${match}-ada` },
   *   { leaderboard: 'weekly', external_id: 'account-7', score: '980', idempotency_key: `${match}-7` },
   * ])
   * for (const result of results) console.log('code' in result ? result.detail : result.rank)
   *
   * @param submissions Any number. One call has at most 500 and 1 MiB; a `rank` is the one after its call.
   * @throws RangeError, before anything is sent, if one submission alone is larger than a call may be.
   * @throws TypeError if the key is the operator's, which belongs to no game.
   */
  submitMany(submissions: readonly ManySubmission[]): Promise<SubmissionResult[]>
}

const MAX_SUBMISSIONS = 500
const MAX_BYTES = 1_048_576
const BYTES_AROUND = '{"submissions":[]}'.length

export function manySubmissionCalls(
  { call, bearer }: Pick<Caller, 'call' | 'bearer'>,
  { patienceMs = RETRY_MS, onWait }: Pick<TransportOptions, 'patienceMs' | 'onWait'>,
): ManySubmissionCalls {
  const send = async (chunk: readonly ManySubmission[]) => {
    const game = gameOf(await bearer.token())
    const { results } = await call<{ results: SubmissionResult[] }>('POST', pathTo(['gm', game, 'scores']), {
      submissions: chunk,
    })
    return results
  }

  /** Sends those again that are refused for now: too many bytes, or an earlier attempt of them is still running. */
  async function settled(chunk: readonly ManySubmission[]): Promise<SubmissionResult[]> {
    const results = await send(chunk)
    let leftMs = patienceMs
    for (let times = 0; ; times++) {
      let waitMs = 0
      let last: ProblemError | null = null
      const again: number[] = []
      for (const [nth, result] of results.entries()) {
        if (!('code' in result)) continue
        const problem = new ProblemError(result.status, result)
        const wait = waitFor(problem, times)
        if (wait === null || wait > leftMs) continue
        waitMs = Math.max(waitMs, wait)
        last = problem
        again.push(nth)
      }
      if (last === null) return results
      leftMs -= waitMs
      onWait?.(waitMs, last)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      const repeated = await send(again.map((nth) => chunk[nth] as ManySubmission))
      for (const [at, nth] of again.entries()) results[nth] = repeated[at] as SubmissionResult
    }
  }

  return {
    async submitMany(submissions) {
      const results: SubmissionResult[] = []
      for (const chunk of chunksOf(submissions.map(withKey))) results.push(...(await settled(chunk)))
      return results
    },
  }
}

const withKey = (submission: ManySubmission): ManySubmission => ({
  ...submission,
  idempotency_key: submission.idempotency_key ?? crypto.randomUUID(),
})

/** Each fits into one call. */
function chunksOf(submissions: readonly ManySubmission[]): ManySubmission[][] {
  const chunks: ManySubmission[][] = []
  const encoder = new TextEncoder()
  let chunk: ManySubmission[] = []
  let bytes = BYTES_AROUND
  for (const [nth, submission] of submissions.entries()) {
    const own = encoder.encode(JSON.stringify(submission)).length
    if (BYTES_AROUND + own > MAX_BYTES) {
      throw new RangeError(`submissions[${nth}] has ${own} bytes, more than a call may have: shorten its extra_data`)
    }
    const comma = chunk.length === 0 ? 0 : 1
    if (chunk.length === MAX_SUBMISSIONS || bytes + comma + own > MAX_BYTES) {
      chunks.push(chunk)
      chunk = [submission]
      bytes = BYTES_AROUND + own
    } else {
      chunk.push(submission)
      bytes += comma + own
    }
  }
  if (chunk.length > 0) chunks.push(chunk)
  return chunks
}

/** The token is a JWT with the game of its key. */
function gameOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const { game } = JSON.parse(atob(payload)) as { readonly game: string | null }
  if (game === null) throw new TypeError('The operator’s key belongs to no game: submit with a server key of the game.')
  return game
}
