// Connects a command to the server: with the operator key, with a game's key, or with the key of the game that owns an
// id.

import { type Client, connect, ProblemError } from '../clients/javascript/connect.ts'
import { isBoardKey } from '../domain/board-key.ts'
import { operatorFile } from '../server/operator.ts'
import { CommandFault, KeyRefused, UsageFault } from './failure.ts'
import { gamesWithKeys, type KeyFile, readGameKey, readKeyFile } from './key-files.ts'
import type { Target } from './target.ts'
import { printable } from './terminal.ts'

interface AtGame {
  readonly client: Client
  readonly game: string
}

interface WithGameKey extends AtGame {
  /** Of the key that the client signs in with. */
  readonly keyPrefix: string
}

/** A person waits: report a server that does not answer at once. */
const RECONNECT_MS = 500
/** Each name takes a handshake. */
const NAMED_MAX = 20

/**
 * Rejects with KeyRefused if the server does not accept the key. An expired challenge is ruled out: it is signed at
 * once.
 */
async function connectTo({ url }: Target, { key, path }: KeyFile, now = Date.now): Promise<Client> {
  try {
    return await connect({ baseUrl: url, key, reconnectMs: RECONNECT_MS, now })
  } catch (failure) {
    if (!(failure instanceof ProblemError) || failure.code !== 'challenge_rejected') throw failure
    throw new KeyRefused(failure, { prefix: key.prefix, path })
  }
}

async function operatorKeyFile(target: Target): Promise<KeyFile> {
  if (target.keyFile !== null) return namedKey(target.keyFile)
  const path = operatorFile(target.dataDir)
  const file = await readKeyFile(path)
  if (file !== null) return file
  throw new CommandFault(
    `There is no operator key in ${path}. The first start on an empty data folder writes it, and so does ` +
      '`npx scorebook init`. If the key is in another folder, pass --key-file or set DATA_DIR.',
  )
}

/** `now`: the server's clock, Unix milliseconds. */
export async function asOperator(target: Target, now?: () => number): Promise<Client> {
  return connectTo(target, await operatorKeyFile(target), now)
}

/**
 * Connects as `named`, which is the game of --game where a command names no other. If none is named: as the game of
 * --key-file, or as the only game whose key is saved in the data folder.
 */
export async function asGame(target: Target, named = target.game): Promise<WithGameKey> {
  const { file, game } = await gameKey(target, named)
  return { client: await connectTo(target, file), game, keyPrefix: file.key.prefix }
}

async function gameKey(target: Target, named: string | null): Promise<{ file: KeyFile; game: string }> {
  if (target.keyFile !== null) {
    const file = await namedKey(target.keyFile)
    const game = named ?? file.game
    if (game !== null) return { file, game }
    throw new UsageFault(`${target.keyFile} does not name its game. Pass --game <id>.`)
  }
  const game = named ?? (await onlyGame(target))
  const file = await readGameKey(target.dataDir, game)
  if (file !== null) return { file, game }
  throw new CommandFault(
    `No key of game ${game} is saved in ${target.dataDir}/keys. Pass --key-file, or issue a key as operator: ` +
      `${target.invocation} key issue --game ${game} --kind server --name cli --save`,
  )
}

async function onlyGame(target: Target): Promise<string> {
  const { dataDir, invocation } = target
  const games = await gamesWithKeys(dataDir)
  const [first] = games
  if (first === undefined) {
    throw new UsageFault(
      `No game key is saved in ${dataDir}/keys yet. Create a game: ${invocation} game create "My game"`,
    )
  }
  if (games.length === 1) return first
  throw new UsageFault(`Several games have keys here. Pass --game with one of:${await namedGames(target, games)}`)
}

/** A line for each game, with its name if the server tells it. */
async function namedGames(target: Target, games: readonly string[]): Promise<string> {
  const lines = games.map(async (game, at) => `\n  ${game}${at < NAMED_MAX ? await nameOf(target, game) : ''}`)
  return (await Promise.all(lines)).join('')
}

async function nameOf(target: Target, game: string): Promise<string> {
  try {
    const { client } = await asGame(target, game)
    return `  ${printable((await client.game(game)).name)}`
  } catch {
    // The list of ids helps without the server, too.
    return ''
  }
}

async function namedKey(path: string): Promise<KeyFile> {
  const file = await readKeyFile(path)
  if (file !== null) return file
  throw new UsageFault(`The key file ${path} does not exist. Check --key-file.`)
}

/**
 * Runs with the key of the game that owns an id. If no game is named, tries each saved key in turn: the server answers
 * 404 for an id of another game and changes nothing.
 */
export async function tryEachGame<T>(target: Target, run: (at: WithGameKey) => Promise<T>): Promise<T> {
  const games = target.game === null && target.keyFile === null ? await gamesWithKeys(target.dataDir) : []
  if (games.length < 2) return run(await asGame(target))
  let last: unknown
  for (const game of games) {
    try {
      return await run(await asGame(target, game))
    } catch (failure) {
      // A saved key may be revoked or belong to another server. The next key may still be the right one.
      if (!(failure instanceof ProblemError) || ![401, 404].includes(failure.status)) throw failure
      if (!(last instanceof ProblemError) || failure.status === 404) last = failure
    }
  }
  throw last
}

/**
 * The same for a leaderboard, by its id or key. Several games may have a key: then nothing is run, and UsageFault asks
 * for the game.
 */
export async function tryEachGameOf<T>(target: Target, leaderboard: string, run: (at: WithGameKey) => Promise<T>) {
  if (!isBoardKey(leaderboard) || target.game !== null || target.keyFile !== null) return tryEachGame(target, run)
  const owners: string[] = []
  for (const game of await gamesWithKeys(target.dataDir)) {
    const found = await tryEachGame({ ...target, game }, ({ client }) => client.leaderboard(leaderboard)).catch(
      notThere,
    )
    if (found !== null) owners.push(game)
  }
  const [game] = owners
  if (owners.length > 1) {
    throw new UsageFault(
      `Several games have a leaderboard ${leaderboard}. Pass --game with one of:${await namedGames(target, owners)}`,
    )
  }
  if (game !== undefined) return tryEachGame({ ...target, game }, run)
  return tryEachGame(target, run).catch((failure) => {
    throw inNoGame(failure, leaderboard, target)
  })
}

/** The 404 of a leaderboard's key that no game has: the leaderboard may be of a game whose key is not saved here. */
function inNoGame(failure: unknown, leaderboard: string, { dataDir, invocation }: Target): unknown {
  if (!(failure instanceof ProblemError) || failure.code !== 'leaderboard_not_found') return failure
  const detail =
    `No game whose key is saved in ${dataDir}/keys has a leaderboard ${leaderboard}. ` +
    `Leaderboards of a game: ${invocation} board list --game <game>; games: ${invocation} game list`
  return new ProblemError(failure.status, { ...failure.fields, detail })
}

function notThere(failure: unknown): null {
  if (failure instanceof ProblemError && [401, 404].includes(failure.status)) return null
  throw failure
}

/**
 * Uses the game's own key if it is saved and still valid, otherwise the operator key, which may issue keys of any game.
 */
export async function forKeys(target: Target): Promise<AtGame> {
  const { game } = target
  if (game === null || target.keyFile !== null) return asGame(target)
  const file = await readGameKey(target.dataDir, game)
  if (file !== null) {
    try {
      return { client: await connectTo(target, file), game }
    } catch (failure) {
      if (!(failure instanceof ProblemError) || failure.code !== 'challenge_rejected') throw failure
    }
  }
  return { client: await asOperator(target), game }
}

/**
 * Connects with the operator key of --key-file or the data folder; null if the command names a game, or if neither is
 * an operator key of this server.
 */
export async function asOperatorIfAny(target: Target): Promise<Client | null> {
  if (target.game !== null) return null
  const file =
    target.keyFile === null ? await readKeyFile(operatorFile(target.dataDir)) : await namedKey(target.keyFile)
  if (file === null || file.game !== null) return null
  try {
    return await connectTo(target, file)
  } catch (failure) {
    if (failure instanceof KeyRefused && target.keyFile === null) return null
    throw failure
  }
}
