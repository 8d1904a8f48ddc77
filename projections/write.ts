// What a view has to write, and in which order it is written.

import { partitionOf } from '../domain/partition.ts'
import type { AllRankings, RankingChange } from '../stores/contract/rankings.ts'
import type { Batch, Checkpoint, Views } from '../stores/contract/views.ts'
import { type Projection, viewKey } from './projection.ts'
import { asWrite, type Change, hiddenKeyOf } from './working-set.ts'

/** What one view has to write. */
export interface ViewChanges {
  readonly batch: Batch
  /** Partition -> the changes of its rankings, in their order. */
  readonly rankings: ReadonlyMap<number, readonly RankingChange[]>
}

export function viewChangesOf(
  projection: Projection,
  changes: readonly Change[],
  checkpoints: ReadonlyMap<number, Checkpoint>,
  isOfMany: boolean,
): ViewChanges {
  const own = { view: viewKey(projection), writes: changes.map(asWrite), checkpoints }
  const batch: Batch = isOfMany ? { ...own, ofMany: true } : own
  return { batch, rankings: rankingChanges(projection, changes) }
}

interface WriteDeps {
  readonly views: Pick<Views, 'commit' | 'ready'>
  readonly rankings: AllRankings
}

/**
 * Writes what appliers gave: rankings before documents, documents before (or with) checkpoints. Where it breaks off the same
 * events come again; what the rankings have taken changes nothing more in them.
 */
export async function write(deps: WriteDeps, ...taken: readonly ViewChanges[]): Promise<void> {
  if (taken.some(({ rankings }) => rankings.size > 0)) {
    // While the commit would wait, readers would find rankings ahead of documents.
    await deps.views.ready?.()
    const puts = taken.flatMap(({ batch, rankings }) =>
      [...rankings].map(([partition, changes]) => deps.rankings.of(batch.view, partition).put(changes)),
    )
    await Promise.all(puts)
  }
  await deps.views.commit(taken.map((one) => one.batch))
}

function rankingChanges({ ranked }: Projection, changes: readonly Change[]): Map<number, RankingChange[]> {
  const partitions = new Map<number, RankingChange[]>()
  if (ranked === undefined) return partitions
  for (const { collection, pos, game, before, left, after } of changes) {
    if (collection !== ranked.collection) continue
    const is = (after?.[ranked.member] ?? null) as string | null
    const comes = is !== null && is !== before?.[ranked.member]
    // What is hidden changes nothing there but the mark, so that no older change of who thinks it shown is taken after it.
    const hiddenIn = hiddenKeyOf(after, ranked)
    if (left === null && !comes && hiddenIn === null) continue
    const partition = partitionOf(game)
    const key = left?.key ?? hiddenIn ?? (after?.[ranked.key] as string)
    const change = { key, before: left?.members ?? NONE, after: is, pos }
    const found = partitions.get(partition)
    if (found === undefined) partitions.set(partition, [change])
    else found.push(change)
  }
  return partitions
}

const NONE: readonly string[] = []
