// Soak test of fair reads on the built server (core 0; callers on core 1). Measures another player's top 20 while a
// guest has 8 filtered reads in flight, and a mix of 20 % writes and 80 % plain reads, none of which may be rejected.
// Needs two cores and `taskset`.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { largeBoard } from '../../bench/support/large-board.ts'
import { percentile } from '../../bench/support/measure.ts'
import { signIn } from '../../bench/support/test-game.ts'
import { startTarget } from '../abuse/target.ts'
import type { Called, Order } from './caller-process.ts'

export interface FairReadsOptions {
  readonly filteredEntries: number
  readonly filteredMs: number
  readonly mixedEntries: number
  readonly mixedMs: number
  report(line: string): void
}

export interface FairReads {
  /** Milliseconds. */
  readonly quietP95: number
  readonly duringP95: number
  /** Statuses of the filtered reads. */
  readonly filtered: Called['answers']
  readonly bystander: Called['answers']
  readonly mixed: Called['answers']
  readonly mixedReadsP95: number
  /** First answers of the bystander and of the mix that were not 2xx. */
  readonly refusals: readonly string[]
}

const CHILD = fileURLToPath(new URL('caller-process.ts', import.meta.url))
const FLOOD = 8
const READ_EVERY_MS = 20
const MIXED_LANES = 8
const QUIET_MAX_MS = 15_000

async function called(order: Order): Promise<Called> {
  const args = ['-c', '1', process.execPath, '--import', 'tsx']
  const child = fork(CHILD, { execPath: 'taskset', execArgv: args })
  try {
    child.send(order)
    const [answer] = await once(child, 'message')
    return answer as Called
  } finally {
    child.kill('SIGKILL')
  }
}

async function onBoard<Result>(
  entries: number,
  players: number,
  run: (at: { readonly port: number; readonly board: string; readonly tokens: readonly string[] }) => Promise<Result>,
): Promise<Result> {
  const { dataDir, world } = await largeBoard(entries)
  const own = await mkdtemp(join(tmpdir(), 'scorebook-fair-reads-'))
  await cp(dataDir, own, { recursive: true })
  const server = await startTarget(own, { RATE_LIMITS: 'off' })
  try {
    const tokens = await signIn(server.port, world, players)
    return await run({ port: server.port, board: world.board, tokens })
  } finally {
    await server.stop()
    await rm(own, { recursive: true, force: true })
  }
}

const p95 = ({ times }: Called): number => Number(percentile([...times], 0.95).toFixed(2))

export async function proveFairReads(options: FairReadsOptions): Promise<FairReads> {
  const { filteredMs, mixedMs, report } = options
  const beside = await onBoard(options.filteredEntries, 2, async ({ port, board, tokens }) => {
    const [guest = '', other = ''] = tokens
    const path = `/api/lb/${board}/score/`
    const watch = {
      port,
      from: '127.0.0.3',
      lanes: 1,
      everyMs: READ_EVERY_MS,
      tokens: [other],
      paths: [`${path}?limit=20`],
    }
    const filters = ['player_name=layer', 'player_name=nobody&order=newest', 'min_score=5&order=oldest']
    const windows = ['since=2020-01-01&window=best&player_name=1', 'since=2020-01-01&min_score=1']
    const paths = [...filters, ...windows].map((query) => `${path}?${query}`)
    const flood = { port, from: '127.0.0.2', lanes: FLOOD, everyMs: 0, tokens: [guest], paths }
    await called({ ...watch, forMs: 2_000 })
    const quiet = await called({ ...watch, forMs: Math.min(filteredMs, QUIET_MAX_MS) })
    report(`top 20 p95 ${p95(quiet)} ms while quiet`)
    const [filtered, during] = await Promise.all([
      called({ ...flood, forMs: filteredMs }),
      called({ ...watch, forMs: filteredMs }),
    ])
    report(`top 20 p95 ${p95(during)} ms beside ${FLOOD} filtered reads: ${JSON.stringify(filtered.answers)}`)
    return { quiet, during, filtered }
  })
  const mixed = await onBoard(options.mixedEntries, MIXED_LANES, ({ port, board, tokens }) => {
    const path = `/api/lb/${board}/score/`
    const queries = ['limit=20', 'limit=20&offset=50000', 'limit=20&order=newest', 'limit=20&order=worst']
    const bounded = 'limit=20&min_score=5000000'
    const paths = [...queries, bounded, 'limit=10'].map((query) => `${path}?${query}`)
    const order = { port, from: '127.0.0.2', lanes: MIXED_LANES, everyMs: 0, tokens, paths, forMs: mixedMs }
    return called({ ...order, writes: { board, share: 0.2 } })
  })
  report(`20 % writes, 80 % reads: ${JSON.stringify(mixed.answers)}`)
  return {
    quietP95: p95(beside.quiet),
    duringP95: p95(beside.during),
    filtered: beside.filtered.answers,
    bystander: beside.during.answers,
    mixed: mixed.answers,
    mixedReadsP95: p95(mixed),
    refusals: [...beside.during.refusals, ...mixed.refusals],
  }
}
