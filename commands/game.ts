// Making a game with its first server key, changing its settings, and deleting it.

import {
  DELETED_GAMES_STREAM,
  deletedGames,
  deletionsStream,
  type GameSecrets,
  gameSecrets,
  listDeletion,
  listSecrets,
  recordErased,
} from '../domain/deleted-games.ts'
import type { Position } from '../domain/event.ts'
import {
  beginErasure,
  changeGame,
  createGame,
  deleteGame,
  type Game,
  type GameChange,
  type GameLimits,
  game,
  gameStream,
  NO_LIMITS,
  setLimits,
} from '../domain/game.ts'
import { defaultPermissions } from '../domain/permissions.ts'
import { type CommandContext, withoutIdempotencyKey } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { issue } from './key.ts'
import { loadState } from './load-state.ts'
import { publishDeletedGame } from './publish-revocations.ts'

/**
 * The game is recorded first, then its key. A crash between leaves a game without a key, whose secret nobody has seen:
 * repeating the call with its Idempotency-Key finishes it, and the operator can issue another key.
 */
export async function makeGame(deps: CommandDeps, name: string, context: CommandContext) {
  const id = context.generator.id('game')
  const handled = await deps.handler.handle(game, { stream: gameStream(id), game: id }, context, createGame(name))
  const firstKey = await issue(
    deps,
    {
      game: id,
      name: 'first server key',
      kind: 'server',
      algorithm: 'hmac-sha256',
      permissions: defaultPermissions('server', id),
    },
    context,
  )
  return { id, game: handled.after as Game, firstKey, replayed: handled.replayed }
}

/** `expect` refuses when the game is not as the caller last saw it. */
export function setGame(
  deps: CommandDeps,
  id: string,
  { change, expect }: { readonly change: GameChange; readonly expect: (state: Game) => void },
  context: CommandContext,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, changeGame(change, expect))
}

/** What the operator allows a game. A change is in force on every node some seconds later. */
export function setGameLimits(
  deps: CommandDeps,
  id: string,
  change: { readonly [K in keyof GameLimits]?: GameLimits[K] | undefined },
  context: CommandContext,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, setLimits(change))
}

/** One read of the log. */
export async function limitsOf(deps: CommandDeps, id: string): Promise<GameLimits> {
  return { ...NO_LIMITS, ...(await loadState(deps, game, gameStream(id)))?.limits }
}

/** Gives the prefixes of a game's keys in pages. */
type KeysOf = () => AsyncIterable<readonly string[]>

/**
 * Records that a game is deleted, and notifies every node, before this answers. 409
 * `name_mismatch`; 404 where it is deleted already, but for the repeated call. What the game had is removed by a process
 * (processes/delete-games.ts), which also goes on where this breaks off.
 */
export async function removeGame(
  deps: CommandDeps,
  id: string,
  { name, keysOf }: { readonly name: string; readonly keysOf: KeysOf },
  context: CommandContext,
) {
  const handled = await deps.handler.handle(game, { stream: gameStream(id), game: id }, context, deleteGame(name))
  if (handled.written !== null)
    await publishDeletion(deps, { game: id, position: handled.written.position }, keysOf, context)
  return handled
}

/** After a GameDeleted at a position. May be done again. */
export async function publishDeletion(
  deps: CommandDeps,
  { game: id, position }: { readonly game: string; readonly position: Position },
  keysOf: KeysOf,
  context: CommandContext,
): Promise<void> {
  await publishDeletedGame(deps, id, [], position)
  for await (const keys of keysOf()) await publishDeletedGame(deps, id, keys, position)
  const listing = { stream: DELETED_GAMES_STREAM, game: null }
  await deps.handler.handle(deletedGames, listing, withoutIdempotencyKey(context), listDeletion(id))
}

/** From then on no event of a deleted game is recorded, and those that are there are removed. */
export function beginGameErasure(deps: CommandDeps, id: string, context: CommandContext) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, beginErasure)
}

/** Which secrets some events of a deleted game name: before they are destroyed, and before those events are removed. */
export function listGameSecrets(deps: CommandDeps, id: string, secrets: GameSecrets, context: CommandContext) {
  return deps.handler.handle(gameSecrets, { stream: deletionsStream(id), game: null }, context, listSecrets(secrets))
}

/** Everything of a deleted game is removed. */
export function gameErased(deps: CommandDeps, id: string, events: number, context: CommandContext) {
  const listing = { stream: DELETED_GAMES_STREAM, game: null }
  return deps.handler.handle(deletedGames, listing, context, recordErased(id, events))
}
