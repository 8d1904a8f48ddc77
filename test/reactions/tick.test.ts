// Timed reactions run repeatedly for the owned partitions, even after a failed run; the reaction that ends bans; and
// how reactions retry and wait.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { ban, makePlayer } from '../../commands/player.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { partitionOf } from '../../domain/partition.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { endBans } from '../../reactions/end-bans.ts'
import { runTimed, type Timed } from '../../reactions/tick.ts'
import { untilDone, waitForAge } from '../../reactions/wait.ts'
import { queryDeps } from '../../server/compose.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')

describe('the runner of timed reactions', () => {
  it('passes time and owned partitions, continues after a failure, and pauses while it owns none', async () => {
    const stop = new AbortController()
    const rounds: [number[], number][] = []
    const failures: unknown[] = []
    const holds = [[1, 2], [], [3], [1]]
    const timed: Timed = {
      name: 'test',
      everyMs: 1,
      run: async (partitions, nowMs) => {
        rounds.push([[...partitions], nowMs])
        if (rounds.length === 3) stop.abort()
        if (rounds.length === 1) throw new Error('planted')
      },
    }
    let nowMs = 0
    const deps = {
      held: () => new Set(holds.shift() ?? []),
      now: () => ++nowMs,
      failed: (name: string, error: unknown) => failures.push([name, String(error)]),
    }
    await runTimed(deps, timed, stop.signal)
    expect(rounds).to.deep.equal([
      [[1, 2], 1],
      [[3], 2],
      [[1], 3],
    ])
    expect(failures).to.deep.equal([['test', 'Error: planted']])
  })
})

describe('the reaction that ends bans', () => {
  const context = { ...randomIds(), call: null, repeated: false, actor: 'sk_x', request: null, nowMs: NOW_MS }

  async function world() {
    const log = createMemoryLog()
    const views = runWorld(ALL_VIEWS, { log })
    await prepareWorld(views)
    const keys = workingKeys(new Uint8Array(32).fill(7))
    const vault = createMemoryVault()
    const nodes = [0, 1].map(() => ({ handler: createHandler(log), log, vault, keys, publish: async () => {} }))
    const { views: documents, rankings } = views.deps
    const queries = queryDeps({ stores: { views: documents, rankings, history: log } })
    const bannedIn = async (game: string, untilMs: number | null) => {
      const [commands] = nodes as [(typeof nodes)[0]]
      const fresh = { name: 'Ada', externalId: null }
      const { id } = await makePlayer(commands, game, fresh, { ...context, ...randomIds() })
      const until = untilMs === null ? null : new Date(untilMs).toISOString()
      await ban(commands, { game, player: id }, { until, reason: null }, { ...context, ...randomIds() })
      await runToEnd(views)
      return id
    }
    const ended = async () =>
      (await log.readAll(null, 100)).flatMap(({ type, meta }) => (type === 'PlayerUnbanned' ? [meta] : []))
    return { nodes, queries, bannedIn, ended }
  }

  it('ends due bans of owned partitions once each, despite two nodes and stale views', async () => {
    const { nodes, queries, bannedIn, ended } = await world()
    const due = await bannedIn('g1', NOW_MS + 1_000)
    await bannedIn('g1', NOW_MS + 1_001)
    await bannedIn('g1', null)
    const elsewhere = await bannedIn('g2', NOW_MS + 1)
    expect(partitionOf('g1')).not.to.equal(partitionOf('g2'))
    const { signal } = new AbortController()
    const round = (partitions: number[], ms: number) =>
      Promise.all(nodes.map((commands) => endBans({ commands, queries }).run(new Set(partitions), NOW_MS + ms, signal)))
    await round([partitionOf('g1')], 999)
    expect(await ended()).to.deep.equal([])
    await round([partitionOf('g1')], 1_000)
    await round([partitionOf('g1')], 1_000)
    expect((await ended()).map(({ player }) => player)).to.deep.equal([due])
    expect((await ended()).map(({ actor, request }) => [actor, request])).to.deep.equal([[null, null]])
    await round([partitionOf('g2')], 1_000)
    expect((await ended()).map(({ player }) => player)).to.deep.equal([due, elsewhere])
  })
})

async function errorsOf(work: (round: AbortController) => unknown): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const round = new AbortController()
  const failed = (_reaction: string, error: unknown) => void errors.push(error)
  const done = await untilDone({ failed }, 'one', round.signal, async () => {
    round.abort()
    throw work(round)
  })
  expect(done).to.equal(null)
  return errors
}

describe('retrying work until it is done', () => {
  it('does not report the abort itself', async () => {
    expect(await errorsOf(({ signal }) => signal.reason)).to.deep.equal([])
  })

  it('reports any other failure, even after the abort', async () => {
    const failure = new Error('away')
    expect(await errorsOf(() => failure)).to.deep.equal([failure])
  })
})

const AGE_MS = 20
const recordedAt = (ms: number) => ({ meta: { time: new Date(ms).toISOString() } }) as Parameters<typeof waitForAge>[0]

/** Milliseconds that the wait took by a clock that advances by one with each reading. */
async function waited(eventMs: number): Promise<number> {
  let nowMs = NOW_MS
  const now = () => nowMs++
  expect(await waitForAge(recordedAt(eventMs), now, new AbortController().signal, AGE_MS)).to.equal(true)
  return nowMs - NOW_MS
}

describe('waiting for the age of an event', () => {
  it('ends when the event is that old, at once for an older one', async () => {
    expect(await waited(NOW_MS - AGE_MS)).to.be.lessThan(5)
    expect(await waited(NOW_MS - AGE_MS / 2)).to.be.within(AGE_MS / 2, AGE_MS)
  })

  it('takes no longer if a clock that was years ahead dated the event', async () => {
    expect(await waited(Date.UTC(2030, 0, 1))).to.be.within(AGE_MS, AGE_MS + 5)
  })
})
