// `npm run bench:pair -- <folder> [--rounds N] [--entries N] [row …]`: compares this checkout with another one, built with
// `npm run build` in <folder>. Both sides run in alternating rounds. Prints the CPU seconds per operation of each side and the
// mean difference with its 95 % interval.

import { cp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { numbers, playerId } from './support/events.ts'
import { freshFolder } from './support/fresh-server.ts'
import { type LargeBoard, largeBoard } from './support/large-board.ts'
import { type Costs, cpuSecondsOf, inTurn, median } from './support/measure.ts'
import { build, type Loader, startLoader, startOurs, stopAll, untilIdle } from './support/processes.ts'
import { IN_FLIGHT, submitting } from './support/submissions.ts'
import { getText, handshake } from './support/test-game.ts'

const REQUESTS = 5_000
const PAGE = 20
/** Two-sided 95 % quantile of Student's t for 15 degrees of freedom: that of 16 rounds, and a little wide for more. */
const T_95 = 2.13

interface Sides {
  readonly other: string
  readonly ours: string
}

interface Size {
  readonly rounds: number
  readonly entries: number
}

type Pair = Costs<keyof Sides>

const ROWS: Readonly<Record<string, (sides: Sides, size: Size) => Promise<Pair>>> = {
  submit: pairSubmit,
  around: pairAround,
  start: (sides, size) => pairStart(sides, size, async () => {}),
  rebuild: (sides, size) => pairStart(sides, size, deleteViews),
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
      console.log(`${name.padEnd(8)} ${summary(await row(sides, size))}`)
    } finally {
      await stopAll()
    }
  }
}

async function pairSubmit({ other, ours }: Sides, { rounds }: Size): Promise<Pair> {
  const loader = startLoader()
  const [there, here] = [await submitting(loader, {}, other), await submitting(loader, {}, ours)]
  const costs = await inTurn(rounds, { other: () => there.cost(REQUESTS), ours: () => here.cost(REQUESTS) })
  await Promise.all([there.stop(), here.stop(), loader.stop()])
  return costs
}

async function pairAround(sides: Sides, { rounds, entries }: Size): Promise<Pair> {
  const board = await largeBoard(entries)
  const loader = startLoader()
  const reading = async (checkout: string) => {
    const dataDir = await copyOf(board)
    const server = await startOurs(dataDir, {}, checkout)
    await untilIdle(server)
    const token = await handshake(server.port, board.world.key)
    return { server, dataDir, token, random: numbers(2) }
  }
  const cost = ({ server, token, random }: Awaited<ReturnType<typeof reading>>, using: Loader) => {
    const around = () => `/api/lb/${board.world.board}/score/?around=${playerId(random(entries))}&limit=${PAGE}`
    const requests = Array.from({ length: REQUESTS }, () => getText(around(), token))
    return using.cost(server, IN_FLIGHT, requests)
  }
  const [there, here] = [await reading(sides.other), await reading(sides.ours)]
  const costs = await inTurn(rounds, { other: () => cost(there, loader), ours: () => cost(here, loader) })
  await Promise.all([there.server.stop(), here.server.stop(), loader.stop()])
  for (const { dataDir } of [there, here]) await rm(dataDir, { recursive: true })
  return costs
}

/** CPU of a start until the server is idle, after `prepare` has changed the data folder. */
async function pairStart(sides: Sides, size: Size, prepare: (dataDir: string) => Promise<void>): Promise<Pair> {
  const board = await largeBoard(size.entries)
  const folders = { other: await copyOf(board), ours: await copyOf(board) }
  const cost = async (side: keyof Sides) => {
    await prepare(folders[side])
    const server = await startOurs(folders[side], {}, sides[side])
    await untilIdle(server)
    const seconds = cpuSecondsOf(server.pid)
    await server.stop()
    return seconds
  }
  const costs = await inTurn(size.rounds, { other: () => cost('other'), ours: () => cost('ours') })
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true })
  return costs
}

async function deleteViews(dataDir: string): Promise<void> {
  for (const file of await readdir(dataDir)) if (file.startsWith('views.sqlite')) await rm(join(dataDir, file))
}

async function copyOf({ dataDir }: LargeBoard): Promise<string> {
  const folder = await freshFolder()
  await cp(dataDir, folder, { recursive: true })
  return folder
}

function summary({ other, ours }: Pair): string {
  const differences = ours.map((cost, round) => (100 * cost) / (other[round] ?? Number.NaN) - 100)
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (differences.length - 1)
  const half = T_95 * Math.sqrt(variance / differences.length)
  const micros = (costs: readonly number[]) => `${(median(costs) * 1e6).toFixed(1)} µs`
  const percent = (value: number) => `${value >= 0 ? '+' : ''}${value.toFixed(1)} %`
  return `${micros(other)} → ${micros(ours)}, mean ${percent(mean)} [${percent(mean - half)}, ${percent(mean + half)}]`
}

await main()
