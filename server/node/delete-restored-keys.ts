// At start: destroys keys of deleted players and secrets of deleted games that a vault restored from a backup
// contains again, before any request is answered. The progress marker is in the vault itself, so a restore resets it
// too.

import { forgetPaths, forgetText } from '../../commands/forget.ts'
import {
  DELETED_GAMES_STREAM,
  type DeletedGamesEvent,
  deletionsStream,
  type GameSecretsListed,
} from '../../domain/deleted-games.ts'
import { unsafeCast } from '../../domain/event.ts'
import { filesKeyOf } from '../../domain/personal.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { filesBy, foldersBy } from '../../queries/files/clear.ts'
import { deletedPlayers } from '../../queries/player.ts'
import { destroySecrets } from '../../reactions/game-leftovers.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'

const MARKER = 'deletions'
/** Deletions up to this long before the marker are checked again; node clocks differ by less. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

/**
 * Requires views that have caught up. Returns how many keys and secrets it destroyed. The marker is never later than
 * `nowMs`: a deletion that a clock ahead dated would otherwise hide all later ones from the next restore.
 */
export async function deleteRestoredKeys(
  vault: Vault,
  log: Pick<Log, 'readStream'>,
  queries: QueryDeps,
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs).toISOString()
  const stored = await vault.get('installation', MARKER)
  const marker = stored === null ? '' : Buffer.from(stored).toString()
  const since = marker === '' || marker > now ? null : new Date(Date.parse(marker) - OVERLAP_MS).toISOString()
  const players = await destroyPlayerKeys(vault, queries, since)
  const games = await destroyGameSecrets(vault, log, since)
  const destroyed = players.destroyed + games.destroyed
  const newest = [marker, players.latest, games.latest].reduce((a, b) => (a > b ? a : b))
  const latest = newest < now ? newest : now
  if (latest === marker) return destroyed
  // After a crash between these two calls, the next start checks all deletions.
  await vault.destroy('installation', MARKER)
  await vault.putIfAbsent('installation', MARKER, Buffer.from(latest))
  return destroyed
}

interface Destroyed {
  readonly destroyed: number
  /** Time of the latest deletion that was processed; empty if none. */
  readonly latest: string
}

async function destroyPlayerKeys(vault: Vault, queries: QueryDeps, since: string | null): Promise<Destroyed> {
  let latest = ''
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
  return { destroyed, latest }
}

/**
 * Destroys secrets of games removed since then or still being removed; the removal itself skips events it has removed.
 */
async function destroyGameSecrets(
  vault: Vault,
  log: Pick<Log, 'readStream'>,
  since: string | null,
): Promise<Destroyed> {
  const erasedAt = new Map<string, string | null>()
  for await (const event of eventsFrom(log, DELETED_GAMES_STREAM)) {
    const { type, data } = unsafeCast<DeletedGamesEvent>(event)
    erasedAt.set(data.game, type === 'GameErased' ? event.meta.time : null)
  }
  let latest = ''
  let destroyed = 0
  for (const [game, time] of erasedAt) {
    if (time !== null && since !== null && time < since) continue
    for await (const listed of eventsFrom(log, deletionsStream(game))) {
      const { type, data } = unsafeCast<GameSecretsListed>(listed)
      if (type === 'GameSecretsListed') destroyed += await destroySecrets(vault, data.secrets)
    }
    if (time !== null && time > latest) latest = time
  }
  return { destroyed, latest }
}

/**
 * Whether an unneeded key of paths is left. If files or folders are left, erase-files.ts removes them and then the key.
 */
async function hasPathsLeft(vault: Vault, queries: QueryDeps, player: string): Promise<boolean> {
  const key = await vault.get('player-key', filesKeyOf(player))
  if (key === null || key.length === 0) return false
  const [file] = await filesBy(queries, player, 1)
  const [folder] = await foldersBy(queries, player, 1)
  return file === undefined && folder === undefined
}
