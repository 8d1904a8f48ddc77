// Draws the token that a call is sent with: mostly of a caller who may make it.

import type { Random } from '../random.ts'
import type { Operation } from './document.ts'
import type { KnownGame, KnownPlayer, Pool } from './pool.ts'

export type CallerKind =
  | 'operator'
  | 'server'
  | 'client'
  | 'player'
  | 'banned player'
  | 'dead token'
  | 'other game'
  | 'garbage'
  | 'none'

export interface DrawnCaller {
  readonly kind: CallerKind
  readonly token: string | null
  /** The signed-in player whose token it is. */
  readonly player: KnownPlayer | null
}

const WRONG = 0.1
const WRONG_KINDS: readonly CallerKind[] = [
  ...(['server', 'client', 'player', 'banned player', 'dead token', 'other game', 'garbage', 'none'] as const),
]
const GARBAGE = ['garbage', 'a.b.c', 'x'.repeat(3_000), 'eyJhbGciOiJub25lIn0.e30.', '0']

export function drawCaller(operation: Operation, game: KnownGame, pool: Pool, random: Random): DrawnCaller {
  const kind = random.chance(WRONG) ? random.pick(WRONG_KINDS) : rightKind(operation, random)
  return callerOf(kind, game, pool, random)
}

function rightKind({ proof, permission, isTenantOnly, codes, id }: Operation, random: Random): CallerKind {
  if (proof !== 'bearer') return random.chance(0.95) ? 'none' : 'player'
  if (permission === 'sys:games') return 'operator'
  if (isTenantOnly) return 'server'
  // A client key's token has no player, and may not name one.
  if (permission !== null && codes.includes('player_required')) return random.pick(['player', 'server'])
  if (permission !== null) return random.pick(['player', 'player', 'server', 'server', 'client'])
  const isOfPlayer = codes.includes('player_required') || id === 'signOut'
  return random.chance(isOfPlayer ? 0.95 : 0.2) ? 'player' : 'client'
}

function callerOf(kind: CallerKind, game: KnownGame, pool: Pool, random: Random): DrawnCaller {
  switch (kind) {
    case 'operator':
      return { kind, token: pool.operator.token, player: null }
    case 'server':
      return { kind, token: game.server.token, player: null }
    case 'client':
      return { kind, token: game.client.token, player: null }
    case 'player':
    case 'banned player': {
      const isBanned = kind === 'banned player'
      const player = random.any(game.players.filter((one) => one.token !== null && one.isBanned === isBanned))
      if (player === null) return callerOf('client', game, pool, random)
      return { kind, token: player.token, player }
    }
    case 'other game':
      return { kind, token: random.any(pool.games.filter((one) => one !== game))?.server.token ?? null, player: null }
    case 'dead token':
      return { kind, token: random.any(pool.deadTokens), player: null }
    case 'garbage':
      return { kind, token: random.pick(GARBAGE), player: null }
    case 'none':
      return { kind, token: null, player: null }
  }
}
