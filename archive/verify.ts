// Whether an export is as it was written: nothing cut off, changed, moved or added, and its manifest its own.

import type { StoredEvent } from '../domain/event.ts'
import { isKeyed } from '../domain/streams.ts'
import { ArchiveFault, eventsFile, headLines, type Manifest, readManifest } from './manifest.ts'
import { checkedEvents, checkedPieces } from './read.ts'

/** How much of it was looked at, in pieces, of how many. */
export type Told = (done: number, all: number) => void

/** Rejects with ArchiveFault, whose message says what is wrong and where. */
export async function verifyArchive(folder: string, told: Told = () => {}): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const { format, pieces, events, scope } = manifest
  let done = 0
  if (format !== 'ndjson') {
    for await (const some of checkedPieces(folder, manifest)) {
      done += some.length
      told(done, pieces)
    }
    if (format === 'csv' && pieces < events + headLines(format)) throw miscounted(manifest, pieces - 1)
    return manifest
  }
  const order = orderOf(manifest, 'whole' in scope)
  for await (const some of checkedEvents(folder, manifest)) {
    for (const event of some) order.next(event)
    done += some.length
    told(done, pieces)
  }
  order.end()
  return manifest
}

const miscounted = ({ events }: Manifest, found: number) =>
  new ArchiveFault(`The manifest counts ${events} events, and there are ${found}: it is not of this export.`)

/** Checks that events come in the order of their log; of a whole log also that each stream is there from its beginning. */
function orderOf(manifest: Manifest, whole: boolean) {
  const revisions = new Map<string, number>()
  let last: string | null = null
  let count = 0
  let keyed = 0
  return {
    next({ position, stream, revision }: StoredEvent): void {
      count++
      if (isKeyed(stream)) keyed++
      const line = `Line ${count} of ${eventsFile(manifest.format)}`
      if (last !== null && position <= last) throw new ArchiveFault(`${line} does not stand after the one before it.`)
      if (count === 1 && position !== manifest.first) throw new ArchiveFault(`${line} is not at the first position.`)
      last = position
      if (!whole) return
      const next = (revisions.get(stream) ?? -1) + 1
      if (revision !== next) {
        throw new ArchiveFault(`${line} has revision ${revision} of ${stream}, and revision ${next} comes next.`)
      }
      revisions.set(stream, revision)
    },
    end(): void {
      if (count !== manifest.events) throw miscounted(manifest, count)
      if (keyed !== manifest.keyed) {
        const told = `counts ${manifest.keyed} events in streams named by digests, and there are ${keyed}`
        throw new ArchiveFault(`The manifest ${told}: it is not of this export.`)
      }
      if (last !== manifest.last) throw new ArchiveFault('The last event is not at the last position of the manifest.')
    },
  }
}
