// View builds: concurrent changes of the active-build pointer, progress while they run, and the comparison of two
// builds.

import { expect } from 'chai'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { withActiveBuilds } from '../../projections/builds/active-builds.ts'
import { compareBuilds } from '../../projections/builds/compare.ts'
import { createBuildDriver } from '../../projections/builds/drive.ts'
import { haveReached } from '../../projections/builds/have-reached.ts'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import {
  activeProjections,
  type Builds,
  cancel,
  discardPrevious,
  NO_BUILDS,
  projectionsBeingBuilt,
  projectionsInStep,
  requestBuild,
  restorePrevious,
  startComparing,
  switchTo,
} from '../../projections/builds/state.ts'
import { keys } from '../../projections/keys.ts'
import { players } from '../../projections/players.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import { createBuildOrders } from '../../server/node/build-orders.ts'
import { createNodeBuilds } from '../../server/node/builds.ts'
import type { Checkpoint, Write } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { appendTexts, counts, texts } from './run-world.ts'

const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const NOTHING = { documents: 0, found: 0, differences: [] }
const VIEWS = [texts, counts]

const applySteps = (...steps: ((builds: Builds) => Builds)[]): Builds =>
  steps.reduce((builds, step) => step(builds), NO_BUILDS)

const keysOf = (builds: Builds) =>
  [activeProjections(builds, VIEWS), projectionsInStep(builds, VIEWS), projectionsBeingBuilt(builds, VIEWS)].map(
    (views) => views.map(viewKey),
  )

describe('the state of view builds', () => {
  it('goes from building to comparing to active, and keeps the previous builds', () => {
    expect(keysOf(NO_BUILDS)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], []])
    const requested = applySteps(requestBuild(['texts@1'], EARLIER))
    expect(keysOf(requested)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'counts@1'], ['texts@1+1']])
    const inStep = startComparing(1)(requested)
    expect(keysOf(inStep)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const switched = switchTo(1, NOTHING, EARLIER, LATER)(inStep)
    expect(keysOf(switched)).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    const back = restorePrevious(LATER)(switched)
    expect(keysOf(back)).to.deep.equal([['texts@1', 'counts@1'], ['texts@1', 'texts@1+1', 'counts@1'], []])
    expect(keysOf(restorePrevious(LATER)(back))).to.deep.equal(keysOf(switched))
    expect(keysOf(discardPrevious(switched))).to.deep.equal([['texts@1+1', 'counts@1'], ['texts@1+1', 'counts@1'], []])
  })

  it('gives each build its own number, even after a cancelled one', () => {
    const cancelled = applySteps(requestBuild(['texts@1'], EARLIER), cancel(LATER))
    expect([keysOf(cancelled), cancelled.ended?.outcome]).to.deep.equal([keysOf(NO_BUILDS), 'cancelled'])
    expect(keysOf(requestBuild(['texts@1', 'counts@1'], LATER)(cancelled))[2]).to.deep.equal([
      'texts@1+2',
      'counts@1+2',
    ])
  })

  it('allows one build at a time and ignores steps of other builds', () => {
    const requested = applySteps(requestBuild(['texts@1'], EARLIER))
    expect(() => requestBuild(['counts@1'], LATER)(requested))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => restorePrevious(LATER)(requested))
      .to.throw()
      .with.property('code', 'views_rebuilding')
    expect(() => restorePrevious(LATER)(NO_BUILDS))
      .to.throw()
      .with.property('code', 'nothing_kept')
    expect(startComparing(2)(requested)).to.equal(requested)
    expect(switchTo(1, NOTHING, EARLIER, LATER)(requested)).to.equal(requested)
    expect(cancel(LATER)(NO_BUILDS)).to.equal(NO_BUILDS)
  })

  it('is changed by exactly one of several concurrent requests', async () => {
    const views = createMemoryViews()
    const pointers = Array.from({ length: 8 }, () => createBuildPointer(views))
    const requested = await Promise.allSettled(
      pointers.map((pointer) => pointer.change(requestBuild(['texts@1'], EARLIER))),
    )
    expect(requested.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    const now = await createBuildPointer(views).read()
    expect([now.last, now.change?.number]).to.deep.equal([1, 1])
  })
})

const [QUARTER, HALF, HEAD] = ['0000000000000010', '0000000000000020', '0000000000000040']

describe('the progress of a view build', () => {
  it('reports the share of the log that the slowest of its views and partitions has applied', async () => {
    const views = createMemoryViews()
    const log = { ...createMemoryLog(), head: async () => HEAD }
    const own = { views, log, history: log, rankings: createRankings() }
    const builds = await createNodeBuilds(views, ALL_VIEWS)
    const both = [own, withActiveBuilds(own, builds.keyOf)].map((stores) => createBuildOrders(stores, builds, () => 0))
    const shares = () => Promise.all(both.map(async ({ status }) => (await status()).share))
    const reached = async (projection: Projection, ...positions: string[]) => {
      const view = { ...projection, build: 1 }
      await views.prepare(viewSpec(view))
      const checkpoints = new Map(positions.map((position, partition) => [partition, { position, eventId: '' }]))
      await views.commit([{ view: viewKey(view), writes: [], checkpoints }])
    }

    expect(await shares()).to.deep.equal([null, null])
    await both[0]?.ask(['keys', 'players'])
    expect(await shares()).to.deep.equal([0, 0])
    await reached(keys, HALF, QUARTER)
    expect(await shares()).to.deep.equal([0, 0])
    await reached(players, HEAD, HEAD)
    expect(await shares()).to.deep.equal([0.25, 0.25])
    await builds.pointer.change(startComparing(1))
    expect(await shares()).to.deep.equal([1, 1])
  })
})

describe('the operator’s calls about builds', () => {
  it('report a switch only where reads on this node find the new build', async () => {
    const views = createMemoryViews()
    const log = createMemoryLog()
    const node = await createNodeBuilds(views, ALL_VIEWS)
    const orders = createBuildOrders({ views, log, history: log }, node, () => 0)
    const players1 = viewKey(players)
    await orders.ask(['players'])
    const pointer = createBuildPointer(views)
    await pointer.change(startComparing(1))
    await pointer.change(switchTo(1, NOTHING, EARLIER, LATER))
    expect(node.keyOf(players1)).to.equal(players1)
    expect((await orders.status()).last?.outcome).to.equal('switched')
    expect(node.keyOf(players1)).to.equal(`${players1}+1`)
    expect((await orders.back()).last?.outcome).to.equal('taken_back')
    expect(node.keyOf(players1)).to.equal(players1)
  })
})

const BUILT = { ...texts, build: 1 }
const [SHOWN_KEY, BUILT_KEY] = ['texts@1', 'texts@1+1'] as const

/**
 * Polls after which a lagging partition catches up: more than needed without lag, fewer than the limit.
 */
const BEHIND_FOR = 25

/** A log with three texts in two games, and two empty builds. */
async function world() {
  const [log, views] = [createMemoryLog(), createMemoryViews()]
  for (const one of [texts, BUILT]) await views.prepare(viewSpec(one))
  const first = await appendTexts(log, 'a', 'g1', 'one')
  const other = await appendTexts(log, 'b', 'g2', 'two')
  const last = await appendTexts(log, 'a', 'g1', 'three')
  const checkpointsAt = (position: string, partitions = ALL_PARTITIONS) =>
    new Map(partitions.map((partition): [number, Checkpoint] => [partition, { position, eventId: position }]))
  const put = (view: string, writes: readonly Write[], checkpoints = checkpointsAt(last)) =>
    views.commit([{ view, writes, checkpoints }])
  const doc = (id: string, said: string, pos = last, collection = 'texts') => ({ collection, id, pos, body: { said } })
  /** `after` is called at the BEHIND_FOR-th read of the active build. */
  function compare(after: () => Promise<void> = async () => {}) {
    let reads = 0
    const get: typeof views.get = async (view, collection, ids) => {
      if (view === SHOWN_KEY && ++reads === BEHIND_FOR) await after()
      return views.get(view, collection, ids)
    }
    return compareBuilds({ views: { ...views, get }, log }, [[texts, BUILT]], new AbortController().signal, 1)
  }
  return { log, views, first, other, last, checkpointsAt, put, doc, compare }
}

describe('comparing two builds of a view', () => {
  it('reports each differing document, and counts the streams that only the new build could not apply', async () => {
    const { put, doc, compare, last } = await world()
    await put(SHOWN_KEY, [doc('a', 'same'), doc('b', 'planted'), doc('c', 'here alone')])
    await put(BUILT_KEY, [doc('a', 'same'), doc('b', 'right'), doc('s', 'there alone', last, PARKED)])
    const { documents, found, parked, differences } = (await compare()) ?? expect.fail('the builds were not compared')
    expect({ documents, found, parked }).to.deep.equal({ documents: 3, found: 3, parked: 1 })
    expect(differences.map(({ collection, id, field }) => [collection, id, field])).to.deep.equal([
      ['texts', 'b', 'body.said'],
      ['texts', 'c', null],
      [PARKED, 's', null],
    ])
  })

  for (const [behind, ahead] of [
    [SHOWN_KEY, BUILT_KEY],
    [BUILT_KEY, SHOWN_KEY],
  ] as const) {
    it(`ignores what ${behind} has yet to create or delete, and reports what it created differently`, async () => {
      const { put, doc, compare, first, last, checkpointsAt } = await world()
      const gone = { ...doc('gone', '', last), body: null }
      await put(ahead, [doc('a', 'right'), doc('new', 'right'), doc('planted', 'right', first), gone])
      await put(
        behind,
        [doc('a', 'old', first), doc('gone', 'old', first), doc('planted', 'wrong', first)],
        checkpointsAt(first),
      )
      const catchUp = () => put(behind, [doc('a', 'right'), doc('new', 'right'), gone])
      const result = (await compare(catchUp)) ?? expect.fail('the builds were not compared')
      expect(result.differences.map(({ id, field }) => [id, field])).to.deep.equal([['planted', 'body.said']])
    })

    it(`asks to compare later if ${behind} stays behind`, async () => {
      const { put, doc, compare, first, checkpointsAt } = await world()
      await put(ahead, [doc('a', 'right')])
      await put(behind, [], checkpointsAt(first))
      expect(await compare()).to.equal(null)
    })
  }

  it('reports what one build lost, even if idle partitions are far behind', async () => {
    const { put, doc, compare, first, other, last, checkpointsAt } = await world()
    const own = checkpointsAt(last, [partitionOf('g1')])
    const checkpoints = new Map([...checkpointsAt(first), ...checkpointsAt(other, [partitionOf('g2')]), ...own])
    await put(SHOWN_KEY, [doc('a', 'right')], checkpoints)
    await put(BUILT_KEY, [doc('a', 'right'), doc('b', 'lost')], checkpoints)
    const result = (await compare()) ?? expect.fail('the builds were not compared')
    expect(result.differences.map(({ id, field }) => [id, field])).to.deep.equal([['b', null]])
  })
})

describe('haveReached', () => {
  it('considers only partitions that have events', async () => {
    const { log, views, put, first, other, last, checkpointsAt } = await world()
    const reached = (to: string | null) => haveReached({ log, views }, [SHOWN_KEY, BUILT_KEY], to)
    expect([await reached(null), await reached(first)], 'before the builds have checkpoints').to.deep.equal([
      true,
      false,
    ])
    await put(SHOWN_KEY, [])
    await put(BUILT_KEY, [], checkpointsAt(first))
    expect([await reached(first), await reached(other), await reached(last)]).to.deep.equal([true, false, false])
    await put(BUILT_KEY, [], checkpointsAt(last, [partitionOf('g1')]))
    expect([await reached(first), await reached(other), await reached(last)]).to.deep.equal([true, false, false])
    await put(BUILT_KEY, [], checkpointsAt(other, [partitionOf('g2')]))
    expect([await reached(first), await reached(other), await reached(last)]).to.deep.equal([true, true, true])
  })

  it('lets any node switch to a build although idle partitions are behind', async () => {
    const { log, views, put, doc, first, other, last, checkpointsAt } = await world()
    const own = [...checkpointsAt(last, [partitionOf('g1')]), ...checkpointsAt(other, [partitionOf('g2')])]
    await put(SHOWN_KEY, [doc('a', 'right')])
    await put(BUILT_KEY, [doc('a', 'right')], new Map([...checkpointsAt(first), ...own]))
    const pointer = createBuildPointer(views)
    await pointer.change(requestBuild(['texts@1'], '2026-01-01T00:00:00.000Z'))
    const clock = { elapsedMs: () => 0, now: () => 0, settleMs: 0, keptMs: 1 }
    const rest = { rankings: createRankings(), projections: [texts], isInStep: () => true }
    const drive = createBuildDriver({ views, log, pointer, ...rest, ...clock })
    // Each phase takes two steps: one records the head of the log, one finds that the builds have reached it.
    for (let step = 0; step < 4; step++) await drive(new AbortController().signal)
    const { shown, ended } = await pointer.read()
    expect([shown, ended?.outcome, ended?.compared?.found]).to.deep.equal([{ 'texts@1': 1 }, 'switched', 0])
  })
})
