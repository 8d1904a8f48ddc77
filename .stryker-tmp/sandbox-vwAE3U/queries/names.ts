// The current names of players, which the view of entries keeps for showing them beside scores.

import type { QueryDeps } from './deps.ts'

/** In the order of `players`; null for one without a name. `view` is the key of the view of entries. */
export async function presentNames(
  { views }: Pick<QueryDeps, 'views'>,
  view: string,
  players: readonly string[],
): Promise<(string | null)[]> {
  const documents = await views.get(view, 'names', players)
  return documents.map((document) => (document?.body.name ?? null) as string | null)
}
