// Changes the rules of a board under load. Measures the speed of the build, the latency of calls meanwhile, and the
// duration of the switch. No read may fail or mix the two orders, and no submission may be lost.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLog } from '../stores/embedded/log.ts'
import { A_PLAYER, boardEvents, SCORES } from './support/board-events.ts'
import { appendAll, numbers, playerId } from './support/events.ts'
import { percentile, type Size } from './support/measure.ts'
import { startOurs, untilIdle } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { scanLog } from './support/scan-log.ts'
import { call, handshake, makeWorld, type World } from './support/test-game.ts'

const SUBMISSIONS_A_SECOND = 200
const READS_A_SECOND = 100
const BEFORE_MS = 5_000
const CHECK_EVERY_MS = 100

interface Rebuild {
  readonly done: number
  readonly total: number
  readonly started: string
  readonly finished: string | null
  readonly state: string
}

const GOAL = 0.4

/** Called with a progress line now and then. */
type OnProgress = (line: string) => void

export async function benchRules(
  size: Pick<Size, 'entries'> & { readonly onProgress?: OnProgress },
): Promise<BenchRow[]> {
  const { entries: submissions, onProgress = () => {} } = size
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-bench-rules-'))
  try {
    const world = await seeded(dataDir, submissions)
    onProgress(`${submissions} submissions are recorded; the server makes its views`)
    const startedMs = performance.now()
    scanLog(join(dataDir, 'log.sqlite'))
    const scanned = (submissions * 1_000) / (performance.now() - startedMs)
    const server = await startOurs(dataDir)
    try {
      await untilIdle(server)
      return await measured(server.port, world, submissions, scanned, onProgress)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function seeded(dataDir: string, submissions: number): Promise<World> {
  const first = await startOurs(dataDir)
  const world = await makeWorld(first.port, dataDir, { name: 'Changing', unique: true })
  await first.stop()
  const log = await openLog(join(dataDir, 'log.sqlite'))
  await appendAll(log, boardEvents(world, submissions))
  await log.close()
  for (const file of await readdir(dataDir)) if (file.startsWith('views.sqlite')) await rm(join(dataDir, file))
  return world
}

/** One call: start and duration in milliseconds, and for a read the order that it showed. */
interface Cost {
  readonly began: number
  readonly took: number
  readonly order: 'desc' | 'asc' | null
}

/** Submits and reads at a steady pace until stopped. Every call must succeed, and every page must be in one order. */
function traffic(port: number, token: string, { board }: World, players: number) {
  const taken: Cost[] = []
  const failures: string[] = []
  const random = numbers(2)
  let sent = 0
  let running = 0
  const one = async (work: () => Promise<Cost['order']>) => {
    const began = performance.now()
    running++
    try {
      const order = await work()
      taken.push({ began, took: performance.now() - began, order })
    } catch (error) {
      failures.push(`${error}${error instanceof Error && error.cause !== undefined ? ` (${error.cause})` : ''}`)
    }
    running--
  }
  const submit = async () => {
    const body = { player: playerId(random(players)), score: String(random(SCORES)) }
    await call(port, 'POST', `/api/lb/${board}/score/`, { token, body })
    sent++
    return null
  }
  const read = async () => {
    const page: { scores: { score: string; rank: number }[] } = await call(port, 'GET', `/api/lb/${board}/score/`, {
      token,
    })
    const scores = page.scores.map(({ score }) => Number(score))
    const falls = scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? score))
    const rises = scores.every((score, i) => i === 0 || score >= (scores[i - 1] ?? score))
    if (scores.length === 0 || falls === rises || page.scores.some(({ rank }, i) => rank !== i + 1)) {
      throw new Error(`a page that shows no one order: ${JSON.stringify(page.scores)}`)
    }
    return falls ? 'desc' : 'asc'
  }
  const submitting = setInterval(() => void one(submit), 1_000 / SUBMISSIONS_A_SECOND)
  const reading = setInterval(() => void one(read), 1_000 / READS_A_SECOND)
  return {
    taken,
    failures,
    sent: () => sent,
    async end() {
      clearInterval(submitting)
      clearInterval(reading)
      while (running > 0) await pause(10)
    },
  }
}

/** `scanned`: events per second when only reading and parsing the log. */
async function measured(
  port: number,
  world: World,
  submissions: number,
  scanned: number,
  onProgress: OnProgress,
): Promise<BenchRow[]> {
  const token = await handshake(port, world.key)
  const about = `/api/lb/${world.board}`
  const load = traffic(port, token, world, submissions / A_PLAYER)
  /** Changes the rules and waits for the build. `p99`: of the calls that began meanwhile, in milliseconds. */
  const changeRules = async (rules: object) => {
    const from = performance.now()
    await call(port, 'PUT', `${about}/`, { token, body: rules })
    const rebuild = await ended(port, about, token, onProgress)
    const until = performance.now()
    await pause(1_000)
    return { from, rebuild, p99: p99(load.taken.filter(({ began }) => began >= from && began < until)) }
  }
  await pause(BEFORE_MS)
  const { from, rebuild, p99: during } = await changeRules({ ordering: 'asc' })
  const { p99: duringTotals } = await changeRules({ keep: 'total' })
  const { p99: duringEach } = await changeRules({ unique: false, keep: 'best' })
  await load.end()
  const { entries } = await call<{ entries: number }>(port, 'GET', `${about}/`, { token })
  const lost = submissions + load.sent() - entries
  if (lost !== 0) load.failures.push(`${lost} submissions were lost`)

  const before = p99(load.taken.filter(({ began }) => began < from - 10 && began > from - BEFORE_MS + 1_000))
  const seconds = (Date.parse(rebuild.finished ?? '') - Date.parse(rebuild.started)) / 1_000
  const shown = `${submissions.toLocaleString('en')} submissions, under ${SUBMISSIONS_A_SECOND} submissions a second`
  return [
    {
      what: `other rules for a board of ${shown}: calls that failed, were mixed or lost`,
      limit: '0',
      ours: `${load.failures.length} of ${load.taken.length}${load.failures[0] === undefined ? '' : `: ${load.failures[0]}`}`,
      ratio: '',
      goal: '0',
      met: load.failures.length === 0,
    },
    latencyRow('the same: p99 of calls meanwhile', before, during),
    switched(load.taken),
    {
      what: 'the same: events a second of the build',
      limit: `${Math.round(scanned).toLocaleString('en')} /s, scan and JSON.parse`,
      ours: `${Math.round(rebuild.done / seconds).toLocaleString('en')} /s (${seconds.toFixed(1)} s)`,
      ratio: (rebuild.done / seconds / scanned).toFixed(3),
      goal: `≥ ${GOAL}`,
      met: rebuild.state === 'done' && rebuild.done / seconds >= GOAL * scanned,
    },
    latencyRow('then totals: p99 of calls meanwhile', before, duringTotals, 3),
    latencyRow('then an entry per submission: p99 of calls meanwhile', before, duringEach),
  ]
}

function latencyRow(what: string, before: number, during: number, goal = 2): BenchRow {
  return {
    what,
    limit: `${before.toFixed(1)} ms before`,
    ours: `${during.toFixed(1)} ms`,
    ratio: (during / before).toFixed(2),
    goal: `≤ ${goal}`,
    met: during <= goal * before,
  }
}

/**
 * Milliseconds from the start of the last call under the old order to the first answer in the new one. No later read
 * may show the old order.
 */
function switched(taken: readonly Cost[]): BenchRow {
  const reads = taken.filter(({ order }) => order !== null)
  const lastOld = Math.max(...reads.filter(({ order }) => order === 'desc').map(({ began }) => began))
  const fresh = reads.filter(({ order }) => order === 'asc').map(({ began, took }) => began + took)
  const ms = Math.max(0, lastOld - Math.min(...fresh), Math.min(...fresh) - lastOld)
  const isAhead = lastOld <= Math.min(...fresh)
  const row = { what: 'the same: the switch, as reads see it', limit: '1,000 ms', goal: '≤ 1,000 ms' }
  return { ...row, ours: `${ms.toFixed(0)} ms`, ratio: (ms / 1_000).toFixed(3), met: isAhead && ms <= 1_000 }
}

async function ended(port: number, about: string, token: string, onProgress: OnProgress): Promise<Rebuild> {
  for (;;) {
    const rebuild = await call<Rebuild>(port, 'GET', `${about}/rebuild/`, { token })
    if (rebuild.finished !== null) return rebuild
    onProgress(`${rebuild.state}, ${rebuild.done} of ${rebuild.total} events`)
    await pause(CHECK_EVERY_MS)
  }
}

const p99 = (taken: readonly Cost[]): number =>
  percentile(
    taken.map(({ took }) => took),
    0.99,
  )
