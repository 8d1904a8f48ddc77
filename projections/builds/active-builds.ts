// Read access to views and rankings that resolves each view to its active build.

import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'

interface Read {
  readonly views: Views
  readonly rankings: AllRankings
}

/**
 * `keyOf` returns the key of the active build of a view. It is called on every access, so that all reads switch at
 * once.
 */
export function withActiveBuilds<Stores extends Read>(stores: Stores, keyOf: (view: string) => string): Stores {
  const { views, rankings } = stores
  return {
    ...stores,
    views: {
      ...views,
      // Lists the views whose active build exists, by the key that callers use.
      list: async () => {
        const stored = await views.list()
        return [...new Set(stored.flatMap((key) => (keyOf(base(key)) === key ? [base(key)] : [])))]
      },
      checkpoints: (view, partitions) => views.checkpoints(keyOf(view), partitions),
      get: (view, collection, ids) => views.get(keyOf(view), collection, ids),
      current: (view, ...documents) => views.current(keyOf(view), ...documents),
      find: (find) => views.find({ ...find, view: keyOf(find.view) }),
      count: (find) => views.count({ ...find, view: keyOf(find.view) }),
      scan: (view, collection, afterId, limit) => views.scan(keyOf(view), collection, afterId, limit),
    },
    rankings: { ...rankings, of: (view, partition) => rankings.of(keyOf(view), partition) },
  }
}

/** `name@version` of a view's key. */
const base = (key: string): string => key.split('+')[0] ?? key
