// What commands that finish sign-ins need, made from the parts of this node.

import type { CommandDeps } from '../commands/command-deps.ts'
import type { Seen } from '../commands/intent.ts'
import type { TakeOverDeps } from '../commands/sign-in/sign-in-deps.ts'
import type { Progress } from '../projections/progress.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { openSessionsOf } from '../queries/session.ts'

/** Waits for the views of this node, and for what is known here of those of others. */
export const seenIn =
  (progress: Progress): Seen =>
  async (written, timeoutMs) =>
    written === null || progress.waitFor(written.game, written.position, timeoutMs)

interface Parts {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
}

export function takeOverDeps({ commands, queries, progress }: Parts) {
  const openSessions: TakeOverDeps['openSessions'] = (...asked) => openSessionsOf(queries, ...asked)
  return { ...commands, openSessions, seen: seenIn(progress) }
}
