// Many submissions of one call. Each is prepared, recorded and answered as a single one (submit-score.ts); together
// they take one group of appends, or a few, one wait for the views, and one rank per entry.

import { Refusal } from '../domain/decider.ts'
import { scoreStream } from '../domain/score.ts'
import { isNamed } from '../domain/streams.ts'
import { readingOnce } from '../stores/support/reading-once.ts'
import { BEHIND_AFTER_MS, type CommandContext, type CommitPosition } from './command-context.ts'
import type { CommandDeps, NodeCommandDeps } from './command-deps.ts'
import {
  type JudgedSubmission,
  judgeSubmission,
  rankOfJudged,
  type Submitted,
  type SubmittedEntry,
} from './judge-submission.ts'
import { COMMANDS_PER_APPEND } from './stream-writer.ts'
import { type PreparedSubmission, recordSubmission, type SubmitDeps } from './submit-score.ts'

export interface SubmitManyDeps extends SubmitDeps {
  readonly commands: CommandDeps & Pick<NodeCommandDeps, 'handler'>
}

/** A checked submission, and the context in which it is recorded. */
export interface ReadySubmission {
  readonly prepared: PreparedSubmission
  readonly context: CommandContext
}

/**
 * Prepares a submission, and records it by `record` once all others of the call are prepared or refused. Throws Refusal
 * if it is refused by itself.
 */
export type Submission = (record: (ready: ReadySubmission) => Promise<Submitted>) => Promise<UnjudgedSubmission>

/** A recorded submission before it is judged. */
export interface UnjudgedSubmission {
  readonly prepared: PreparedSubmission
  readonly recorded: Submitted
}

/** How a submission of the call ended: the answer of a single one, or its refusal. */
export type Outcome = SubmittedEntry | Refusal

export interface ManySubmitted {
  /** In the order of the submissions. */
  readonly outcomes: readonly Outcome[]
  /** The last position that was recorded; null if nothing was. */
  readonly written: CommitPosition | null
}

/**
 * Records submissions in their order: those of one player on one leaderboard are applied one after the other, and
 * equal scores of different players rank as they are listed. One that is refused holds back no other. Rejects with the
 * 503 of one whose outcome is unknown, and with any error that is no Refusal.
 */
export async function submitMany(deps: SubmitManyDeps, submissions: readonly Submission[]): Promise<ManySubmitted> {
  const settled = await recordAll(deps, submissions)
  const recorded = settled.map((one) => (one.status === 'fulfilled' ? one.value : refusalIn(one.reason)))
  const written = lastWritten(recorded)
  const isVisible = await deps.waitForProjection(written, BEHIND_AFTER_MS)
  // Views that are behind make each submission read the changes of rules of its leaderboard.
  const log = readingOnce(deps.commands.log, (stream) => isNamed(stream, 'board-'))
  const judging = { queries: deps.queries, commands: { ...deps.commands, log } }
  const judged = await Promise.all(
    recorded.map((one) =>
      one instanceof Refusal ? one : judgeSubmission(judging, one.prepared, one.recorded, isVisible),
    ),
  )
  return { outcomes: await ranked(deps, judged), written }
}

/** A refusal that says that nothing was recorded; else throws. */
function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal && error.kind !== 'unavailable') return error
  throw error
}

async function recordAll(deps: SubmitManyDeps, submissions: readonly Submission[]) {
  const begun = submissions.map(begin)
  const settled = Promise.allSettled(begun.map(({ outcome }) => outcome))
  const ready = await Promise.all(begun.map((one) => one.ready))
  for (const group of groupsOf(ready.filter((one) => one !== null))) await recordTogether(deps, group)
  return settled
}

/** `ready`: the submission once it is prepared; null if it is refused before. */
function begin(submission: Submission) {
  let onReady: (one: Waiting | null) => void = () => {}
  const ready = new Promise<Waiting | null>((resolve) => {
    onReady = resolve
  })
  const outcome = submission(
    ({ prepared, context }) =>
      new Promise<Submitted>((resolve, reject) => onReady({ prepared, context, resolve, reject })),
  )
  const isOver = () => onReady(null)
  void outcome.then(isOver, isOver)
  return { ready, outcome }
}

interface Waiting extends ReadySubmission {
  resolve(recorded: Submitted): void
  reject(error: unknown): void
}

/**
 * Groups that are appended one after the other. All of a stream are appended at the place of its first one, so a
 * submission begins a new group if, since an earlier one of its stream, another player has submitted to its
 * leaderboard, or if its stream has as many as one append takes: the rest would come after the whole group. A repeated
 * one appends nothing.
 */
function groupsOf(inOrder: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = []
  /** Of the present group: the stream of the last submission to each leaderboard, and how many each stream has. */
  let lastOf = new Map<string, string>()
  let counts = new Map<string, number>()
  let group: Waiting[] = []
  for (const one of inOrder) {
    const { board, player } = one.prepared.target
    const stream = scoreStream(board, player)
    const count = counts.get(stream) ?? 0
    const comesLate = count >= COMMANDS_PER_APPEND || (count > 0 && lastOf.get(board) !== stream)
    if (comesLate && !one.context.repeated) {
      groups.push(group)
      group = []
      lastOf = new Map()
      counts = new Map()
    }
    group.push(one)
    lastOf.set(board, stream)
    counts.set(stream, (counts.get(stream) ?? 0) + 1)
  }
  if (group.length > 0) groups.push(group)
  return groups
}

async function recordTogether(deps: SubmitManyDeps, group: readonly Waiting[]): Promise<void> {
  const together = deps.commands.handler.together()
  const commands: CommandDeps = { ...deps.commands, handler: together }
  const all = group.map(({ prepared, context, resolve, reject }) =>
    recordSubmission(commands, prepared.target, prepared.content, context).then(resolve, reject),
  )
  together.send()
  await Promise.all(all)
}

function lastWritten(recorded: readonly (UnjudgedSubmission | Refusal)[]): CommitPosition | null {
  let last: CommitPosition | null = null
  for (const one of recorded) {
    const written = one instanceof Refusal ? null : one.recorded.written
    if (written !== null && (last === null || written.position > last.position)) last = written
  }
  return last
}

/** On a unique board all submissions of a player have the rank that their entry has after the last one. */
async function ranked(deps: SubmitManyDeps, judged: readonly (JudgedSubmission | Refusal)[]): Promise<Outcome[]> {
  const last = new Map<string, JudgedSubmission>()
  const keyOf = ({ under, entry }: JudgedSubmission) => scoreStream(under.id, entry.player)
  for (const one of judged) if (!(one instanceof Refusal)) last.set(keyOf(one), one)
  const ranks = new Map<JudgedSubmission, Promise<number | null>>()
  const rankOf = (one: JudgedSubmission) => {
    const of = one.under.state.rules.unique ? (last.get(keyOf(one)) ?? one) : one
    const rank = ranks.get(of) ?? rankOfJudged(deps.queries, of)
    ranks.set(of, rank)
    return rank
  }
  return Promise.all(
    judged.map(async (one) => {
      if (one instanceof Refusal) return one
      const { shown, entry, improved, submitted, written, replayed } = one
      return { shown, entry, rank: await rankOf(one), improved, submitted, written, replayed }
    }),
  )
}
