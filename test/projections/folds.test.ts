// The folds that a node keeps: when a history is folded again, and when a fold is found.

import { expect } from 'chai'
import { Folds } from '../../projections/folds.ts'
import type { BoardGeneration } from '../../projections/projection.ts'
import { positionAt, storesOf, submission } from './submissions.ts'

const RULES = { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null } as const
const generation = (number: number, board = 'b1'): BoardGeneration => ({ board, generation: number, rules: RULES })
const END = positionAt(19)
const NONE_PARKED = new Map<string, string>()

/** Twenty submissions of five players on each of two boards, whose histories are read in one page each. */
function world(bytes?: number) {
  const events = Array.from({ length: 20 }, (_, n) => [submission(n), submission(n, 'b10')]).flat()
  const deps = storesOf(events)
  const folds = new Folds(deps, bytes)
  const get = (number: number, isLast = false, parked = NONE_PARKED) =>
    folds.get(generation(number), END, parked, isLast)
  /** Number of times that a history was folded. */
  const made = () => deps.reads.pages.length
  return { deps, folds, get, made }
}

describe('the folds of a node', () => {
  it('are made once for callers that ask at the same time', async () => {
    const { get, made } = world()
    const [one, other] = await Promise.all([get(2), get(2)])
    expect([one === other, made()]).to.deep.equal([true, 1])
  })

  it('end at the given position, and differ by generation, position and parked streams', async () => {
    const { folds, get, made } = world()
    const short = await folds.get(generation(2), positionAt(7), NONE_PARKED, false)
    expect([short.events, short.end?.position, (await get(2)).events]).to.deep.equal([8, positionAt(7), 20])
    await get(3)
    await get(3, false, new Map([['lb_b1-p1', positionAt(6)]]))
    expect(made()).to.equal(4)
  })

  it('are two: the one that was used least recently is dropped for a third', async () => {
    const { get, made } = world()
    await get(2)
    await get(3)
    await get(2)
    await get(4)
    expect(made()).to.equal(3)
    await get(2)
    expect(made(), 'generation 2 was used after generation 3').to.equal(3)
    await get(3)
    expect(made()).to.equal(4)
  })

  it('are dropped after their last range', async () => {
    const { get, made } = world()
    await get(2)
    await get(2, true)
    expect(made()).to.equal(1)
    await get(2)
    expect(made()).to.equal(2)
  })

  it('are kept after another fold’s last range', async () => {
    const { get, made } = world()
    await get(2)
    await get(3, true)
    await get(2)
    expect(made()).to.equal(2)
  })

  it('are kept after their last range if they were prepared, to the end of the history or to a position', async () => {
    for (const upTo of [null, END]) {
      const { folds, get, made } = world()
      const prepared = await folds.prepare(generation(2), upTo, NONE_PARKED, {})
      expect(await get(2, true)).to.equal(prepared)
      expect(await get(2)).to.equal(prepared)
      expect(made()).to.equal(1)
    }
  })

  it('are prepared again to the end of the history, which may have grown', async () => {
    const { folds, get, made } = world()
    const first = await folds.prepare(generation(2), null, NONE_PARKED, {})
    const second = await folds.prepare(generation(2), null, NONE_PARKED, {})
    expect([second === first, (await get(2)) === second, made()]).to.deep.equal([false, true, 2])
  })

  it('are not prepared for an empty history', async () => {
    const { folds } = world()
    expect(await folds.prepare(generation(2, 'b2'), null, NONE_PARKED, {})).to.equal(null)
  })

  it('have no memory limit if the build began with a fold', async () => {
    const { folds } = world(0)
    expect(await folds.prepare(generation(2), null, NONE_PARKED, {})).to.equal(null)
    expect((await folds.prepare(generation(2), END, NONE_PARKED, {}))?.events).to.equal(20)
  })

  it('are dropped by board', async () => {
    const { folds, get, made } = world()
    const other = await folds.get(generation(2, 'b10'), END, NONE_PARKED, false)
    await get(2)
    folds.drop('b1')
    expect(await folds.get(generation(2, 'b10'), END, NONE_PARKED, false)).to.equal(other)
    expect(made()).to.equal(2)
    await get(2)
    expect(made()).to.equal(3)
  })

  it('are made again after a failure, which the caller receives', async () => {
    const { deps, folds, get, made } = world()
    const failing = { ...deps.history, part: () => Promise.reject(new Error('the log is unavailable')) }
    const stores = { ...deps, history: failing as typeof deps.history }
    const own = new Folds(stores)
    const message = await own.get(generation(2), END, NONE_PARKED, false).catch((error: Error) => error.message)
    expect(message).to.equal('the log is unavailable')
    stores.history = deps.history
    expect((await own.get(generation(2), END, NONE_PARKED, false)).events).to.equal(20)

    const kept = await get(3)
    const options = { signal: AbortSignal.abort(new Error('the node stops')) }
    const stopped = folds.prepare(generation(2), END, NONE_PARKED, options).catch((error: Error) => error.message)
    expect(await stopped).to.equal('the node stops')
    const before = made()
    expect(await get(3), 'another fold').to.equal(kept)
    expect(made()).to.equal(before)
    await get(2)
    expect(made()).to.equal(before + 1)
  })

  it('leave out parked streams, from the parked event on', async () => {
    const parked = new Map([['lb_b1-p1', positionAt(6)]])
    const states = await (await world().get(2, false, parked)).entryStates(null, END)
    expect(states.map(({ player, id, revision }) => [player, id, revision]).sort()).to.deep.equal([
      ['p0', 's15', 3],
      ['p1', 's1', 0],
      ['p2', 's17', 3],
      ['p3', 's18', 3],
      ['p4', 's19', 3],
    ])
  })

  it('are found whatever was parked after their end, and in any order of parked streams', async () => {
    const { get, made } = world()
    const [one, two] = [['lb_b1-p1', END] as const, ['lb_b1-p2', positionAt(3)] as const]
    const fold = await get(2, false, new Map([one, two]))
    expect(await get(2, false, new Map([two, one]))).to.equal(fold)
    expect(await get(2, false, new Map([two, one, ['lb_b1-p0', positionAt(20)]]))).to.equal(fold)
    expect(made()).to.equal(1)
    expect(await get(2, false, new Map([two]))).to.not.equal(fold)
    expect(made()).to.equal(2)
  })
})
