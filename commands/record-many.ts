// Records the submissions of one call in command groups, in the order of the list.

import { Refusal } from '../domain/decider.ts'
import { withoutRefusals } from '../domain/or-refusal.ts'
import { allOfInSlices, Failed } from '../runtime/all-of.ts'
import { mapInSlices, type TimeSlices } from '../runtime/time-slices.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps, NodeCommandDeps } from './command-deps.ts'
import { judgeRecorded, type Submitted } from './judge-submission.ts'
import { COMMANDS_PER_APPEND, notBegun } from './stream-writer.ts'
import { type PreparedSubmission, submissionCommand } from './submit-score.ts'

/**
 * With the time of the last group, less than a call runs under its key, and than callers and proxies wait: what begins
 * later would be recorded beside the caller's repeat.
 */
const GROUPS_BEGIN_WITHIN_MS = 8_000

export type RecordManyDeps = CommandDeps & Pick<NodeCommandDeps, 'handler'>

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

/**
 * Records submissions in their order: those of one player on one leaderboard are applied one after the other, and
 * equal scores of different players rank as they are listed. Exceptions: an append that conflicts with another node,
 * one that is too large, and that of a stream that is not ready within a second come later. A submission that is
 * refused holds back no other. Rejects with the 503 of one whose outcome is unknown, and with any error that is no
 * Refusal, once its group is settled, and with 503 `log_unavailable` if the groups take too long: then no later group
 * begins, and a repeat records the rest.
 */
export async function recordMany(
  deps: RecordManyDeps,
  submissions: readonly (ReadySubmission | Refusal)[],
  slices: TimeSlices,
): Promise<readonly (RecordedOne | Refusal)[]> {
  const outcomes = new Map<ReadySubmission, Recorded>()
  const beganMs = performance.now()
  for (const group of groupsOf(withoutRefusals(submissions))) {
    if (performance.now() - beganMs >= GROUPS_BEGIN_WITHIN_MS) throw notBegun()
    const recorded = await recordGroup(deps, group, slices)
    for (const [nth, one] of group.entries()) outcomes.set(one, recorded[nth] as Recorded)
    for (const one of recorded) if (one instanceof Failed) refusalIn(one.error)
  }
  return submissions.map((one) => {
    if (one instanceof Refusal) return one
    const recorded = outcomes.get(one) as Recorded
    return recorded instanceof Failed ? refusalIn(recorded.error) : { prepared: one.prepared, recorded }
  })
}

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
async function recordGroup(
  commands: RecordManyDeps,
  group: readonly ReadySubmission[],
  slices: TimeSlices,
): Promise<readonly Recorded[]> {
  const asked = await mapInSlices(slices, group, ({ prepared, context }) =>
    submissionCommand(prepared.target, prepared.content, context),
  )
  const settled = await commands.handler.handleGroup(asked, slices)
  return allOfInSlices(slices, settled, (one, nth): Recorded | Promise<Recorded> => {
    if (one instanceof Failed) return one
    const { target } = (group[nth] as ReadySubmission).prepared
    const { data } = asked[nth] as (typeof asked)[number]
    return judgeRecorded(commands, target, one, data)
  })
}
