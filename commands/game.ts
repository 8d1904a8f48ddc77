// Commands that create a game with its first server key, change its settings, and delete it.

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
 * Records the game first, then its key. After a crash in between, the game has no key: a repeat with the same
 * Idempotency-Key issues it, or the operator can issue another one.
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

/** `expect` throws if the game has changed since the caller read it. */
export function setGame(
  deps: CommandDeps,
  id: string,
  { change, expect }: { readonly change: GameChange; readonly expect: (state: Game) => void },
  context: CommandContext,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, changeGame(change, expect))
}

/** Sets the operator's limits of a game. They take effect on every node within some seconds. */
export function setGameLimits(
  deps: CommandDeps,
  id: string,
  change: { readonly [K in keyof GameLimits]?: GameLimits[K] | undefined },
  context: CommandContext,
) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, setLimits(change))
}

/** Reads the log once. */
export async function limitsOf(deps: CommandDeps, id: string): Promise<GameLimits> {
  return { ...NO_LIMITS, ...(await loadState(deps, game, gameStream(id)))?.limits }
}

/** Iterates over the prefixes of a game's keys in pages. */
type KeysOf = () => AsyncIterable<readonly string[]>

/**
 * Records that a game is deleted and publishes it to all nodes before it resolves. 409 `name_mismatch`; 404 if it is
 * deleted already, except for a repeated call. A reaction removes the game's data (reactions/delete-games.ts), and
 * finishes the publication after a failure.
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

/** Publishes a GameDeleted at a position. Idempotent. */
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

/** After this no event of the deleted game is recorded, and the existing ones are removed. */
export function beginGameErasure(deps: CommandDeps, id: string, context: CommandContext) {
  return deps.handler.handle(game, { stream: gameStream(id), game: id }, context, beginErasure)
}

/** Lists the secrets that events of a deleted game name, before the secrets and then the events are removed. */
export function listGameSecrets(deps: CommandDeps, id: string, secrets: GameSecrets, context: CommandContext) {
  return deps.handler.handle(gameSecrets, { stream: deletionsStream(id), game: null }, context, listSecrets(secrets))
}

/** Records that all data of a deleted game is removed. */
export function gameErased(deps: CommandDeps, id: string, events: number, context: CommandContext) {
  const listing = { stream: DELETED_GAMES_STREAM, game: null }
  return deps.handler.handle(deletedGames, listing, context, recordErased(id, events))
}
