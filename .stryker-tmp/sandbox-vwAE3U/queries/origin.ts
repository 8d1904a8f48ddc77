// Whether any game allows a browser origin.

import type { QueryDeps } from './deps.ts'

export async function isAllowedByAny(deps: QueryDeps, origin: string): Promise<boolean> {
  const find = { view: deps.viewKey('origins'), collection: 'origins', index: 'origin', equal: [origin], limit: 1 }
  return (await deps.views.count(find)) > 0
}
