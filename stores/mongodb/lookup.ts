// Reads documents by id. Concurrent reads, of any requests, share one command.

import type { Collection } from 'mongodb'
import type { Document } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { batching } from './batching.ts'
import type { CallTimeout } from './call-timeout.ts'
import { documentOf, type Row } from './document-rows.ts'

/** By id; missing or null if there is none. */
export type Found = ReadonlyMap<string, Document | null>
export type Lookup = (ids: readonly string[]) => Promise<Found>

const IDS_AT_ONCE = 1_000

export function createLookup(rows: Collection<Row>, withCallTimeout: CallTimeout): Lookup {
  return batching((ids) => read(rows, ids, withCallTimeout))
}

async function read(rows: Collection<Row>, ids: readonly string[], withCallTimeout: CallTimeout): Promise<Found> {
  // An invalid id matches nothing, so it is not queried.
  const fetched = [...new Set(ids.filter(isPlain))]
  const found = new Map<string, Document | null>()
  for (let at = 0; at < fetched.length; at += IDS_AT_ONCE) {
    const some = fetched.slice(at, at + IDS_AT_ONCE)
    const page = rows.find({ _id: { $in: some } }, { projection: { pos: 1, doc: 1 }, batchSize: some.length + 1 })
    for (const row of await withCallTimeout(page.toArray())) found.set(row._id, documentOf(row))
  }
  return found
}
