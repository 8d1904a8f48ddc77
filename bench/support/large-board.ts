// A data folder with a large board, one entry per player, cached in the system's temporary folder. Its events are written
// directly into the log; a server start then builds the views.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLog } from '../../stores/embedded/log.ts'
import { type Append, appendAll, numbers, playerCreated, playerId, submitted } from './events.ts'
import { startOurs, untilIdle } from './processes.ts'
import { makeWorld, type World } from './test-game.ts'

/** Increase it if the generated events change. */
const FORMAT = 2
const SCORES = 10_000_000
/** Inputs of a folder's content; a change rebuilds it. */
const SHAPERS = [
  'stores/embedded/log-schema.ts',
  'stores/embedded/views-schema.ts',
  'projections/entries.ts',
  'projections/entry-documents.ts',
]

export interface LargeBoard {
  readonly dataDir: string
  readonly world: World
  readonly entries: number
}

/** The folder, created if missing. Only one measurement at a time may run a server on it. */
export async function largeBoard(entries: number): Promise<LargeBoard> {
  const prefix = `scorebook-bench-board-${entries}-`
  const name = prefix + shape()
  const dataDir = join(tmpdir(), name)
  if (!existsSync(dataDir)) {
    for (const old of readdirSync(tmpdir())) {
      if (old.startsWith(prefix)) await rm(join(tmpdir(), old), { recursive: true })
    }
    await make(dataDir, entries)
  }
  const world: World = JSON.parse(await readFile(join(dataDir, 'world.json'), 'utf8'))
  return { dataDir, world, entries }
}

async function make(dataDir: string, entries: number): Promise<void> {
  process.stderr.write(`making a board of ${entries.toLocaleString('en')} entries, kept in ${dataDir}\n`)
  const making = `${dataDir}.making`
  await rm(making, { recursive: true, force: true })
  await mkdir(making)
  const first = await startOurs(making)
  const world = await makeWorld(first.port, making, { name: 'Large', unique: true })
  await first.stop()
  const log = await openLog(join(making, 'log.sqlite'))
  await appendAll(log, eventsOf(world, entries))
  await log.close()
  // Without views the next start reads the whole log in large batches.
  for (const file of readdirSync(making)) if (file.startsWith('views.sqlite')) await rm(join(making, file))
  const second = await startOurs(making)
  await untilIdle(second)
  await second.stop()
  await writeFile(join(making, 'world.json'), JSON.stringify(world))
  await rename(making, dataDir)
}

function* eventsOf(world: World, entries: number): Iterable<Append> {
  const random = numbers(1)
  for (let n = 0; n < entries; n++) {
    yield playerCreated(world.game, n)
    yield submitted(world, playerId(n), random(SCORES), 0, n)
  }
}

function shape(): string {
  const hash = createHash('sha256').update(`${FORMAT}`)
  for (const file of SHAPERS) hash.update(readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url))))
  return hash.digest('hex').slice(0, 12)
}
