// Soak test: a node on a simulated EventStoreDB cluster whose leader is killed under load repeatedly; starts next to
// a frozen node; cut connections. Acknowledged events are neither lost nor duplicated, and writes resume soon after
// each election.

import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { atRest, checkEveryEntry, readBoard } from '../crash/ledger.ts'
import { type Submission, submitMuch } from '../crash/load.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { type EventStoreCluster, startCluster } from '../servers/eventstoredb/cluster.ts'
import { freshStoresBeside } from '../servers/store-urls.ts'
import { pause } from '../until.ts'

/** Real elections took this long. */
const ELECTION_MS = { least: 300, most: 1_900 }
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
  /** Milliseconds from each kill to the election after it. */
  readonly electionsMs: readonly number[]
  /** The longest time of one submission. */
  readonly longestMs: number
  /** One line for each event that was lost, duplicated, wrong or refused. */
  readonly faults: readonly string[]
}

export interface SocketsProof {
  readonly before: number
  readonly after: number
  readonly closed: number
  readonly faults: readonly string[]
}

interface Loaded {
  readonly cluster: EventStoreCluster
  /** `performance.now()` of the last answer. */
  answeredAt(): number
}

/** Kills the leader repeatedly under writers, each of which sends one submission after another. */
export async function proveElections(proof: {
  readonly kills: number
  readonly writers: number
  readonly seed: number
  onProgress?(kill: number): void
}): Promise<ElectionsProof> {
  const random = new Random(proof.seed)
  const electionMs = () => ELECTION_MS.least + random.below(ELECTION_MS.most - ELECTION_MS.least)
  const cluster = await startCluster({ electionMs })
  const wentOnMs: number[] = []
  const electionsMs: number[] = []
  try {
    const { submissions, longestMs, faults } = await underLoad(cluster, proof, async ({ answeredAt }) => {
      for (let kill = 1; kill <= proof.kills; kill += 1) {
        const dead = cluster.leader()
        if (dead === null) throw new Error('the cluster has no leader to be killed')
        const killed = performance.now()
        await cluster.kill(dead)
        const elected = await cluster.elected()
        electionsMs.push(elected - killed)
        wentOnMs.push((await answerAfter(elected, answeredAt)) - elected)
        await cluster.start(dead)
        await pause(2 * CALM_MS + random.below(CALM_MS))
        proof.onProgress?.(kill)
      }
    })
    return { submissions, wentOnMs, electionsMs, longestMs, faults }
  } finally {
    await cluster.stop()
  }
}

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
    const { faults } = await underLoad(cluster, proof, async ({ answeredAt }) => {
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

/** One of our nodes with its log on the cluster, under writers during a fault; returns what is wrong afterwards. */
async function underLoad(
  cluster: EventStoreCluster,
  { writers, seed }: { readonly writers: number; readonly seed: number },
  act: (loaded: Loaded) => Promise<void>,
): Promise<{ submissions: number; longestMs: number; faults: string[] }> {
  const world = await openWorld({ storeUrls: await freshStoresBeside(cluster) })
  try {
    const game = await makeGame(world)
    const board = await makeBoard(world, game, { unique: false })
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    let isOver = false
    let answeredAt = 0
    let longestMs = 0
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
      },
    )
    await answerAfter(performance.now(), () => answeredAt)
    await act({ cluster, answeredAt: () => answeredAt }).finally(() => {
      isOver = true
    })
    const submissions = await submitting
    return { submissions: submissions.length, longestMs, faults: await checked(world, game.token, board, submissions) }
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
