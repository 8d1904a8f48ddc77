// Removes the files of a player who was deleted, in whatever bucket they lie.

import { clearFiles, doomed } from '../commands/file.ts'
import { filesBy } from '../queries/files/clear.ts'
import type { ProcessDeps } from './deps.ts'
import { ownIntent } from './intent.ts'
import type { Process } from './process.ts'
import { viewsHave } from './wait.ts'

const AT_ONCE = 200

export function clearPlayers(deps: ProcessDeps): Process {
  const { commands, queries, now } = deps
  return {
    name: 'clear_players',
    takes: ['PlayerDeleted'],
    async react({ meta, position }, signal) {
      const { game, player } = meta
      if (game === null || player === undefined) return
      for (let at: string | null = position; at !== null && !signal.aborted; ) {
        if (!(await viewsHave(deps, { game, position: at }, signal))) return
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
