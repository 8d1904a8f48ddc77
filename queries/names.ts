// Players' names as they are now. They stand in the view of entries, for what is shown beside scores.

import type { QueryDeps } from './deps.ts'

/** In order; null of who has none. `view` is the key of the view of entries. */
export async function presentNames(
  { views }: Pick<QueryDeps, 'views'>,
  view: string,
  players: readonly string[],
): Promise<(string | null)[]> {
  const documents = await views.get(view, 'names', players)
  return documents.map((document) => (document?.body.name ?? null) as string | null)
}
