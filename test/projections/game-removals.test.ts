// Which views are dropped at a start, because they lack the removal of a deleted game.

import { expect } from 'chai'
import { createGameRemovals, dropViewsBeforeRemovals } from '../../projections/game-removals.ts'
import { createMemoryViews } from '../memory/views.ts'

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
const BEGUN = { game: 'g', isErased: false }

describe('the views of a start', () => {
  it('are kept if no game was deleted, and nothing is written', async () => {
    const { views, drop } = await viewsWith(...KEPT, ...DROPPED)
    expect(await drop()).to.deep.equal([])
    expect(await views.list()).to.deep.equal([...KEPT, ...DROPPED])
  })

  it('are dropped once, with their rankings, if they know nothing of a game that the log has no more', async () => {
    for (const removed of [ERASED, BEGUN]) {
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
    expect(await drop(BEGUN)).to.deep.equal([])
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
