// Verifies an export: nothing is cut off, changed, moved or added, the manifest belongs to it, and its events form a
// log or a part of one.

import { csvRows, parquetRows } from './archive-rows.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { type Ordered, orderOf } from './order.ts'
import { checkedChunks, checkedEvents } from './read.ts'

/** Progress: the number of checked events, and the share of the total work from 0 to 1. */
type OnProgress = (events: number, share: number) => void

/** Rejects with ArchiveFault, whose message says what is wrong and where. */
export async function verifyArchive(folder: string, onProgress: OnProgress = () => {}): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const { format, pieces, events } = manifest
  const isTwice = format === 'parquet'
  if (isTwice) {
    let done = 0
    for await (const some of checkedChunks(folder, manifest)) {
      done += some.length
      onProgress(0, done / pieces / 2)
    }
  }
  const order = orderOf(manifest)
  let done = 0
  for await (const some of eventsIn(folder, manifest)) {
    for (const event of some) order.next(event)
    done += some.length
    const share = done / Math.max(1, events)
    onProgress(done, isTwice ? (1 + share) / 2 : share)
  }
  order.end()
  return manifest
}

async function* eventsIn(folder: string, manifest: Manifest): AsyncGenerator<readonly Ordered[]> {
  if (manifest.format === 'csv') yield* csvRows(folder, manifest)
  else if (manifest.format === 'parquet') yield* parquetRows(folder)
  else {
    for await (const some of checkedEvents(folder, manifest)) {
      yield some.map(({ meta, position, stream, revision, id }) => ({
        position,
        stream,
        revision,
        id,
        time: meta.time,
      }))
    }
  }
}
