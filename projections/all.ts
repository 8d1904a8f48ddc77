// The list of every view that the program maintains.

import type { History } from '../stores/contract/history.ts'
import { activity } from './activity.ts'
import { blobs } from './blobs.ts'
import { buckets } from './buckets.ts'
import { commands } from './commands.ts'
import { entries } from './entries.ts'
import { files } from './files.ts'
import { games } from './games.ts'
import { history } from './history.ts'
import { keys } from './keys.ts'
import { leaderboards } from './leaderboards.ts'
import { origins } from './origins.ts'
import { past } from './past.ts'
import { players } from './players.ts'
import type { Projection } from './projection.ts'
import { sessions } from './sessions.ts'
import { uploads } from './uploads.ts'

export const ALL_VIEWS: readonly Projection[] = [
  games,
  keys,
  origins,
  players,
  sessions,
  leaderboards,
  entries,
  past,
  buckets,
  files,
  uploads,
  blobs,
  commands,
  activity,
]

/** All views; adds the `history` view if the log store has no index by game and board. */
export function viewsOver({ history: logHistory }: { readonly history: History | null }): readonly Projection[] {
  return logHistory === null ? [...ALL_VIEWS, history] : ALL_VIEWS
}
