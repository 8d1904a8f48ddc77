// Key files: the operator's in `<DATA_DIR>/operator.json`, and one per game created here in `<DATA_DIR>/keys/`,
// readable only by their owner.

import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiKey } from '../clients/javascript/connect.ts'
import { keyIn } from '../clients/javascript/key-file.ts'
import type { MadeKey } from '../clients/javascript/shapes.ts'
import { writePrivately } from '../stores/embedded/data-folder.ts'
import { CommandFault } from './failure.ts'

export interface KeyFile {
  readonly key: ApiKey
  /** The key's game; null for the operator key, or if the file does not name it. */
  readonly game: string | null
  readonly path: string
}

const keysFolder = (dataDir: string): string => join(dataDir, 'keys')
const gameFile = (dataDir: string, game: string): string => join(keysFolder(dataDir), `${game}.json`)

/** Null if the file does not exist. Throws CommandFault if it cannot be read or contains no key. */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandFault(`The key file ${path} cannot be read: ${(failure as Error).message}`)
  }
  const file = keyIn(text)
  if (file === null)
    throw new CommandFault(`${path} holds no key: it must be JSON with "prefix", and "secret" or "private_key".`)
  const { game = null, ...key } = file
  return { key, game, path }
}

export function readGameKey(dataDir: string, game: string): Promise<KeyFile | null> {
  // An invalid id has no file here, and must not lead out of the folder.
  return /^[a-z0-9]+$/.test(game) ? readKeyFile(gameFile(dataDir, game)) : Promise.resolve(null)
}

export async function gamesWithKeys(dataDir: string): Promise<string[]> {
  const names = await readdir(keysFolder(dataDir)).catch(() => [])
  return names.flatMap((name) => /^([a-z0-9]+)\.json$/.exec(name)?.[1] ?? []).sort()
}

/** Saves a game's key, replacing an earlier one. Returns the path. */
export function keepGameKey(dataDir: string, game: string, made: MadeKey): Promise<string> {
  return keep(dataDir, gameFile(dataDir, game), game, made)
}

/** Saves another key of a game, which commands use only with --key-file. Returns the path. */
export function keepOtherKey(dataDir: string, game: string, made: MadeKey): Promise<string> {
  return keep(dataDir, join(keysFolder(dataDir), `${game}-${made.kind}-${made.algorithm}.json`), game, made)
}

async function keep(dataDir: string, path: string, game: string, made: MadeKey): Promise<string> {
  const { prefix, secret, private_key: privateKey } = made
  const shown = secret === undefined ? { private_key: privateKey } : { secret }
  await mkdir(keysFolder(dataDir), { recursive: true, mode: 0o700 })
  await writePrivately(path, { prefix, ...shown, game })
  return path
}
