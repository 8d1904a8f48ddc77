// Deletes the files of a deleted player, in all buckets.

import { clearFiles, fileToClear } from '../commands/file.ts'
import type { Position } from '../domain/event.ts'
import { filesBy } from '../queries/files/clear.ts'
import { type DeletedPlayer, onPlayerDeleted } from './deleted-player.ts'
import { ownContext } from './own-context.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { waitForViews } from './wait.ts'

const PAGE_SIZE = 200

export function clearPlayers(deps: ProcessDeps): Process {
  return onPlayerDeleted('clear_players', (gone, signal) => clearFilesOf(deps, gone, signal))
}

/** Resolves when the views show no file of the player, or the signal aborts. */
export async function clearFilesOf(deps: ProcessDeps, gone: DeletedPlayer, signal: AbortSignal): Promise<void> {
  const { commands, queries, now } = deps
  const { game, player } = gone
  for (let at: Position | null = gone.position; at !== null && !signal.aborted; ) {
    if (!(await waitForViews(deps, { game, position: at }, signal))) return
    const files = await filesBy(queries, player, PAGE_SIZE)
    at = null
    for (const bucket of new Set(files.map((one) => one.bucket))) {
      const own = files.filter((one) => one.bucket === bucket)
      // Another player's file may be at the path by now.
      const all = own.map((one) => fileToClear(one, player))
      at = (await clearFiles(commands, { bucket, game }, all, ownContext(now())))?.position ?? at
    }
  }
}
