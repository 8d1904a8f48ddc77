// Brings views to the end of the log in a single process, as a node does at its start.

import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { catchUp } from '../../projections/catch-up.ts'
import { prepareViews } from '../../projections/start.ts'
import type { RunWorld } from './run-world.ts'

/** Returns the keys of the new views. */
export async function startViews({ deps, appliers }: Pick<RunWorld, 'deps' | 'appliers'>): Promise<string[]> {
  const fresh = await prepareViews(
    deps,
    appliers.map(({ projection }) => projection),
  )
  await catchUp(deps, appliers, new Set(ALL_PARTITIONS), new AbortController().signal)
  return fresh
}
