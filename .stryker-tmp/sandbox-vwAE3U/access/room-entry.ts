// Who may be in a game's rooms, asked when a ticket is redeemed and for as long as they stay: the rooms are on, and
// key, session and player still stand.

import { Refusal } from '../domain/decider.ts'
import type { FixedRoom, Game, Realtime } from '../domain/game.ts'
import { anyCovers } from '../domain/permissions.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { findGame, findGames } from '../queries/game.ts'
import { findPlayer } from '../queries/player.ts'
import { actingKey } from './authenticate.ts'
import type { Asked, Found, Statuses } from './statuses.ts'

/** Of a game whose rooms are on. */
export type RoomSettings = Omit<Realtime, 'enabled'>

export interface RoomPlayer {
  readonly id: string
  readonly name: string
}

export interface RoomGame {
  readonly settings: RoomSettings
  readonly fixedRooms: readonly FixedRoom[]
  readonly corsOrigins: readonly string[]
}

export interface RoomEntry extends RoomGame {
  readonly player: RoomPlayer | null
}

/** A game's rooms as they are set now; null where they are off, or the game is not there. */
export async function roomGame(deps: QueryDeps, game: string): Promise<RoomGame | null> {
  const found = await findGame(deps, game)
  return found === null ? null : roomGameOf(found.state)
}

/** Likewise, of many in one exchange. */
export async function roomGames(deps: QueryDeps, games: readonly string[]): Promise<Map<string, RoomGame | null>> {
  const found = await findGames(deps, games)
  return new Map(games.map((game, n) => [game, found[n] ? roomGameOf(found[n].state) : null]))
}

function roomGameOf({ realtime, fixedRooms, corsOrigins }: Game): RoomGame | null {
  const { enabled, ...settings } = realtime
  return enabled ? { settings, fixedRooms, corsOrigins } : null
}

/** Null if the holder of the ticket may not enter (any more). Throws StoreUnavailable if this cannot be decided. */
export async function enterRooms(
  deps: QueryDeps,
  statuses: Statuses,
  holder: RoomAsked,
  nowMs: number,
): Promise<RoomEntry | null> {
  const [stands] = await stillStand(statuses, [holder], nowMs)
  if (stands !== true) return null
  const [game, player] = await Promise.all([
    roomGame(deps, holder.game),
    holder.player === null ? null : findPlayer(deps, holder.player),
  ])
  if (game === null) return null
  if (player === null) {
    return holder.player === null && !game.settings.require_player ? { ...game, player: null } : null
  }
  return { ...game, player: { id: player.id, name: player.state.name ?? '' } }
}

/** Who is in a game's rooms, or of whom but a part is asked: the key alone, or without the player. */
export type RoomAsked = Asked & { readonly game: string }

/**
 * Of each, whether key, session and player still stand, and the key still opens the rooms. Throws StoreUnavailable where
 * nobody can tell of one of them.
 */
export async function stillStand(statuses: Statuses, asked: readonly RoomAsked[], nowMs: number): Promise<boolean[]> {
  const remembered = asked.map((one) => statuses.remembered(one))
  const read = await statuses.readAll(asked.filter((_, n) => remembered[n] === null))
  return asked.map((one, n) => {
    const found = remembered[n] ?? read.shift()
    return found !== undefined && stands(one, found, nowMs)
  })
}

function stands(asked: RoomAsked, found: Found, nowMs: number): boolean {
  try {
    const key = actingKey(asked, found, nowMs, {
      rejected: (why) => new Refusal('unauthenticated', 'ticket_rejected', why),
    })
    return anyCovers(key.permissions, `gm:${asked.game}:realtime`)
  } catch (why) {
    if (why instanceof Refusal) return false
    throw why
  }
}

/** Whether what a token carried once, and its key now, both allow this. */
export async function mayStill(
  statuses: Statuses,
  holder: { readonly key: string; readonly permissions: readonly string[] },
  permission: string,
): Promise<boolean> {
  if (!anyCovers(holder.permissions, permission)) return false
  const alone = { key: holder.key, session: null, player: null }
  const key = statuses.remembered(alone)?.key ?? (await statuses.key(holder.key))
  return key !== null && !key.revoked && anyCovers(key.permissions, permission)
}
