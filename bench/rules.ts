// Changes the rules of a board under load. Measures the speed of the build, the latency of calls meanwhile, and the
// duration of the switch. No read may fail or mix the two orders, and no submission may be lost.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { A_PLAYER, boardEvents, SCORES } from './support/board-events.ts'
import { numbers, playerId } from './support/events.ts'
import { percentile, type Size } from './support/measure.ts'
import { startOurs, untilIdle } from './support/processes.ts'
import { recordBoard } from './support/recorded-board.ts'
import { type BenchRow, slowedBy } from './support/row.ts'
import { scanLog } from './support/scan-log.ts'
import { steadyCalls, type Taken, tookBetween } from './support/steady-calls.ts'
import { call, handshake, type World } from './support/test-game.ts'

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
    const board = { name: 'Changing', unique: true }
    const world = await recordBoard(dataDir, board, (made) => boardEvents(made, submissions))
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

type Order = 'desc' | 'asc'

/** Submits and reads at a steady pace. Every page must be in one order. */
function traffic(port: number, token: string, { board }: World, players: number) {
  const random = numbers(2)
  const submit = async () => {
    const body = { player: playerId(random(players)), score: String(random(SCORES)) }
    await call(port, 'POST', `/api/lb/${board}/score/`, { token, body })
  }
  const read = async (): Promise<Order> => {
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
  return { submitting: steadyCalls(SUBMISSIONS_A_SECOND, submit), reading: steadyCalls(READS_A_SECOND, read) }
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
  const { submitting, reading } = traffic(port, token, world, submissions / A_PLAYER)
  const p99 = (from: number, until: number) =>
    percentile(tookBetween([...submitting.taken, ...reading.taken], from, until), 0.99)
  /** Changes the rules and waits for the build. `p99`: of the calls that began meanwhile, in milliseconds. */
  const changeRules = async (rules: object) => {
    const from = performance.now()
    await call(port, 'PUT', `${about}/`, { token, body: rules })
    const rebuild = await ended(port, about, token, onProgress)
    const until = performance.now()
    await pause(1_000)
    return { from, rebuild, p99: p99(from, until) }
  }
  await pause(BEFORE_MS)
  const { from, rebuild, p99: during } = await changeRules({ ordering: 'asc' })
  const { p99: duringTotals } = await changeRules({ keep: 'total' })
  const { p99: duringEach } = await changeRules({ unique: false, keep: 'best' })
  await Promise.all([submitting.end(), reading.end()])
  const { entries } = await call<{ entries: number }>(port, 'GET', `${about}/`, { token })
  const failures = [...submitting.failures, ...reading.failures]
  const lost = submissions + submitting.taken.length - entries
  if (lost !== 0) failures.push(`${lost} submissions were lost`)
  const calls = submitting.taken.length + reading.taken.length

  const before = p99(from - BEFORE_MS + 1_000, from - 10)
  const seconds = (Date.parse(rebuild.finished ?? '') - Date.parse(rebuild.started)) / 1_000
  const shown = `${submissions.toLocaleString('en')} submissions, under ${SUBMISSIONS_A_SECOND} submissions a second`
  return [
    {
      what: `other rules for a board of ${shown}: calls that failed, were mixed or lost`,
      limit: '0',
      ours: `${failures.length} of ${calls}${failures[0] === undefined ? '' : `: ${failures[0]}`}`,
      ratio: '',
      goal: '0',
      met: failures.length === 0,
    },
    slowedBy({ what: 'the same: p99 of calls meanwhile', before, during }, 2),
    switched(reading.taken),
    {
      what: 'the same: events a second of the build',
      limit: `${Math.round(scanned).toLocaleString('en')} /s, scan and JSON.parse`,
      ours: `${Math.round(rebuild.done / seconds).toLocaleString('en')} /s (${seconds.toFixed(1)} s)`,
      ratio: (rebuild.done / seconds / scanned).toFixed(3),
      goal: `≥ ${GOAL}`,
      met: rebuild.state === 'done' && rebuild.done / seconds >= GOAL * scanned,
    },
    slowedBy({ what: 'then totals: p99 of calls meanwhile', before, during: duringTotals }, 3),
    slowedBy({ what: 'then an entry per submission: p99 of calls meanwhile', before, during: duringEach }, 2),
  ]
}

/**
 * Milliseconds from the start of the last call under the old order to the first answer in the new one. No later read
 * may show the old order.
 */
function switched(reads: readonly Taken<Order>[]): BenchRow {
  const lastOld = Math.max(...reads.filter(({ result }) => result === 'desc').map(({ began }) => began))
  const fresh = reads.filter(({ result }) => result === 'asc').map(({ began, took }) => began + took)
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
