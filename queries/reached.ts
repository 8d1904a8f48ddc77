// How far a view has come.

import type { Position } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { Views } from '../stores/contract/views.ts'

/**
 * How far a view is whole for a game: of what lies beyond, some may be there and some not. Null where it has nothing
 * yet. `view` is the view's key, `name@version`.
 */
export async function viewReached(
  views: Pick<Views, 'checkpoints'>,
  view: string,
  game: string,
): Promise<Position | null> {
  return (await views.checkpoints(view)).get(partitionOf(game))?.position ?? null
}
