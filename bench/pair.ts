// `npm run bench:pair -- <folder> [--rounds N] [--entries N] [row …]`: compares this checkout with another one, built
// with `npm run build` in <folder>. Both sides run in alternating rounds, each on a folder that it made. Prints the
// figure of each side and the mean difference with its 95 % interval.

import { cp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BATCH } from '../stores/embedded/log-index.ts'
import { type BoardLoad, withBoardLoad } from './support/board-load.ts'
import { writtenBytes } from './support/bytes.ts'
import { type Callers, withCallers } from './support/callers.ts'
import { freshFolder, freshServer } from './support/fresh-server.ts'
import { guestsOf } from './support/guests.ts'
import { largeBoard } from './support/large-board.ts'
import { type Costs, cpuSecondsOf, inTurn, median, percentile, SERVER_WARM_UPS } from './support/measure.ts'
import { beginHighest, residentBytes } from './support/memory.ts'
import { build, type Loader, startLoader, startOurs, stopAll, untilIdle } from './support/processes.ts'
import { deleteViews } from './support/recorded-board.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'

const REQUESTS = 5_000
const GUESTS = 2_000
/** One batch of the log's index. */
const WRITTEN = BATCH
const MIXED_CONNECTIONS = 32
/** Two-sided 95 % quantiles of Student's t, for 1 degree of freedom and more. */
const T_95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093,
]
/** For 20 and more: a little wide. */
const T_95_LIMIT = 2.086

interface Sides {
  readonly other: string
  readonly ours: string
}

interface Size {
  readonly rounds: number
  readonly entries: number
}

type Pair = Costs<keyof Sides>

/** Of a row: its figures, in seconds unless it names another unit. */
interface Row {
  readonly unit?: 'bytes'
  readonly pair: (sides: Sides, size: Size) => Promise<Pair>
}

const ROWS: Readonly<Record<string, Row>> = {
  submit: { pair: pairSubmit },
  guests: { pair: pairGuests },
  'submit-large': { pair: pairOf(onBoard, submissionCost) },
  callers: { pair: pairOf(onCallers, submissionCost) },
  around: { pair: pairOf(onBoard, (board, loader) => loader.cost(board.server, IN_FLIGHT, board.pages(REQUESTS))) },
  mixed: { pair: pairOf(onBoard, mixedP99) },
  written: { unit: 'bytes', pair: pairOf(onBoard, written) },
  peak: { unit: 'bytes', pair: pairOf(onBoard, peak) },
  start: { pair: (sides, size) => pairStart(sides, size, async () => {}) },
  rebuild: { pair: (sides, size) => pairStart(sides, size, deleteViews) },
}

async function main(): Promise<void> {
  const options = { rounds: { type: 'string', default: '16' }, entries: { type: 'string', default: '100000' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [folder, ...rows] = positionals
  if (folder === undefined) throw new Error('Name the folder of the other checkout.')
  const sides = { other: resolve(folder), ours: resolve('.') }
  const size = { rounds: Number(values.rounds), entries: Number(values.entries) }
  await build()
  for (const [name, row] of Object.entries(ROWS)) {
    if (rows.length > 0 && !rows.includes(name)) continue
    try {
      console.log(`${name.padEnd(12)} ${summary(await row.pair(sides, size), row.unit)}`)
    } finally {
      await stopAll()
    }
  }
}

async function pairSubmit({ other, ours }: Sides, { rounds }: Size): Promise<Pair> {
  const loader = startLoader()
  const [there, here] = [await submitting(loader, {}, other), await submitting(loader, {}, ours)]
  try {
    return await inTurn(rounds, { other: () => there.cost(REQUESTS), ours: () => here.cost(REQUESTS) }, SERVER_WARM_UPS)
  } finally {
    await Promise.all([there.stop(), here.stop(), loader.stop()])
  }
}

async function pairGuests({ other, ours }: Sides, { rounds }: Size): Promise<Pair> {
  const loader = startLoader()
  const there = await guestsOf(await freshServer({}, other), loader)
  const here = await guestsOf(await freshServer({}, ours), loader)
  try {
    return await inTurn(rounds, { other: () => there.cost(GUESTS), ours: () => here.cost(GUESTS) }, SERVER_WARM_UPS)
  } finally {
    await Promise.all([there.stop(), here.stop(), loader.stop()])
  }
}

interface BoardOf {
  readonly entries: number
  readonly checkout: string
}

/** Calls `measure` with a server of the checkout, on a board of so many entries. */
type WithSide<Side> = (board: BoardOf, loader: Loader, measure: (side: Side) => Promise<Pair>) => Promise<Pair>

function onBoard(board: BoardOf, _: Loader, measure: (side: BoardLoad) => Promise<Pair>): Promise<Pair> {
  return withBoardLoad(board, measure)
}

/** Its players are signed in, and have submitted once. */
function onCallers({ entries: callers, checkout }: BoardOf, loader: Loader, measure: (side: Callers) => Promise<Pair>) {
  return withCallers(loader, { callers, checkout }, measure)
}

/** A row whose sides are a server each; `figure` is called once a round. */
function pairOf<Side>(withSide: WithSide<Side>, figure: (side: Side, loader: Loader) => Promise<number>): Row['pair'] {
  return async ({ other, ours }, { rounds, entries }) => {
    const loader = startLoader()
    try {
      return await withSide({ entries, checkout: other }, loader, (there) =>
        withSide({ entries, checkout: ours }, loader, (here) =>
          inTurn(rounds, { other: () => figure(there, loader), ours: () => figure(here, loader) }, SERVER_WARM_UPS),
        ),
      )
    } finally {
      await loader.stop()
    }
  }
}

function submissionCost({ server, submissions }: Callers, loader: Loader): Promise<number> {
  return loader.cost(server, IN_FLIGHT, submissions(REQUESTS))
}

/** Seconds within which 99 % of calls are answered, refused ones counted as answered; says how many were refused. */
async function mixedP99({ server, mixed }: BoardLoad, loader: Loader): Promise<number> {
  const load = { port: server.port, connections: MIXED_CONNECTIONS, requests: mixed(REQUESTS) }
  const { latenciesMs, refused, refusal } = await loader.tried(load)
  if (refused > 0)
    process.stderr.write(`${refused} of ${REQUESTS} refused by ${server.pid}: ${refusal?.slice(0, 100)}\n`)
  return percentile(latenciesMs, 0.99) / 1_000
}

/** Bytes written per submission, its answer and its line in the access log included. */
async function written({ server, submissions }: BoardLoad, loader: Loader): Promise<number> {
  const before = writtenBytes(server.pid)
  await loader.load({ port: server.port, connections: IN_FLIGHT, requests: submissions(WRITTEN) })
  await untilIdle(server)
  return (writtenBytes(server.pid) - before) / WRITTEN
}

/** The highest resident set under mixed load. */
async function peak(board: BoardLoad, loader: Loader): Promise<number> {
  beginHighest(board.server.pid)
  await mixedP99(board, loader)
  return residentBytes(board.server.pid, true)
}

/** CPU of a start until the server is idle, after `prepare` has changed the data folder. */
async function pairStart(sides: Sides, size: Size, prepare: (dataDir: string) => Promise<void>): Promise<Pair> {
  const folders = { other: await copyOf(sides.other, size.entries), ours: await copyOf(sides.ours, size.entries) }
  const cost = async (side: keyof Sides) => {
    await prepare(folders[side])
    const server = await startOurs(folders[side], {}, sides[side])
    try {
      await untilIdle(server)
      return cpuSecondsOf(server.pid)
    } finally {
      await server.stop()
    }
  }
  try {
    return await inTurn(size.rounds, { other: () => cost('other'), ours: () => cost('ours') })
  } finally {
    for (const folder of Object.values(folders)) await rm(folder, { recursive: true })
  }
}

async function copyOf(checkout: string, entries: number): Promise<string> {
  const { dataDir } = await largeBoard(entries, checkout)
  const folder = await freshFolder()
  await cp(dataDir, folder, { recursive: true })
  return folder
}

function summary({ other, ours }: Pair, unit?: Row['unit']): string {
  const differences = ours.map((cost, round) => (100 * cost) / (other[round] ?? Number.NaN) - 100)
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (differences.length - 1)
  const quantile = T_95[differences.length - 2] ?? T_95_LIMIT
  const half = quantile * Math.sqrt(variance / differences.length)
  const shown = (costs: readonly number[]) =>
    unit === 'bytes' ? `${Math.round(median(costs)).toLocaleString('en')} B` : `${(median(costs) * 1e6).toFixed(1)} µs`
  const percent = (value: number) => `${value >= 0 ? '+' : ''}${value.toFixed(1)} %`
  return `${shown(other)} → ${shown(ours)}, mean ${percent(mean)} [${percent(mean - half)}, ${percent(mean + half)}]`
}

await main()
