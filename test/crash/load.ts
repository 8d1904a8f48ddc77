// Callers who submit scores one after another, each with an Idempotency-Key, and record the answers.

import type { Answered, Unanswered } from '../front-door/http-client.ts'
import type { World } from '../front-door/world.ts'
import { pause } from '../until.ts'

export interface Submission {
  readonly key: string
  readonly board: string
  readonly player: string
  readonly score: string
  /** Null until it is answered. */
  answer: Answered | null
  /** The error of a call without an answer. */
  failure: Unanswered | null
}

interface SubmitTarget {
  readonly token: string
  readonly boards: readonly string[]
  readonly players: readonly string[]
}

const AGAIN_AFTER_MS = 100

/** The same call is still running, as one of a killed node seems to be. */
const isRunning = ({ body }: Answered): boolean => body?.code === 'idempotency_in_progress'

/** Repeats the call with its key while `isRepeated` is true of the answer. */
export async function send(
  world: World,
  token: string,
  { key, board, player, score }: Submission,
  isRepeated: (answer: Answered) => boolean = isRunning,
): Promise<Answered> {
  const sent = { token, body: { score, player }, headers: { 'idempotency-key': key } }
  for (;;) {
    const answer = await world.call('POST', `/api/lb/${board}/score/`, sent)
    if (!isRepeated(answer)) return answer
    await pause(AGAIN_AFTER_MS)
  }
}

/** A line if the repetition of an acknowledged call is answered differently. */
export function notReplayed({ key, answer: before }: Submission, { status, body, headers, text }: Answered): string[] {
  const same = status === before?.status && body.submitted === before.body.submitted && body.id === before.body.id
  const improved = body.improved === before?.body.improved && body.score === before?.body.score
  if (same && improved && headers['idempotent-replay'] === 'true') return []
  return [`${key} was answered ${before?.text}, and when sent again ${text}`]
}

interface Load {
  readonly callers: number
  readonly name: string
  random(): number
  stopped(): boolean
  /** Called after each answer. */
  answered?(caller: number): void
  /** Whether a call is sent again with its key after this answer. Default: while it is still running. */
  isRepeated?(answer: Answered): boolean
}

/** Runs `callers` in parallel, each until `stopped` or its first call without an answer. */
export async function submitMuch(
  world: World,
  { token, boards, players }: SubmitTarget,
  load: Load,
): Promise<Submission[]> {
  const submissions: Submission[] = []
  const pick = <T>(list: readonly T[]): T => list[Math.floor(load.random() * list.length)] as T
  const call = async (caller: number) => {
    for (let n = 0; !load.stopped(); n++) {
      const submission: Submission = {
        key: `${load.name}-${caller}-${n}`,
        board: pick(boards),
        player: pick(players),
        score: `${Math.floor(load.random() * 200) / 2}`,
        answer: null,
        failure: null,
      }
      submissions.push(submission)
      try {
        submission.answer = await send(world, token, submission, load.isRepeated)
        load.answered?.(caller)
      } catch (error) {
        submission.failure = error as Unanswered
        return
      }
    }
  }
  await Promise.all(Array.from({ length: load.callers }, (_, caller) => call(caller)))
  return submissions
}
