// Collects the writes of a view and writes them in a safe order.

import { partitionOf } from '../domain/partition.ts'
import type { AllRankings, RankingChange } from '../stores/contract/rankings.ts'
import type { Batch, Checkpoint, Views } from '../stores/contract/views.ts'
import { type Projection, viewKey } from './projection.ts'
import { asWrite, type Change, hiddenKeyOf } from './working-set.ts'

/** The writes of one view. */
export interface ViewChanges {
  readonly batch: Batch
  /** Partition -> its ranking changes, in order. */
  readonly rankings: ReadonlyMap<number, readonly RankingChange[]>
}

export function viewChangesOf(
  projection: Projection,
  changes: readonly Change[],
  checkpoints: ReadonlyMap<number, Checkpoint>,
  repeats: boolean,
): ViewChanges {
  const own = { view: viewKey(projection), writes: changes.map(asWrite), checkpoints }
  const batch: Batch = repeats ? { ...own, repeats } : own
  return { batch, rankings: rankingChanges(projection, changes) }
}

interface WriteDeps {
  readonly views: Pick<Views, 'commit'>
  readonly rankings: AllRankings
}

/**
 * Writes rankings before documents, and documents before (or with) checkpoints. If it fails, the same events are
 * applied again; rankings ignore changes that they already have. Calls no store if there is nothing to write.
 */
export async function write(deps: WriteDeps, ...all: readonly ViewChanges[]): Promise<void> {
  const taken = all.filter(({ batch, rankings }) => batch.writes.length + batch.checkpoints.size + rankings.size > 0)
  if (taken.length === 0) return
  if (taken.some(({ rankings }) => rankings.size > 0)) {
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
    const sortKey = (after?.[ranked.sortKey] ?? null) as string | null
    const joins = sortKey !== null && sortKey !== before?.[ranked.sortKey]
    // A hidden entry only moves the ranking's last applied position, so that an older change by a node that still sees
    // the entry shown is ignored.
    const hiddenIn = hiddenKeyOf(after, ranked)
    if (left === null && !joins && hiddenIn === null) continue
    const partition = partitionOf(game)
    const key = left?.key ?? hiddenIn ?? (after?.[ranked.key] as string)
    const change = { key, before: left?.sortKeys ?? NONE, after: sortKey, pos }
    const ofPartition = partitions.get(partition)
    if (ofPartition === undefined) partitions.set(partition, [change])
    else ofPartition.push(change)
  }
  return partitions
}

const NONE: readonly string[] = []
