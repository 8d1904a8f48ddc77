// Decides who may be in a game's rooms, when a ticket is redeemed and while they stay: rooms are enabled, and key,
// session and player are still valid.

import { actingKey } from '../access/authenticate.ts'
import { cachedOrRead, type Identity, type IdentityStatus, type Statuses } from '../access/statuses.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'
import { Refusal } from '../domain/decider.ts'
import type { FixedRoom, Game, Realtime } from '../domain/game.ts'
import { anyCovers, keyCovers } from '../domain/permissions.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { findGame, findGames } from '../queries/game.ts'
import { findPlayer } from '../queries/player.ts'

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

/** The present room settings of a game; null if rooms are disabled or the game does not exist. */
export async function roomGame(deps: QueryDeps, game: string): Promise<RoomGame | null> {
  const found = await findGame(deps, game)
  return found === null ? null : roomGameOf(found.state)
}

/** The same for many games in one query. */
export async function roomGames(deps: QueryDeps, games: readonly string[]): Promise<Map<string, RoomGame | null>> {
  const found = await findGames(deps, games)
  return new Map(games.map((game, n) => [game, found[n] ? roomGameOf(found[n].state) : null]))
}

function roomGameOf({ realtime, fixedRooms, corsOrigins }: Game): RoomGame | null {
  const { enabled, ...settings } = realtime
  return enabled ? { settings, fixedRooms, corsOrigins } : null
}

/** Null if the holder of the ticket may not enter, or no longer. Throws StoreUnavailable if this cannot be decided. */
export async function enterRooms(
  deps: QueryDeps,
  statuses: Statuses,
  holder: RoomIdentity & { readonly listens?: boolean },
  nowMs: number,
): Promise<RoomEntry | null> {
  const [isStillAllowed] = await areStillAllowed(statuses, [holder], nowMs)
  if (isStillAllowed !== true) return null
  const [game, player] = await Promise.all([
    roomGame(deps, holder.game),
    holder.player === null ? null : findPlayer(deps, holder.player),
  ])
  if (game === null) return null
  if (player === null) {
    const mayBeNobody = holder.listens === true || !game.settings.require_player
    return holder.player === null && mayBeNobody ? { ...game, player: null } : null
  }
  return { ...game, player: { id: player.id, name: player.state.name ?? '' } }
}

/** An identity in a game's rooms. Session and player are null to check the key only. */
export type RoomIdentity = Identity & { readonly game: string }

/**
 * For each identity, whether key, session and player are still valid and the key still permits the rooms. Throws
 * StoreUnavailable if one of them cannot be decided.
 */
export async function areStillAllowed(
  statuses: Statuses,
  identities: readonly RoomIdentity[],
  nowMs: number,
): Promise<boolean[]> {
  const found = await cachedOrRead(statuses, identities)
  return identities.map((one, nth) => isStillAllowed(one, found[nth] as IdentityStatus, nowMs))
}

function isStillAllowed(identity: RoomIdentity, found: IdentityStatus, nowMs: number): boolean {
  try {
    const key = actingKey(identity, found, nowMs, {
      rejected: (error) => new Refusal('unauthenticated', 'ticket_rejected', error),
    })
    return keyCovers(key, identity.game, `gm:${identity.game}:realtime`)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Whether both the permissions of a token at its issue and those of its key now cover a permission. */
export async function mayStill(
  statuses: Statuses,
  holder: Pick<RoomHolder, 'key' | 'game' | 'permissions'>,
  permission: string,
): Promise<boolean> {
  if (!anyCovers(holder.permissions, permission)) return false
  const keyOnly = { key: holder.key, session: null, player: null }
  const key = statuses.cached(keyOnly)?.key ?? (await statuses.key(holder.key))
  return key !== null && !key.revoked && keyCovers(key, holder.game, permission)
}

export interface Redeemed {
  readonly holder: RoomHolder
  readonly entry: RoomEntry
}

export interface Admission extends Redeemed {
  readonly network: string
  /** The same address if limits per address are on; else null. */
  readonly address: string | null
}
