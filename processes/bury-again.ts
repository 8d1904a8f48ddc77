// At start: a vault that was restored from a copy holds keys of players who were deleted since. They are destroyed again
// before anything is answered. How far that has come is kept in the vault itself, and so goes back with it.

import { forgetPaths, forgetText } from '../commands/forget.ts'
import { filesKeyOf } from '../domain/personal.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { filesBy, foldersBy } from '../queries/files/clear.ts'
import { deletedPlayers } from '../queries/player.ts'
import type { Vault } from '../stores/contract/vault.ts'

const MARK = 'deletions'
/** Clocks of nodes differ by less: so much before the mark is looked at again. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

/** Over views that have caught up. Gives how many keys there were to destroy. */
export async function buryAgain(vault: Vault, queries: QueryDeps): Promise<number> {
  const kept = await vault.get('installation', MARK)
  const mark = kept === null ? null : Buffer.from(kept).toString()
  const since = mark === null ? null : new Date(Date.parse(mark) - OVERLAP_MS).toISOString()
  let latest = mark ?? ''
  let destroyed = 0
  for await (const { id, deletedAt } of deletedPlayers(queries, since)) {
    const key = await vault.get('player-key', id)
    if (key === null || key.length > 0) {
      await forgetText({ vault }, id)
      destroyed++
    }
    if (await hasPathsLeft(vault, queries, id)) await forgetPaths({ vault }, id)
    if (deletedAt > latest) latest = deletedAt
  }
  if (latest === (mark ?? '')) return destroyed
  // Where it stops between the two, the next start looks at all of them.
  await vault.destroy('installation', MARK)
  await vault.putIfAbsent('installation', MARK, Buffer.from(latest))
  return destroyed
}

/** Whether a key of paths is there that nothing needs. Where files or folders are left, erase-files.ts is yet to remove them. */
async function hasPathsLeft(vault: Vault, queries: QueryDeps, player: string): Promise<boolean> {
  const key = await vault.get('player-key', filesKeyOf(player))
  if (key === null || key.length === 0) return false
  const [file] = await filesBy(queries, player, 1)
  const [folder] = await foldersBy(queries, player, 1)
  return file === undefined && folder === undefined
}
