// Starting with a large board: opening the stores and filling the ranking in this process from the documents, beside merely
// reading those documents.

import { ALL_VIEWS } from '../projections/all.ts'
import { createApplier } from '../projections/apply.ts'
import { entries as entriesView } from '../projections/entries.ts'
import { viewKey } from '../projections/projection.ts'
import { startViews } from '../projections/start.ts'
import { openEmbedded, type Stores } from '../stores/embedded/open.ts'
import { largeBoard } from './large-board.ts'
import { inTurn, ownCpuSeconds, type Size } from './measure.ts'
import { quietRun } from './quiet-run.ts'
import type { BenchRow } from './row.ts'
import { cheapEnough } from './verdict.ts'

const PAGE = 5_000

export async function benchStart(size: Size): Promise<BenchRow[]> {
  const { dataDir, entries } = await largeBoard(size.entries)
  const costs = await inTurn(size.rounds, {
    reading: () => withStores(dataDir, readDocuments),
    starting: () => withStores(dataDir, start),
  })
  const what = `start with ${entries.toLocaleString('en')} entries / reading the documents`
  return [cheapEnough({ what, limit: costs.reading, ours: costs.starting }, 2)]
}

async function withStores(dataDir: string, work: (stores: Stores) => Promise<void>): Promise<number> {
  let stores: Stores | null = null
  const seconds = await ownCpuSeconds(async () => {
    stores = await openEmbedded(dataDir, () => {})
    await work(stores)
  })
  await (stores as Stores | null)?.close()
  return seconds
}

async function readDocuments({ views }: Stores): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page = await views.scan(viewKey(entriesView), 'entries', after, PAGE)
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? null
  }
}

async function start(stores: Stores): Promise<void> {
  const deps = quietRun(stores)
  const appliers = ALL_VIEWS.map((view) => createApplier(view, deps))
  await startViews(deps, appliers, () => {})
}
