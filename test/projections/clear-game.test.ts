// Removing the documents of a deleted game: those that its events name, those that are queried, and parked streams. And
// which views a start drops because they lack that removal.

import { expect } from 'chai'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { createGameClearing } from '../../projections/clear-game.ts'
import { createGameRemovals, dropViewsBeforeRemovals } from '../../projections/game-removals.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

const BOOKS: Projection = {
  name: 'books',
  version: 1,
  collections: [{ name: 'books', indexes: { shelf: ['shelf'] } }],
  takes: ['BookMade', 'ShelfMade', 'Broken'],
  needs: ({ type, data }) => {
    if (type === 'Broken') throw new Error('it cannot be read')
    return type === 'BookMade' ? [['books', String(data.id)]] : []
  },
  removalQuery: ({ type, data }) =>
    type === 'ShelfMade' ? [{ collection: 'books', index: 'shelf', equal: [String(data.id)] }] : [],
  handle: () => {},
}

const event = (stream: string, type: string, id: string, position = '01') =>
  ({ id: 'e', stream, type, data: { id }, revision: 0, position, meta: { game: 'g' } }) as unknown as StoredEvent

const BEGUN = event('game-g', 'GameErasureBegun', '', '90')

async function worldOf(projection: Projection, documents: Record<string, JsonObject>, parked: readonly string[] = []) {
  const views = createMemoryViews()
  await views.prepare(viewSpec(projection))
  const view = viewKey(projection)
  const writes = [
    ...Object.entries(documents).map(([id, body]) => ({ collection: 'books', id, pos: '01', body })),
    ...parked.map((id) => ({ collection: PARKED, id, pos: '01', body: { position: '01' } })),
  ]
  await views.commit([{ view, writes, checkpoints: new Map() }])
  const builds = { active: [projection], inStep: [projection], inProgress: [] }
  const clearing = createGameClearing({ views, rankings: createRankings() }, () => builds, null)
  const idsIn = async (collection: string) => (await views.scan(view, collection, null, 1_000)).map(({ id }) => id)
  return { views, view, clearing, idsIn }
}

describe('clearing a deleted game', () => {
  it('removes the documents that its events name, and no others', async () => {
    const { clearing, idsIn } = await worldOf(BOOKS, { a: { shelf: null }, b: { shelf: null }, c: { shelf: null } })
    const page = [event('book-a', 'BookMade', 'a'), event('book-b', 'Ignored', 'b'), event('book-d', 'BookMade', 'd')]
    await clearing.clear(page, BEGUN)
    expect(await idsIn('books')).to.deep.equal(['b', 'c'])
    await clearing.clear(page, BEGUN)
    expect(await idsIn('books')).to.deep.equal(['b', 'c'])
  })

  it('removes them at the position of the erasure, so that no earlier event brings them back', async () => {
    const { clearing, views, view, idsIn } = await worldOf(BOOKS, { a: { shelf: null } })
    await clearing.clear([event('book-a', 'BookMade', 'a')], BEGUN)
    const write = (pos: string) => ({ collection: 'books', id: 'a', pos, body: { shelf: null } })
    await views.commit([{ view, writes: [write('90')], checkpoints: new Map() }])
    expect(await idsIn('books')).to.deep.equal([])
    await views.commit([{ view, writes: [write('91')], checkpoints: new Map() }])
    expect(await idsIn('books')).to.deep.equal(['a'])
  })

  it('removes the parked streams of its events, also of those that the view does not take', async () => {
    const { clearing, idsIn } = await worldOf(BOOKS, {}, ['book-a', 'book-b', 'book-c'])
    await clearing.clear([event('book-a', 'BookMade', 'a'), event('book-b', 'Ignored', 'b')], BEGUN)
    expect(await idsIn(PARKED)).to.deep.equal(['book-c'])
  })

  it('continues after an event whose documents cannot be named', async () => {
    const { clearing, idsIn } = await worldOf(BOOKS, { a: { shelf: null } }, ['book-x'])
    const bad = [event('book-x', 'Broken', 'x'), event('book-y', 'BookMade', 'é\0')]
    await clearing.clear([...bad, event('book-a', 'BookMade', 'a')], BEGUN)
    expect([await idsIn('books'), await idsIn(PARKED)]).to.deep.equal([[], []])
  })

  it('removes queried documents, however many pages there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`s${n}`, { shelf: 's' }]))
    const { clearing, idsIn } = await worldOf(BOOKS, { ...many, other: { shelf: 't' } })
    await clearing.clear([event('shelf-s', 'ShelfMade', 's')], BEGUN)
    expect(await idsIn('books')).to.deep.equal(['other'])
  })

  it('looks at every event where the view takes every one', async () => {
    const all: Projection = { ...BOOKS, takes: 'every event', needs: ({ data }) => [['books', String(data.id)]] }
    const { clearing, idsIn } = await worldOf(all, { a: { shelf: null }, b: { shelf: null } })
    await clearing.clear([event('book-a', 'Anything', 'a')], BEGUN)
    expect(await idsIn('books')).to.deep.equal(['b'])
  })
})

describe('clearing a deleted game in several builds', () => {
  it('clears the active builds last, the history after the others, because the removal reads it to find what is left', async () => {
    const named = (name: string, build: number): Projection => ({ ...BOOKS, name, build })
    const active = [named('books', 1), named('history', 0)]
    const inStep = [named('books', 0), named('books', 1), named('history', 0), named('history', 2)]
    const inProgress = [named('books', 3), named('history', 3)]
    const views = createMemoryViews()
    const order: string[] = []
    const commit: Views['commit'] = async (batches) => void order.push(...batches.map(({ view }) => view))
    for (const one of [...inStep, ...inProgress]) {
      await views.prepare(viewSpec(one))
      const write = { collection: 'books', id: 'a', pos: '01', body: {} }
      await views.commit([{ view: viewKey(one), writes: [write], checkpoints: new Map() }])
    }
    const deps = { views: { ...views, commit }, rankings: createRankings() }
    const clearing = createGameClearing(deps, () => ({ active, inStep, inProgress }), null)
    await clearing.clear([event('book-a', 'BookMade', 'a')], BEGUN)
    expect(order).to.deep.equal(['books@1', 'history@1+2', 'books@1+3', 'history@1+3', 'books@1+1', 'history@1'])
  })

  it('begins when a build in progress has written what it read before the game was hidden', async () => {
    const build = { ...BOOKS, build: 1 }
    const views = createMemoryViews()
    await views.prepare(viewSpec(build))
    const at = (position: string) =>
      views.commit([
        { view: viewKey(build), writes: [], checkpoints: new Map([[partitionOf('g'), { position, eventId: 'e' }]]) },
      ])
    await at('89')
    const builds = { active: [BOOKS], inStep: [BOOKS], inProgress: [build] }
    const begun: string[] = []
    const removals = { begun: async (game: string) => void begun.push(game), ended: async () => {} }
    const clearing = createGameClearing({ views, rankings: createRankings() }, () => builds, removals)
    const stopped = new AbortController()
    const stopping = clearing.begin(BEGUN, stopped.signal)
    stopped.abort()
    expect([await stopping, begun]).to.deep.equal([false, []])
    const beginning = clearing.begin(BEGUN, new AbortController().signal)
    await at('90')
    expect([await beginning, begun]).to.deep.equal([true, ['g']])
  })
})

const NAMES = new Set(['books', 'snapshots'])
const KEPT = ['builds@1', 'process_delete_games@1']
const DROPPED = ['books@1', 'books@2+1', 'snapshots@1']

async function viewsWith(...keys: readonly string[]) {
  const views = createMemoryViews()
  for (const key of keys) await views.prepare({ key, collections: [] })
  const rankings: string[] = []
  const dropRankings = { drop: async (view: string) => void rankings.push(view) }
  const drop = (...removed: { game: string; isErased: boolean }[]) =>
    dropViewsBeforeRemovals({ views, rankings: dropRankings }, removed, NAMES)
  return { views, rankings, drop, removals: createGameRemovals(views) }
}

const ERASED = { game: 'g', isErased: true }
const NOT_ERASED = { game: 'g', isErased: false }

describe('the views of a start', () => {
  it('are kept if no game was deleted, and nothing is written', async () => {
    const { views, drop } = await viewsWith(...KEPT, ...DROPPED)
    expect(await drop()).to.deep.equal([])
    expect(await views.list()).to.deep.equal([...KEPT, ...DROPPED])
  })

  it('are dropped once, with their rankings, if they know nothing of a game that the log has no more', async () => {
    for (const removed of [ERASED, NOT_ERASED]) {
      const { views, rankings, drop } = await viewsWith(...KEPT, ...DROPPED)
      expect(await drop(removed)).to.deep.equal(DROPPED)
      expect(rankings).to.deep.equal(DROPPED)
      expect(await views.list()).to.deep.equal([...KEPT, 'removals@1'])
      expect(await drop(removed)).to.deep.equal([])
    }
  })

  it('are kept if the removal has begun in them, unless the log says that it has ended', async () => {
    const { drop, removals } = await viewsWith(...DROPPED)
    await removals.begun('g')
    expect(await drop(NOT_ERASED)).to.deep.equal([])
    expect(await drop(ERASED)).to.deep.equal(DROPPED)
  })

  it('are kept after a removal that has ended in them, and dropped for another game', async () => {
    const { drop, removals } = await viewsWith(...DROPPED)
    await removals.begun('g')
    await removals.ended('g')
    expect(await drop(ERASED)).to.deep.equal([])
    expect(await drop(ERASED, { game: 'h', isErased: true })).to.deep.equal(DROPPED)
  })
})
