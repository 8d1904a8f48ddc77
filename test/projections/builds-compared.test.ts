// The comparison of two builds of a view reports real differences, and ignores those of a build that is behind.

import { expect } from 'chai'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { compareBuilds } from '../../projections/builds/compare.ts'
import { createBuildDriver } from '../../projections/builds/drive.ts'
import { haveReached } from '../../projections/builds/have-reached.ts'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import { requestBuild } from '../../projections/builds/state.ts'
import { PARKED, viewSpec } from '../../projections/projection.ts'
import type { Checkpoint, Write } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { appendTexts, texts } from './run-world.ts'

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
