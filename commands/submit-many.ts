// Many submissions of one call. Each is prepared, recorded and answered as a single one (submit-score.ts); together
// they take one group of appends, or a few, one wait for the views, and one look-up of each leaderboard, of the players
// and of the ranks.

import { Refusal } from '../domain/decider.ts'
import { type Board, findBoards } from '../queries/leaderboard.ts'
import { ranksOf } from '../queries/scores/one.ts'
import { allOfInSlices, Failed, valueOrThrow } from '../runtime/all-of.ts'
import { mapInSlices, type TimeSlices } from '../runtime/time-slices.ts'
import { BEHIND_AFTER_MS, type CommandContext, type CommitPosition } from './command-context.ts'
import type { CommandDeps, NodeCommandDeps } from './command-deps.ts'
import {
  freshnessAfter,
  type JudgedSubmission,
  judgeRecorded,
  judgeSubmission,
  playersOnBoards,
  rankedIn,
  type Submitted,
  type SubmittedEntry,
} from './judge-submission.ts'
import { readingImprovements } from './season-improvements.ts'
import { seasonOfSubmission } from './season-of-submission.ts'
import { COMMANDS_PER_APPEND } from './stream-writer.ts'
import {
  answered,
  type PreparedSubmission,
  readingBoardsOnce,
  type SubmitDeps,
  submissionCommand,
} from './submit-score.ts'

export interface SubmitManyDeps extends SubmitDeps {
  readonly commands: CommandDeps & Pick<NodeCommandDeps, 'handler'>
}

/** A submission that can be recorded, and the context in which it is. */
export interface ReadySubmission {
  readonly prepared: PreparedSubmission
  readonly context: CommandContext
}

/** A recorded submission before it is judged by the views. */
export interface RecordedOne {
  readonly prepared: PreparedSubmission
  readonly recorded: Submitted
}

export interface ManySubmitted {
  /** In the order of the submissions: the answer of a single one, or its refusal. */
  readonly outcomes: readonly (SubmittedEntry | Refusal)[]
  /** The last position that was recorded; null if nothing was. */
  readonly written: CommitPosition | null
}

/**
 * Records submissions in their order: those of one player on one leaderboard are applied one after the other, and
 * equal scores of different players rank as they are listed. Exceptions: an append that conflicts with another node,
 * one that is too large, and that of a stream that is not ready within a second come later. A submission that is
 * refused holds back no other. Rejects, once all are settled, with the 503 of one whose outcome is unknown, and with
 * any error that is no Refusal.
 */
export async function recordMany(
  deps: SubmitManyDeps,
  submissions: readonly (ReadySubmission | Refusal)[],
  slices: TimeSlices,
): Promise<readonly (RecordedOne | Refusal)[]> {
  const outcomes = new Map<ReadySubmission, Recorded>()
  for (const group of groupsOf(withoutRefusals(submissions))) {
    const recorded = await recordTogether(deps.commands, group, slices)
    for (const [nth, one] of group.entries()) outcomes.set(one, recorded[nth] as Recorded)
  }
  return submissions.map((one) => {
    if (one instanceof Refusal) return one
    const recorded = outcomes.get(one) as Recorded
    return recorded instanceof Failed ? refusalIn(recorded.error) : { prepared: one.prepared, recorded }
  })
}

export const withoutRefusals = <One>(all: readonly (One | Refusal)[]): One[] =>
  all.filter((one): one is One => !(one instanceof Refusal))

/** Failed: it was not recorded, or its outcome is unknown. */
type Recorded = Submitted | Failed

/** A refusal that says that nothing was recorded; else throws. */
export function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal && error.kind !== 'unavailable') return error
  throw error
}

/**
 * Groups that are appended one after the other. All of a stream are appended at the place of its first one, so a
 * submission begins a new group if, since an earlier one of its stream, another player has submitted to its
 * leaderboard, or if its stream has as many as one append takes: the rest would come after the whole group. A repeated
 * one appends nothing.
 */
function groupsOf(inOrder: readonly ReadySubmission[]): ReadySubmission[][] {
  const groups: ReadySubmission[][] = []
  /** Of the present group: the player of the last submission to each leaderboard, and how many each stream has. */
  let lastOf = new Map<string, string>()
  let counts = new Map<string, number>()
  let group: ReadySubmission[] = []
  for (const one of inOrder) {
    const { board, player } = one.prepared.target
    const stream = `${board} ${player}`
    const count = counts.get(stream) ?? 0
    const comesLate = count >= COMMANDS_PER_APPEND || (count > 0 && lastOf.get(board) !== player)
    if (comesLate && !one.context.repeated) {
      groups.push(group)
      group = []
      lastOf = new Map()
      counts = new Map()
    }
    group.push(one)
    lastOf.set(board, player)
    counts.set(stream, (counts.get(stream) ?? 0) + 1)
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/** In the order of the group. Never rejects. */
async function recordTogether(
  commands: SubmitManyDeps['commands'],
  group: readonly ReadySubmission[],
  slices: TimeSlices,
): Promise<readonly Recorded[]> {
  const asked = await mapInSlices(slices, group, ({ prepared, context }) =>
    submissionCommand(prepared.target, prepared.content, context),
  )
  const settled = await commands.handler.handleTogether(asked, slices)
  return allOfInSlices(slices, settled, (one, nth): Recorded | Promise<Recorded> => {
    if (one.status === 'rejected') return new Failed(one.reason)
    const { target } = (group[nth] as ReadySubmission).prepared
    const { data } = asked[nth] as (typeof asked)[number]
    return judgeRecorded(commands, target, one.value, data)
  })
}

/** What is answered of recorded submissions, with the ranks after all of them. */
export async function answerMany(
  deps: SubmitManyDeps,
  all: readonly (RecordedOne | Refusal)[],
  slices: TimeSlices,
): Promise<ManySubmitted> {
  const { queries } = deps
  const recorded = withoutRefusals(all)
  const written = lastWritten(recorded)
  const isVisible = await deps.waitForProjection(written, BEHIND_AFTER_MS)
  const areReplayed = recorded.some((one) => one.recorded.replayed)
  const freshness = freshnessAfter(areReplayed, isVisible)
  const boards = new Set(recorded.map(({ prepared }) => prepared.board.id))
  const players = new Set(recorded.map(({ prepared }) => prepared.target.player))
  const [present, playing] = await Promise.all([
    findBoards(queries, [...boards], freshness),
    playersOnBoards(queries, [...players], freshness),
  ])
  const commands = readingBoardsOnce(deps.commands)
  const settled = await allOfInSlices(slices, recorded, (one) =>
    judgeSubmission(commands, one.prepared, one.recorded, {
      present: present.get(one.prepared.board.id) ?? null,
      isVisible,
    }),
  )
  const judged = settled.map(valueOrThrow)
  const ranks = await ranksAfterAll(queries, judged)
  const isImproved = readingImprovements(commands.log)
  const joined = await allOfInSlices(slices, recorded, ({ prepared: { board, target }, recorded }) => {
    const at = { board: present.get(board.id) ?? board, target, recorded, isVisible, freshness }
    return seasonOfSubmission({ queries, commands, isImproved }, at)
  })
  const seasons = joined.map(valueOrThrow)
  const answers = await mapInSlices(slices, judged, (one, nth) =>
    answered(one, playing.has(one.entry.player) ? (ranks[nth] ?? null) : null, seasons[nth]),
  )
  const inOrder = answers.values()
  return {
    outcomes: all.map((one) => (one instanceof Refusal ? one : (inOrder.next().value as SubmittedEntry))),
    written,
  }
}

function lastWritten(recorded: readonly RecordedOne[]): CommitPosition | null {
  let last: CommitPosition | null = null
  for (const {
    recorded: { written },
  } of recorded) {
    if (written !== null && (last === null || written.position > last.position)) last = written
  }
  return last
}

/**
 * The rank of each, by one look-up per leaderboard. On a unique board all submissions of a player have the rank that
 * their entry has after the last one.
 */
async function ranksAfterAll(
  queries: SubmitManyDeps['queries'],
  judged: readonly JudgedSubmission[],
): Promise<readonly (number | null)[]> {
  const last = new Map<string, JudgedSubmission>()
  for (const one of judged) last.set(`${one.under.id} ${one.entry.player}`, one)
  const shown = judged.map((one) =>
    one.under.state.rules.unique ? (last.get(`${one.under.id} ${one.entry.player}`) ?? one) : one,
  )
  const byBoard = new Map<Board, JudgedSubmission[]>()
  for (const one of new Set(shown)) {
    const ofBoard = byBoard.get(one.under)
    if (ofBoard === undefined) byBoard.set(one.under, [one])
    else ofBoard.push(one)
  }
  const ranks = new Map<JudgedSubmission, number | null>()
  await Promise.all(
    [...byBoard].map(async ([board, ofBoard]) => {
      const found = await ranksOf(queries, board, ofBoard.map(rankedIn))
      for (const [nth, one] of ofBoard.entries()) ranks.set(one, found[nth] ?? null)
    }),
  )
  return shown.map((one) => ranks.get(one) ?? null)
}
