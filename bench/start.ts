// Start with a large board: opens the stores and fills the in-process ranking from the documents. The limit is reading
// those documents.

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { ALL_VIEWS } from '../projections/all.ts'
import { catchUp } from '../projections/catch-up.ts'
import { createApplier } from '../projections/create-applier.ts'
import { entries as entriesView } from '../projections/entries.ts'
import { viewKey } from '../projections/projection.ts'
import { prepareViews } from '../projections/start.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { openEmbedded } from '../stores/embedded/open.ts'
import { largeBoard } from './support/large-board.ts'
import { inTurn, ownCpuSeconds, type Size } from './support/measure.ts'
import { quietRun } from './support/projection-run.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'

export async function benchStart(size: Size): Promise<BenchRow[]> {
  const { dataDir, entries } = await largeBoard(size.entries)
  const costs = await inTurn(size.rounds, {
    reading: () => ownCpuSeconds(async () => readDocuments(join(dataDir, 'views.sqlite'))),
    starting: () => starting(dataDir),
  })
  const what = `start with ${entries.toLocaleString('en')} entries / reading the documents`
  return [cheapEnough({ what, limit: costs.reading, ours: costs.starting }, 2)]
}

/** The limit: reads and parses the stored documents. */
function readDocuments(path: string): void {
  const db = new DatabaseSync(path)
  const named = db.prepare('SELECT number FROM collections WHERE view = ? AND name = ?')
  const { number } = named.get(viewKey(entriesView), 'entries') as { number: number }
  const all = db.prepare(`SELECT document FROM "c${number}" WHERE document IS NOT NULL`)
  all.setReturnArrays(true)
  for (const [document] of all.iterate() as Iterable<[string]>) JSON.parse(document)
  db.close()
}

async function starting(dataDir: string): Promise<number> {
  const opened: Stores[] = []
  const seconds = await ownCpuSeconds(async () => {
    const stores = await openEmbedded(dataDir, { onFailure: () => {} })
    opened.push(stores)
    await start(stores)
  })
  for (const stores of opened) await stores.close()
  return seconds
}

async function start(stores: Stores): Promise<void> {
  const deps = quietRun(stores)
  const appliers = ALL_VIEWS.map((view) => createApplier(view, deps))
  await prepareViews(deps, ALL_VIEWS)
  await catchUp(deps, appliers, new Set(ALL_PARTITIONS), new AbortController().signal)
}
