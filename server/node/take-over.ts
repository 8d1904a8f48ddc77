// Dependencies of the commands that finish sign-ins.

import type { WaitForProjection } from '../../commands/command-context.ts'
import type { CommandDeps } from '../../commands/command-deps.ts'
import type { TakeOverDeps } from '../../commands/sign-in/sign-in-deps.ts'
import type { Progress } from '../../projections/progress.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { openSessionsOf } from '../../queries/session.ts'

/** Waits until the views have applied a commit: this node's own, and those of other nodes as far as known here. */
export const waitForViewsOf =
  (progress: Progress): WaitForProjection =>
  async (commit, timeoutMs) =>
    commit === null || progress.waitFor(commit.game, commit.position, timeoutMs)

interface Parts {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
}

export function takeOverDeps({ commands, queries, progress }: Parts) {
  const openSessions: TakeOverDeps['openSessions'] = (...asked) => openSessionsOf(queries, ...asked)
  return { ...commands, openSessions, waitForProjection: waitForViewsOf(progress) }
}
