// Finds chunks that hold what was deleted since they were written.

import type { StoredEvent } from '../../domain/event.ts'
import { readChunk } from './chunk.ts'
import { type Deletions, withoutDeleted } from './deletions.ts'
import type { BackupDestination } from './destination.ts'
import type { ChunkEntry } from './manifest.ts'

/** Whether it may hold data of removed games, or texts in clear of deleted players. */
export const holdsDeleted = ({ games, clear }: ChunkEntry, { erasedGames, players }: Deletions): boolean =>
  (games === null ? erasedGames.size > 0 : games.some((game) => erasedGames.has(game))) || (clear && players.size > 0)

/** The index of the first chunk that does; null if none does. Throws BackupFault or ArchiveFault. */
export async function firstWithDeleted(
  destination: BackupDestination,
  installation: string,
  chunks: readonly ChunkEntry[],
  deletions: Deletions,
): Promise<number | null> {
  const isChanged = (event: StoredEvent) => JSON.stringify(withoutDeleted(event, deletions)) !== JSON.stringify(event)
  for (const [index, chunk] of chunks.entries()) {
    if (!holdsDeleted(chunk, deletions)) continue
    const { events } = await readChunk(destination, installation, chunk)
    if (events.some(isChanged)) return index
  }
  return null
}
