// Window indexes of the active view builds. An index is built from the entry documents of one build, and another build
// may differ, so a switch of builds drops all indexes; they are rebuilt on demand.

import { entries } from '../projections/entries.ts'
import { history } from '../projections/history.ts'
import { viewKey } from '../projections/projection.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { FollowDeps } from '../queries/windows/follower.ts'
import type { IndexedWindows } from '../queries/windows/indexed.ts'
import { Windows, type WindowsOptions } from '../queries/windows/windows.ts'
import { type HistoryStores, historyReached } from './compose.ts'

interface NodeWindows extends IndexedWindows {
  readonly bytes: number
  stop(): Promise<void>
}

/** `shown` returns the keys of the active builds. */
export function windowsOf(deps: FollowDeps, options: WindowsOptions, shown: () => string): NodeWindows {
  const fresh = () => ({ windows: new Windows(deps, options), of: shown() })
  let present = fresh()
  let ending: Promise<unknown> = Promise.resolve()

  function now(): Windows {
    if (present.of !== shown()) {
      ending = Promise.all([ending, present.windows.stop()])
      present = fresh()
    }
    return present.windows
  }

  return {
    get bytes() {
      return now().bytes
    },
    of: async (board) => {
      const current = now()
      const index = await current.of(board)
      return now() === current ? index : null
    },
    shownOf: (board, player) => now().shownOf(board, player),
    counted: (reason) => now().counted(reason),
    stop: async () => {
      await Promise.all([ending, present.windows.stop()])
    },
  }
}

/**
 * The same queries, with window indexes of large leaderboards in this process. The caller must stop `windows`. `keyOf`
 * returns the key of a view's active build.
 */
export function indexing(
  queries: QueryDeps,
  stores: HistoryStores,
  options: WindowsOptions,
  keyOf = (view: string) => view,
) {
  const shown = () => [entries, history].map((view) => keyOf(viewKey(view))).join()
  const deps = { ...queries, log: stores.log, reached: historyReached(stores) }
  return { ...queries, windows: windowsOf(deps, options, shown) }
}
