// A data folder with a large board, one entry per player, cached in the system's temporary folder. Its events are
// written directly into the log; a server start then builds the views. Another checkout makes a folder of its own
// format.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Append, numbers, playerCreated, playerId, sessionStarted, submitted } from './events.ts'
import { ROOT } from './processes.ts'
import { buildViews, recordBoard } from './recorded-board.ts'
import type { World } from './test-game.ts'

/** Increase it if the generated events change. */
const FORMAT = 3
const SCORES = 10_000_000
/** Inputs of a folder's content; a change rebuilds it. */
const SHAPERS = [
  'stores/embedded/log.ts',
  'stores/embedded/log-schema.ts',
  'stores/embedded/views-schema.ts',
  'projections/entries.ts',
  'projections/entry-documents.ts',
]

interface LargeBoard {
  readonly dataDir: string
  readonly world: World
  readonly entries: number
}

/**
 * The folder, created if missing by `checkout`, which must be built. Only one measurement at a time may run a server on
 * it. `signedIn`: each player has an open session.
 */
export async function largeBoard(entries: number, checkout = ROOT, signedIn = false): Promise<LargeBoard> {
  const prefix = `scorebook-bench-${signedIn ? 'callers' : 'board'}-${entries}-${hashOf([checkout])}-`
  const name = prefix + shape(checkout)
  const dataDir = join(tmpdir(), name)
  if (!existsSync(dataDir)) {
    for (const old of readdirSync(tmpdir())) {
      if (old.startsWith(prefix)) await rm(join(tmpdir(), old), { recursive: true })
    }
    await make(dataDir, entries, checkout, signedIn)
  }
  const world: World = JSON.parse(await readFile(join(dataDir, 'world.json'), 'utf8'))
  return { dataDir, world, entries }
}

async function make(dataDir: string, entries: number, checkout: string, signedIn: boolean): Promise<void> {
  process.stderr.write(`making a board of ${entries.toLocaleString('en')} entries, kept in ${dataDir}\n`)
  const making = `${dataDir}.making`
  await rm(making, { recursive: true, force: true })
  await mkdir(making)
  const board = { name: 'Large', unique: true }
  const world = await recordBoard(making, board, (made) => boardEvents(made, entries, signedIn), checkout)
  await buildViews(making, checkout)
  await writeFile(join(making, 'world.json'), JSON.stringify(world))
  await rename(making, dataDir)
}

/** Creates players, each with one submission. */
export function* entryEvents(world: World, entries: number): Iterable<Append> {
  const random = numbers(1)
  for (let n = 0; n < entries; n++) {
    yield playerCreated(world.game, n)
    yield submitted(world, playerId(n), random(SCORES), 0, n)
  }
}

function* boardEvents(world: World, entries: number, signedIn: boolean): Iterable<Append> {
  yield* entryEvents(world, entries)
  if (signedIn) for (let n = 0; n < entries; n++) yield sessionStarted(world.game, world.key.prefix, n)
}

function shape(checkout: string): string {
  const files = SHAPERS.map((file) => join(checkout, file)).filter((file) => existsSync(file))
  return hashOf([`${FORMAT}`, ...files.map((file) => readFileSync(file, 'utf8'))])
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 12)
}
