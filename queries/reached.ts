// The position that a view has reached.

import type { Position } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { Views } from '../stores/contract/views.ts'

/**
 * The position up to which a view is complete for a game; later events may be applied in part. Null if nothing was
 * applied yet. `view` is the view's key, `name@version`.
 */
export async function viewReached(
  views: Pick<Views, 'checkpoints'>,
  view: string,
  game: string,
): Promise<Position | null> {
  const partition = partitionOf(game)
  return (await views.checkpoints(view, [partition])).get(partition)?.position ?? null
}
