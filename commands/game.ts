// Making a game with its first server key, and changing its settings.

import {
  changeGame,
  createGame,
  type Game,
  type GameChange,
  type GameLimits,
  game,
  gameStream,
  NO_LIMITS,
  setLimits,
} from '../domain/game.ts'
import { defaultPermissions } from '../domain/permissions.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'
import { issue } from './key.ts'
import { look } from './look.ts'

/**
 * The game is recorded first, then its key. A crash between leaves a game without a key, whose secret nobody has seen:
 * repeating the call with its Idempotency-Key finishes it, and the operator can issue another key.
 */
export async function makeGame(deps: CommandDeps, name: string, intent: Intent) {
  const id = intent.mint.id('game')
  const handled = await deps.handler.handle(game, { stream: gameStream(id), game: id }, intent, createGame(name))
  const firstKey = await issue(
    deps,
    {
      game: id,
      name: 'first server key',
      kind: 'server',
      algorithm: 'hmac-sha256',
      permissions: defaultPermissions('server', id),
    },
    intent,
  )
  return { id, game: handled.after as Game, firstKey, replayed: handled.replayed }
}

/** `expect` refuses when the game is not as the caller last saw it. */
export function setGame(
  deps: CommandDeps,
  id: string,
  change: GameChange,
  expect: (state: Game) => void,
  intent: Intent,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, intent, changeGame(change, expect))
}

/** What the operator allows a game. A change is in force on every node some seconds later. */
export function setGameLimits(
  deps: CommandDeps,
  id: string,
  change: { readonly [K in keyof GameLimits]?: GameLimits[K] | undefined },
  intent: Intent,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, intent, setLimits(change))
}

/** One read of the log. */
export async function limitsOf(deps: CommandDeps, id: string): Promise<GameLimits> {
  return { ...NO_LIMITS, ...(await look(deps, game, gameStream(id)))?.limits }
}
