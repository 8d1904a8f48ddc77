// Reads the events at a backup destination, and checks on the way that they are a whole log: hashes, order, revisions and ids.

import { orderOf } from '../archive/order.ts'
import type { StoredEvent } from '../domain/event.ts'
import { readChunk } from './chunk.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { BackupManifest } from './manifest.ts'

type Chunks = Pick<BackupManifest, 'installation' | 'chunks'>

/** One page per chunk. Throws BackupFault or ArchiveFault. */
export async function* readLog(
  destination: BackupDestination,
  { installation, chunks }: Chunks,
): AsyncGenerator<StoredEvent[]> {
  let after: string | null = null
  for (const chunk of chunks) {
    if (chunk.after !== after)
      throw new BackupFault(`A part of the log is missing in ${destination.shown} after ${after}.`)
    const events = await readChunk(destination, installation, chunk)
    if (events.length !== chunk.events)
      throw new BackupFault(`A chunk in ${destination.shown} has another number of events.`)
    yield events
    after = chunk.last
  }
}

/** As `readLog`, with the checks between events. Takes some 40 bytes an event and 100 a stream. */
export async function* checkedLog(
  destination: BackupDestination,
  manifest: BackupManifest,
): AsyncGenerator<StoredEvent[]> {
  const { events: count, head } = manifest
  let order: ReturnType<typeof orderOf> | null = null
  for await (const events of readLog(destination, manifest)) {
    const first = events[0]?.position ?? null
    order ??= orderOf({ events: count, keyed: null, first, last: head, format: 'ndjson', scope: { whole: true } })
    for (const event of events) order.next({ ...event, time: event.meta.time })
    yield events
  }
  order?.end()
  if (order === null && count > 0) throw new BackupFault(`The newest backup in ${destination.shown} has no events.`)
}
