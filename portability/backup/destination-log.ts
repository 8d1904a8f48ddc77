// Reads the events at a backup destination, and checks on the way that they are a whole log: hashes, order, revisions
// and ids, and with the root secret of the installation the authentication codes.

import type { StoredEvent } from '../../domain/event.ts'
import { orderOf } from '../export/order.ts'
import { mismatch } from './authenticity.ts'
import { readChunk } from './chunk.ts'
import { type BackupCodes, EMPTY_LOG, extended, isSameCode } from './codes.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import { type BackupManifest, isCoded } from './manifest.ts'
import { chunkName } from './objects.ts'

type Chunks = Pick<BackupManifest, 'installation' | 'chunks' | 'authentication'>

/** One page per chunk. `codes`: null if they are not checked. Throws BackupFault or ArchiveFault. */
export async function* readLog(
  destination: BackupDestination,
  { installation, chunks, authentication }: Chunks,
  codes: BackupCodes | null,
): AsyncGenerator<StoredEvent[]> {
  let prefix = EMPTY_LOG
  let after: string | null = null
  for (const chunk of chunks) {
    if (chunk.after !== after)
      throw new BackupFault(`A part of the log is missing in ${destination.shown} after ${after}.`)
    const name = chunkName(installation, chunk)
    const { events, linesSha256 } = await readChunk(destination, installation, chunk)
    if (events.length !== chunk.events)
      throw new BackupFault(`A chunk in ${destination.shown} has another number of events.`)
    if (codes !== null) {
      if (isCoded(chunk)) prefix = extended(prefix, { ...chunk, lines_sha256: linesSha256 })
      // The code is of the whole log up to the end of the chunk, so chunks before it cannot be other ones either.
      if (!isCoded(chunk) || !isSameCode(chunk.code, codes.ofLog(prefix)))
        throw mismatch(destination, name, 'an event in it was added, removed or changed')
    }
    yield events
    after = chunk.last
  }
  if (codes !== null && prefix.chain !== authentication?.log_chain)
    throw mismatch(destination, 'The list of chunks', 'it is not the list of the newest backup')
}

/** As `readLog`, with the checks between events. Takes some 40 bytes an event and 100 a stream. */
export async function* checkedLog(
  destination: BackupDestination,
  manifest: BackupManifest,
  codes: BackupCodes | null,
): AsyncGenerator<StoredEvent[]> {
  const { events: count, head } = manifest
  let order: ReturnType<typeof orderOf> | null = null
  for await (const events of readLog(destination, manifest, codes)) {
    const first = events[0]?.position ?? null
    order ??= orderOf({ events: count, keyed: null, first, last: head, format: 'ndjson', scope: { whole: true } })
    for (const event of events) order.next(event)
    yield events
  }
  order?.end()
  if (order === null && count > 0) throw new BackupFault(`The newest backup in ${destination.shown} has no events.`)
}
