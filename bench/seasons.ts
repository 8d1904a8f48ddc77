// Closes a season with as many entries as a large board has, while players submit: how much slower submissions are
// from the end until two seconds after the closing, what memory that takes, and when the season is closed. Then pages
// of the season while it is open and once it is closed, beside the same pages of the whole leaderboard.
// BENCH_SEASON_ENTRIES sets another number of entries.

import { cp, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createProcessClock, type ProcessClock } from '../test/crash/process-clock.ts'
import { numbers, playerId } from './support/events.ts'
import { freshFolder } from './support/fresh-server.ts'
import { entryEvents } from './support/large-board.ts'
import { inTurn, percentile, SERVER_WARM_UPS, type Size } from './support/measure.ts'
import { ownBytesDuring } from './support/memory.ts'
import { type Server, startLoader, startOurs, untilIdle } from './support/processes.ts'
import { buildViews, recordBoard } from './support/recorded-board.ts'
import { type BenchRow, fastEnough, slowedBy } from './support/row.ts'
import { steadyCalls, tookBetween } from './support/steady-calls.ts'
import { call, endingInHalfADay, getText, handshake, type World } from './support/test-game.ts'

const SUBMISSIONS_A_SECOND = 200
/** Above those of the season, so that a submission gets any rank. */
const SCORES = 20_000_000
const WARM_UP_MS = 5_000
const BEFORE_MS = 5_000
/** After the closing its standing is recorded, and the views apply both. */
const AFTER_MS = 2_000
const CHECK_EVERY_MS = 50
const PAUSED_BEFORE_MS = 60_000
/** A season is closed at most this long after its end. */
const CLOSED_WITHIN_MS = 10_000
const SLOWED_AT_MOST = 1.5
/** What docs/operations.md gives a process. */
const MEMORY_BYTES = 768 << 20

const IN_FLIGHT = 64
const REQUESTS = 5_000
const PAGE = 20
const OPEN_GOAL = 0.83
const CLOSED_GOAL = 0.67

export async function benchSeasons(size: Size): Promise<BenchRow[]> {
  const entries = Number(process.env.BENCH_SEASON_ENTRIES ?? size.entries)
  const dataDir = await freshFolder()
  try {
    const board = { name: 'Seasons', unique: true, seasons: endingInHalfADay() }
    const world = await recordBoard(dataDir, board, (made) => entryEvents(made, entries))
    await buildViews(dataDir)
    const closings: Closing[] = []
    for (let round = 0; round < size.rounds; round++) {
      closings.push(await withSeason({ dataDir, world, entries }, closingOf))
    }
    const pages = await withSeason({ dataDir, world, entries }, (season) => pageRows(season, size))
    return [...closingRows(closings, entries), ...pages]
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

interface Made {
  readonly dataDir: string
  readonly world: World
  readonly entries: number
}

/** The first season of a leaderboard, which is open, on a server with a clock of its own. */
interface Season extends Omit<Made, 'dataDir'> {
  readonly server: Server
  readonly clock: ProcessClock
  readonly endsMs: number
}

/** Calls `measure` with a server on a copy of the folder. */
async function withSeason<Result>(
  { dataDir: kept, world, entries }: Made,
  measure: (season: Season) => Promise<Result>,
): Promise<Result> {
  const dataDir = await freshFolder()
  const clock = await createProcessClock(Date.now())
  try {
    await cp(kept, dataDir, { recursive: true })
    const server = await startOurs(dataDir, clock.env)
    try {
      await untilIdle(server)
      const [first] = await listed({ server, world }, await handshake(server.port, world.key))
      if (first?.state !== 'open' || first.entries !== entries) {
        throw new Error(`the season is ${JSON.stringify(first)} and should be open with ${entries} entries`)
      }
      return await measure({ server, world, entries, clock, endsMs: Date.parse(first.ends) })
    } finally {
      await server.stop()
    }
  } finally {
    await clock.close()
    await rm(dataDir, { recursive: true })
  }
}

interface ListedSeason {
  readonly season: number
  readonly ends: string
  readonly state: 'open' | 'closing' | 'closed'
  readonly entries: number
}

/** Newest first. */
async function listed({ server, world }: Pick<Season, 'server' | 'world'>, token: string): Promise<ListedSeason[]> {
  const path = `/api/lb/${world.board}/seasons/`
  return (await call<{ seasons: ListedSeason[] }>(server.port, 'GET', path, { token })).seasons
}

/**
 * Moves the clock to this long before the end of the season, after a pause in which the server does what is due by
 * then. Returns a token.
 */
async function approachEnd({ server, world, clock, endsMs }: Season, beforeMs: number): Promise<string> {
  await clock.set(endsMs - PAUSED_BEFORE_MS)
  await untilIdle(server)
  const token = await handshake(server.port, world.key, clock.nowMs)
  await clock.set(endsMs - beforeMs)
  return token
}

async function untilClosed(season: Season, token: string): Promise<void> {
  const isClosed = ({ season: number, state }: ListedSeason) => number === 1 && state === 'closed'
  while (!(await listed(season, token)).some(isClosed)) await pause(CHECK_EVERY_MS)
}

interface Closing {
  readonly submissions: number
  readonly failures: readonly string[]
  /** Milliseconds of submissions before the end, and from the end until `AFTER_MS` after the closing. */
  readonly beforeMs: readonly number[]
  readonly duringMs: readonly number[]
  readonly closedMs: number
  /** From the end of the season until `AFTER_MS` after the closing. */
  readonly ownBytes: { readonly before: number; readonly most: number }
}

async function closingOf(season: Season): Promise<Closing> {
  const { server, world, entries, clock, endsMs } = season
  const token = await approachEnd(season, WARM_UP_MS + BEFORE_MS)
  const random = numbers(4)
  const submitting = steadyCalls(SUBMISSIONS_A_SECOND, async () => {
    const body = { player: playerId(random(entries)), score: String(random(SCORES)) }
    const path = `/api/lb/${world.board}/score/`
    const answer = await call<{ season: { season: number } | null }>(server.port, 'POST', path, { token, body })
    if (answer.season === null) throw new Error('a submission joined no season')
    return { player: body.player, joined: answer.season.season }
  })
  const endedAt = performance.now() + endsMs - clock.nowMs
  await pause(endsMs - clock.nowMs)
  const { result: closedAt, ...ownBytes } = await ownBytesDuring(server.pid, async () => {
    await untilClosed(season, token)
    const closed = performance.now()
    await pause(AFTER_MS)
    return closed
  })
  await submitting.end()
  await untilIdle(server)
  const { taken } = submitting
  const inSecond = new Set(taken.filter(({ result }) => result.joined === 2).map(({ result }) => result.player))
  const counts = (await listed(season, token)).map(({ season: number, entries: count }) => `${number}: ${count}`)
  const due = [`2: ${inSecond.size}`, `1: ${entries}`]
  const lost = counts.join() === due.join() ? [] : [`the seasons have ${counts} entries and should have ${due}`]
  return {
    submissions: taken.length,
    failures: [...submitting.failures, ...lost],
    beforeMs: tookBetween(taken, endedAt - BEFORE_MS, endedAt),
    duringMs: tookBetween(taken, endedAt, closedAt + AFTER_MS),
    closedMs: closedAt - endedAt,
    ownBytes,
  }
}

function closingRows(closings: readonly Closing[], entries: number): BenchRow[] {
  const failures = closings.flatMap((one) => one.failures)
  const submissions = closings.reduce((sum, one) => sum + one.submissions, 0)
  const closedMs = Math.max(...closings.map((one) => one.closedMs))
  const [bytesBefore, bytes] = (['before', 'most'] as const).map((of) =>
    Math.max(...closings.map(({ ownBytes }) => ownBytes[of])),
  ) as [number, number]
  const p99 = (of: 'beforeMs' | 'duringMs') =>
    percentile(
      closings.flatMap((one) => one[of]),
      0.99,
    )
  const size = `${entries.toLocaleString('en')} entries, under ${SUBMISSIONS_A_SECOND} submissions a second`
  const slowed = {
    what: `the same: p99 of submissions until ${AFTER_MS / 1_000} s after it is closed`,
    before: p99('beforeMs'),
  }
  return [
    {
      what: `closing of a season of ${size}: submissions that failed or were lost`,
      limit: '0',
      ours: `${failures.length} of ${submissions}${failures[0] === undefined ? '' : `: ${failures[0]}`}`,
      ratio: '',
      goal: '0',
      met: failures.length === 0,
    },
    slowedBy({ ...slowed, during: p99('duringMs') }, SLOWED_AT_MOST),
    {
      what: 'the same: closed after its end, with its standing, at most',
      limit: `${CLOSED_WITHIN_MS} ms`,
      ours: `${closedMs.toFixed(0)} ms`,
      ratio: (closedMs / CLOSED_WITHIN_MS).toFixed(3),
      goal: '≤ 1',
      met: closedMs <= CLOSED_WITHIN_MS,
    },
    {
      what: 'the same: memory of the process meanwhile, without mapped files, at most',
      limit: mebibytes(MEMORY_BYTES),
      ours: `${mebibytes(bytes)}; before: ${mebibytes(bytesBefore)}`,
      ratio: (bytes / MEMORY_BYTES).toFixed(3),
      goal: '≤ 1',
      met: bytes <= MEMORY_BYTES,
    },
  ]
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

async function pageRows(season: Season, size: Size): Promise<BenchRow[]> {
  const { server, world, entries } = season
  const requests = size.quick ? REQUESTS / 2 : REQUESTS
  const random = numbers(5)
  const loader = startLoader()
  const path = `/api/lb/${world.board}/score/?limit=${PAGE}`
  const rows = async (state: 'open' | 'closed', token: string, goal: number): Promise<BenchRow[]> => {
    const found: BenchRow[] = []
    for (const isAround of [false, true]) {
      const around = () => (isAround ? `&around=${playerId(random(entries))}` : '')
      const cost = (of: string) => {
        const pages = Array.from({ length: requests }, () => getText(`${path}${of}${around()}`, token))
        return loader.cost(server, IN_FLIGHT, pages)
      }
      const sides = { board: () => cost(''), season: () => cost('&season=1') }
      const costs = await inTurn(size.rounds, sides, SERVER_WARM_UPS)
      const page = `${isAround ? 'page around a player' : 'first page'} of ${PAGE}`
      const what = `${page}, ${state} season of ${entries.toLocaleString('en')} entries / whole leaderboard`
      found.push(fastEnough({ what, limit: costs.board, ours: costs.season }, goal))
    }
    return found
  }
  try {
    const open = await rows('open', await handshake(server.port, world.key), OPEN_GOAL)
    const token = await approachEnd(season, 0)
    await untilClosed(season, token)
    await untilIdle(server)
    return [...open, ...(await rows('closed', token, CLOSED_GOAL))]
  } finally {
    await loader.stop()
  }
}
