// The views and rankings as they are to be read: each by its key, whichever build of it is shown.

import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'

interface Read {
  readonly views: Views
  readonly rankings: AllRankings
}

/** `keyOf` gives the key of the build that is shown now; it is asked at each call, so that all switch at once. */
export function withActiveBuilds<Stores extends Read>(stores: Stores, keyOf: (view: string) => string): Stores {
  const { views, rankings } = stores
  return {
    ...stores,
    views: {
      ...views,
      // Each of which a build is shown, by the key that it is asked for.
      list: async () => {
        const lying = await views.list()
        return [...new Set(lying.flatMap((key) => (keyOf(base(key)) === key ? [base(key)] : [])))]
      },
      checkpoints: (view) => views.checkpoints(keyOf(view)),
      get: (view, collection, ids) => views.get(keyOf(view), collection, ids),
      find: (find) => views.find({ ...find, view: keyOf(find.view) }),
      count: (find) => views.count({ ...find, view: keyOf(find.view) }),
      scan: (view, collection, afterId, limit) => views.scan(keyOf(view), collection, afterId, limit),
    },
    rankings: { ...rankings, of: (view, partition) => rankings.of(keyOf(view), partition) },
  }
}

/** `name@version` of a view's key. */
const base = (key: string): string => key.split('+')[0] ?? key
