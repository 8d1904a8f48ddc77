// Creates the collections of a world’s views.

import { viewSpec } from '../../projections/projection.ts'
import type { RunWorld } from './run-world.ts'

export async function prepareWorld({ deps, appliers }: RunWorld): Promise<void> {
  for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
}
