// Reads what the view of entries has of players: their current names, to show beside scores, and whether answers show
// them.

import type { QueryDeps } from './deps.ts'

export interface PresentPlayer {
  /** Null: none. */
  readonly name: string | null
  /** False for banned and deleted players, whom no answer shows. */
  readonly isShown: boolean
}

/** In the order of `players`. `view` is the key of the view of entries. */
export async function presentPlayers(
  { views }: Pick<QueryDeps, 'views'>,
  view: string,
  players: readonly string[],
): Promise<PresentPlayer[]> {
  const documents = await views.get(view, 'names', players)
  return documents.map((document) => ({
    name: (document?.body.name ?? null) as string | null,
    isShown: (document?.body.standing ?? 'shown') === 'shown',
  }))
}

/** In the order of `players`; null for one without a name. `view` is the key of the view of entries. */
export async function presentNames(
  deps: Pick<QueryDeps, 'views'>,
  view: string,
  players: readonly string[],
): Promise<(string | null)[]> {
  return (await presentPlayers(deps, view, players)).map(({ name }) => name)
}
