// The callers of a simulated history, and the model's answers to two questions: is a token valid, and is a sign-in
// method enabled.

import { externalDigest } from '../../../commands/player.ts'
import { claimStream, digestOf } from '../../../commands/sign-in/claims.ts'
import { externalStream } from '../../../domain/player.ts'
import type { Random } from '../../random.ts'
import type { Model, ModelPlayer, ModelSignIn } from '../model/model.ts'
import { KEYS } from '../world/node.ts'
import type { Bearer, CallTime, Known } from './command.ts'

/** A device that has a game's key and no signed-in player. */
export function deviceOf(random: Random, known: Known): Bearer | null {
  const key = random.any(known.keys)
  return key === null ? null : { game: key.game, key: key.prefix, player: null, session: null, expiresAt: 0 }
}

/** The codes with which a call with this token is refused, in one state. */
export function notLetIn(model: Model, as: Bearer | 'tenant', { nowMs }: CallTime): string[] {
  if (as === 'tenant') return []
  const isOut = as.session !== null && !model.isOpen(as.session)
  const isOver = model.keys.get(as.key)?.revoked !== false || isOut
  const player = as.player === null ? null : model.players.get(as.player)
  const rejected = isOver || player === undefined ? ['token_rejected'] : []
  return player && isBannedAt(player, nowMs) ? [...rejected, 'player_banned'] : rejected
}

export function isBannedAt({ banned }: ModelPlayer, nowMs: number): boolean {
  return banned !== null && (banned.until === null || Date.parse(banned.until) > nowMs)
}

/** The codes with which signing in to a game by this method is refused, in one state. */
export function notOpen(model: Model, game: string, way: keyof ModelSignIn): string[] {
  const present = model.games.get(game)
  if (present === undefined) return ['game_not_found']
  return present.signIn[way] ? [] : ['sign_in_method_off']
}

/** The codes with which a player's sign-in is refused, in one state. */
export function mayNotPlay(model: Model, player: string, { nowMs }: Pick<CallTime, 'nowMs'>): string[] {
  const present = model.players.get(player)
  if (present === undefined) return ['sign_in_rejected']
  return isBannedAt(present, nowMs) ? ['player_banned'] : []
}

const WITH_KEYS = { keys: KEYS }

/** The stream that decides which player owns a login, an address or an external id. */
export function claimOn(kind: 'login' | 'email' | 'external', game: string, text: string): string {
  if (kind === 'external') return externalStream(game, externalDigest(WITH_KEYS, game, text))
  return claimStream(kind, game, digestOf(WITH_KEYS, kind, game, text))
}

/** The player to whom a login or an address is linked, in one state; a claim alone does not count. */
export function linkedBy(model: Model, kind: 'login' | 'email', game: string, text: string) {
  const claim = model.claims.get(claimOn(kind, game, text))
  const player = claim === undefined ? undefined : model.players.get(claim.player)
  const link = player?.links.find((one) => one.kind === kind && one.secret === claim?.secret)
  if (claim === undefined || player === undefined || link === undefined) return null
  return { id: claim.player, player, link, password: model.passwords.get(claim.secret) ?? null }
}
