// Reads the events at a backup place, and checks on the way that they are a whole log: hashes, order, revisions and ids.

import { orderOf } from '../archive/order.ts'
import type { StoredEvent } from '../domain/event.ts'
import { readChunk } from './chunk.ts'
import type { BackupManifest } from './manifest.ts'
import { BackupFault, type BackupPlace } from './place.ts'

type Chunks = Pick<BackupManifest, 'installation' | 'chunks'>

/** One page per chunk. Throws BackupFault or ArchiveFault. */
export async function* readLog(place: BackupPlace, { installation, chunks }: Chunks): AsyncGenerator<StoredEvent[]> {
  let after: string | null = null
  for (const chunk of chunks) {
    if (chunk.after !== after) throw new BackupFault(`A part of the log is missing in ${place.shown} after ${after}.`)
    const events = await readChunk(place, installation, chunk)
    if (events.length !== chunk.events) throw new BackupFault(`A chunk in ${place.shown} has another number of events.`)
    yield events
    after = chunk.last
  }
}

/** As `readLog`, with the checks between events. Takes some 40 bytes an event and 100 a stream. */
export async function* checkedLog(place: BackupPlace, manifest: BackupManifest): AsyncGenerator<StoredEvent[]> {
  const { events: count, head } = manifest
  let order: ReturnType<typeof orderOf> | null = null
  for await (const events of readLog(place, manifest)) {
    const first = events[0]?.position ?? null
    order ??= orderOf({ events: count, keyed: null, first, last: head, format: 'ndjson', scope: { whole: true } })
    for (const event of events) order.next({ ...event, time: event.meta.time })
    yield events
  }
  order?.end()
  if (order === null && count > 0) throw new BackupFault(`The newest backup in ${place.shown} has no events.`)
}
