// Dependencies of the commands that finish sign-ins.

import type { CommandDeps } from '../../commands/command-deps.ts'
import type { TakeOverDeps } from '../../commands/sign-in/sign-in-deps.ts'
import { type Progress, waitForViewsOf } from '../../projections/progress.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { openSessionsOf } from '../../queries/session.ts'

interface Parts {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
}

export function takeOverDeps({ commands, queries, progress }: Parts) {
  const openSessions: TakeOverDeps['openSessions'] = (...asked) => openSessionsOf(queries, ...asked)
  return { ...commands, openSessions, waitForProjection: waitForViewsOf(progress) }
}
