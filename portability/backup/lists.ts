// Long lists of a manifest, in objects of their own: up to 1,000 entries each, one a line, named by their hash. A list
// that only grows keeps all of its objects but the last one, so a backup writes one, however much it lists.

import { compressedLines, parsedLine, readLines } from './compressed-lines.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import { listName, sha256Hex } from './names.ts'

const ENTRIES_PER_OBJECT = 1_000
/** An entry has at most some 2,000: the ids of 64 games. */
const MAX_TEXT_BYTES = 4_096 * ENTRIES_PER_OBJECT

/** An object with up to 1,000 entries of a list. */
export interface ListObject {
  readonly sha256: string
  readonly entries: number
}

/** Writes the objects whose hashes are not in `stored`: those are at the destination already. */
export async function writeList(
  destination: BackupDestination,
  entries: readonly object[],
  stored: ReadonlySet<string>,
): Promise<ListObject[]> {
  const objects: ListObject[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_OBJECT) {
    const some = entries.slice(at, at + ENTRIES_PER_OBJECT)
    const bytes = await compressedLines(some.map((entry) => `${JSON.stringify(entry)}\n`))
    const sha256 = sha256Hex(bytes)
    if (!stored.has(sha256)) await destination.write(listName(sha256), bytes)
    objects.push({ sha256, entries: some.length })
  }
  return objects
}

/** Entries as they were written. Throws BackupFault if an object is missing, was changed, or is listed twice. */
export async function readList<Entry>(
  destination: BackupDestination,
  objects: readonly ListObject[],
): Promise<Entry[]> {
  const all: Entry[] = []
  // Anyone can write a short list of objects that takes all memory.
  if (new Set(objects.map(({ sha256 }) => sha256)).size < objects.length)
    throw new BackupFault(`A manifest in ${destination.shown} names a list twice: a backup did not write it.`)
  for (const { sha256, entries } of objects) {
    const lines = await readLines(destination, listName(sha256), sha256, MAX_TEXT_BYTES)
    if (lines.length !== entries) throw new BackupFault(`${listName(sha256)} has another number of entries.`)
    for (const line of lines) all.push(parsedLine(line, listName(sha256)) as Entry)
  }
  return all
}
