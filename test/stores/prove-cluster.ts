// Soak test: a node on a simulated EventStoreDB cluster whose leader is killed or frozen under load repeatedly, or has
// a slow disk; starts next to a frozen node; cut connections. Acknowledged events are neither lost nor duplicated,
// and writes resume soon after each election.

import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { atRest, checkEveryEntry, readBoard } from '../crash/ledger.ts'
import { type Submission, submitMuch } from '../crash/load.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { type EventStoreCluster, startCluster } from '../servers/eventstoredb/cluster.ts'
import { freshStoresBeside } from '../servers/store-urls.ts'
import { pause } from '../until.ts'

/** Real elections took this long after the leader was killed, and after it was frozen. */
const ELECTION_MS = { least: 300, most: 1_900 }
export const FROZEN_ELECTION_MS = { least: 6_500, most: 7_200 }
/** Longer than the second of silence after which other nodes are asked, and partly longer than an append may take. */
export const SLOW_DISK_MS = { least: 1_500, most: 7_000 }
/** Pause between two faults, so that each one hits a working cluster. */
const CALM_MS = 400
/** An answer must come within this time after the last fault. */
const GIVE_UP_MS = 30_000
const CLOSED_WITHIN_MS = 2_000
const PLAYERS = 32
const CUT_EVERY_MS = 50

export interface ElectionsProof {
  readonly submissions: number
  /** Milliseconds from each election to the first acknowledgement after it. */
  readonly wentOnMs: readonly number[]
  /** Milliseconds from each fault to the election after it. */
  readonly electionsMs: readonly number[]
  /** The longest time of one submission, repetitions included. */
  readonly longestMs: number
  /** The number of times that a submission was answered 503 during a freeze, and was sent again with its key. */
  readonly unavailable: number
  /** One line for each event that was lost, duplicated, wrong or refused. */
  readonly faults: readonly string[]
}

export interface SlowDisksProof {
  readonly submissions: number
  /** The longest time of one submission. */
  readonly longestMs: number
  /** Connections that replaced another one while a disk was slow. */
  readonly reconnects: number
  /** As in `ElectionsProof`. */
  readonly unavailable: number
  readonly faults: readonly string[]
}

export interface SocketsProof {
  readonly before: number
  readonly after: number
  readonly closed: number
  readonly faults: readonly string[]
}

interface Range {
  readonly least: number
  readonly most: number
}

interface Loaded {
  readonly world: World
  readonly cluster: EventStoreCluster
  /** `performance.now()` of the last answer. */
  answeredAt(): number
}

/** Takes the leader away repeatedly under writers, each of which sends one submission after another. */
export async function proveElections(proof: {
  readonly fault: 'kill' | 'freeze'
  readonly times: number
  readonly writers: number
  readonly seed: number
  /** How long elections take; default: as long as real ones. */
  readonly takes?: Range
  onProgress?(time: number): void
}): Promise<ElectionsProof> {
  const isFreeze = proof.fault === 'freeze'
  const random = new Random(proof.seed)
  const takes = drawnFrom(random, proof.takes ?? (isFreeze ? FROZEN_ELECTION_MS : ELECTION_MS))
  const cluster = await startCluster(isFreeze ? { frozenElectionMs: takes } : { electionMs: takes })
  const wentOnMs: number[] = []
  const electionsMs: number[] = []
  try {
    const loaded = { cluster, ...proof, isPatient: isFreeze }
    const { submissions, longestMs, unavailable, faults } = await underLoad(loaded, async ({ answeredAt }) => {
      for (let time = 1; time <= proof.times; time += 1) {
        const gone = cluster.leader()
        if (gone === null) throw new Error('the cluster has no leader to take away')
        const goneMs = performance.now()
        if (isFreeze) cluster.freeze(gone)
        else await cluster.kill(gone)
        const elected = await cluster.elected()
        electionsMs.push(elected - goneMs)
        wentOnMs.push((await answerAfter(elected, answeredAt)) - elected)
        if (isFreeze) cluster.thaw(gone)
        else await cluster.start(gone)
        await pause(2 * CALM_MS + random.below(CALM_MS))
        proof.onProgress?.(time)
      }
    })
    return { submissions, wentOnMs, electionsMs, longestMs, unavailable, faults }
  } finally {
    await cluster.stop()
  }
}

/** Makes the disk of the leader slow repeatedly under writers, and counts the connections that replace another one. */
export async function proveSlowDisks(proof: {
  readonly times: number
  readonly writers: number
  readonly seed: number
  /** How long a flush takes; default: `SLOW_DISK_MS`. */
  readonly takes?: Range
  onProgress?(time: number): void
}): Promise<SlowDisksProof> {
  const random = new Random(proof.seed)
  const takes = drawnFrom(random, proof.takes ?? SLOW_DISK_MS)
  const cluster = await startCluster()
  let reconnects = 0
  try {
    const loaded = { cluster, ...proof, isPatient: true }
    const { submissions, longestMs, unavailable, faults } = await underLoad(loaded, async ({ world, answeredAt }) => {
      const before = await reconnectsOf(world)
      for (let time = 1; time <= proof.times; time += 1) {
        const slowMs = takes()
        cluster.slowDisk(slowMs)
        await pause(slowMs)
        cluster.slowDisk(0)
        await answerAfter(performance.now(), answeredAt)
        await pause(CALM_MS)
        proof.onProgress?.(time)
      }
      reconnects = (await reconnectsOf(world)) - before
    })
    return { submissions, longestMs, reconnects, unavailable, faults }
  } finally {
    await cluster.stop()
  }
}

async function reconnectsOf(world: World): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${world.adminPort}/metrics`)).text()
  const [, count] = /^scorebook_log_reconnects_total (\d+)$/m.exec(metrics) ?? []
  if (count === undefined) throw new Error('the metrics have no scorebook_log_reconnects_total')
  return Number(count)
}

const drawnFrom =
  (random: Random, { least, most }: Range) =>
  (): number =>
    least + random.below(most - least)

/** Opens the log while one node, a different one each time, is frozen; returns the duration of each start. */
export async function proveStarts(starts: number): Promise<{ tookMs: number[]; faults: string[] }> {
  const cluster = await startCluster({ frozenElectionMs: 500 })
  const tookMs: number[] = []
  const faults: string[] = []
  try {
    for (let start = 0; start < starts; start += 1) {
      cluster.freeze(start % 3)
      await cluster.elected()
      const startedMs = performance.now()
      try {
        const log = await openEventStore({ url: cluster.url, prefixes: ['s-'] })
        await log.head()
        tookMs.push(performance.now() - startedMs)
        await log.close()
      } catch (error) {
        faults.push(`start ${start + 1}: ${error}`)
      }
      cluster.thaw(start % 3)
      await pause(2 * CALM_MS)
    }
    return { tookMs, faults }
  } finally {
    await cluster.stop()
  }
}

/** Resets all connections repeatedly under writers, and counts the open ones afterwards. */
export async function proveSockets(proof: {
  readonly cuts: number
  readonly writers: number
  readonly seed: number
}): Promise<SocketsProof> {
  const cluster = await startCluster()
  let [before, after] = [0, 0]
  try {
    const { faults } = await underLoad({ cluster, ...proof, isPatient: false }, async ({ answeredAt }) => {
      before = cluster.connections()
      for (let cut = 0; cut < proof.cuts; cut += 1) {
        cluster.cut()
        await pause(CUT_EVERY_MS)
      }
      await answerAfter(performance.now(), answeredAt)
      after = cluster.connections()
    })
    // The cluster notices the end of a connection a moment later.
    for (const end = performance.now() + CLOSED_WITHIN_MS; cluster.connections() > 0 && performance.now() < end; ) {
      await pause(5)
    }
    return { before, after, closed: cluster.connections(), faults }
  } finally {
    await cluster.stop()
  }
}

interface LoadOptions {
  readonly cluster: EventStoreCluster
  readonly writers: number
  readonly seed: number
  /** Sends a call again with its key after 503. Otherwise such an answer is a fault. */
  readonly isPatient: boolean
}

/** One of our nodes with its log on the cluster, under writers during a fault; returns what is wrong afterwards. */
async function underLoad(
  { cluster, writers, seed, isPatient }: LoadOptions,
  act: (loaded: Loaded) => Promise<void>,
): Promise<Pick<ElectionsProof, 'submissions' | 'longestMs' | 'unavailable' | 'faults'>> {
  const world = await openWorld({ storeUrls: await freshStoresBeside(cluster) })
  try {
    const game = await makeGame(world)
    const board = await makeBoard(world, game, { unique: false })
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    let isOver = false
    let answeredAt = 0
    let longestMs = 0
    let unavailable = 0
    const since = Array.from({ length: writers }, () => performance.now())
    const random = new Random(seed)
    const submitting = submitMuch(
      world,
      { token: game.token, boards: [board], players },
      {
        callers: writers,
        name: 'cluster',
        random: () => random.next(),
        stopped: () => isOver,
        answered: (writer) => {
          answeredAt = performance.now()
          longestMs = Math.max(longestMs, answeredAt - (since[writer] ?? answeredAt))
          since[writer] = answeredAt
        },
        isRepeated: ({ status, body }) => {
          const isUnavailable = isPatient && status === 503
          if (isUnavailable) unavailable += 1
          return isUnavailable || body?.code === 'idempotency_in_progress'
        },
      },
    )
    await answerAfter(performance.now(), () => answeredAt)
    await act({ world, cluster, answeredAt: () => answeredAt }).finally(() => {
      isOver = true
    })
    const submissions = await submitting
    const faults = await checked(world, game.token, board, submissions)
    return { submissions: submissions.length, longestMs, unavailable, faults }
  } finally {
    await world.close()
  }
}

async function checked(
  world: World,
  token: string,
  board: string,
  submissions: readonly Submission[],
): Promise<string[]> {
  const refused = submissions.flatMap(({ key, answer, failure }) =>
    answer?.status === 201 ? [] : [`${key} was answered ${answer?.status ?? String(failure)}: ${answer?.text ?? ''}`],
  )
  const acknowledged = submissions.filter(({ answer }) => answer?.status === 201)
  // A read with the token of a submission waits for it; these include the last submission of each writer.
  for (const { answer } of acknowledged.slice(-2 * PLAYERS)) {
    const headers = { 'x-consistency-token': String(answer?.headers['x-consistency-token']) }
    await atRest(() => world.call('GET', `/api/lb/${board}/score/?limit=1`, { token, headers }))
  }
  const rows = await readBoard(world, token, board)
  return [...refused, ...checkEveryEntry(rows, acknowledged)]
}

async function answerAfter(time: number, answeredAt: () => number): Promise<number> {
  for (const end = time + GIVE_UP_MS; answeredAt() <= time; await pause(2)) {
    if (performance.now() > end) throw new Error(`nothing was acknowledged for ${GIVE_UP_MS} ms`)
  }
  return answeredAt()
}
