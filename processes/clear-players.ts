// Removes the files of a player who was deleted, in whatever bucket they lie.

import { clearFiles, doomed } from '../commands/file.ts'
import { filesBy } from '../queries/files/clear.ts'
import type { FileProcessDeps } from './finish-files.ts'
import { ownIntent } from './intent.ts'
import type { Process } from './process.ts'

const AT_ONCE = 200
const SEEN_MS = 10_000

export function clearPlayers({ commands, queries, now, seen }: FileProcessDeps): Process {
  return {
    name: 'clear_players',
    takes: ['PlayerDeleted'],
    async react({ meta, position }, signal) {
      const { game, player } = meta
      if (game === null || player === undefined) return
      for (let at: string | null = position; at !== null && !signal.aborted; ) {
        if (!(await seen({ game, position: at }, SEEN_MS)))
          throw new Error('the views have not come to the player’s files')
        const files = await filesBy(queries, player, AT_ONCE)
        at = null
        for (const bucket of new Set(files.map((one) => one.bucket))) {
          const own = files.filter((one) => one.bucket === bucket)
          // Another player's may lie there by now.
          const all = own.map((one) => doomed(one, player))
          at = (await clearFiles(commands, { bucket, game }, all, ownIntent(now())))?.position ?? at
        }
      }
    },
  }
}
