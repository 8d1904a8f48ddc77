// A search of all players of a game by name, in pages, while players are deleted between pages; and the cache of the
// ids of pages.

import { expect } from 'chai'
import { listPlayers } from '../../queries/player.ts'
import { cachedPageIds, MAX_CACHED_PAGE_IDS, notePageRead } from '../../queries/scores/page-ids.ts'
import type { Find, Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

const PLAYERS = 3_300
const ALL = { limit: PLAYERS, offset: 0 }
const idOf = (n: number) => `p${String(n).padStart(4, '0')}`

describe('a search of players by name', () => {
  const views = createMemoryViews()
  let between: (page: number) => Promise<void>

  const putPlayers = (ns: readonly number[], created: (n: number) => string, listed: string | null, pos: string) =>
    views.commit([
      {
        view: 'players',
        writes: ns.map((n) => {
          const state = { name: idOf(n), created: created(n), deleted: listed === null }
          const body = { id: idOf(n), game: 'g', state, listed, created: created(n) }
          return { collection: 'players', id: idOf(n), pos, body }
        }),
        checkpoints: new Map(),
      },
    ])
  const all = Array.from({ length: PLAYERS }, (_, n) => n)

  async function found(created: (n: number) => string): Promise<string[]> {
    await views.drop('players')
    await views.prepare({
      key: 'players',
      collections: [{ name: 'players', indexes: { game: ['listed', 'created'] } }],
    })
    await putPlayers(all, created, 'g', '1')
    let pages = 0
    const find = async (params: Find) => {
      const documents = await views.find(params)
      await between(++pages)
      return documents
    }
    const others = { history: createMemoryLog(), rankings: createRankings(), viewKey: (name: string) => name }
    const { rows } = await listPlayers({ ...others, views: { ...views, find } }, 'g', { ...ALL, name: 'P' })
    return rows.map(({ id }) => id)
  }
  const apart = (n: number) => new Date(n).toISOString()

  it('finds each remaining player once while others are deleted', async () => {
    between = async (page) => {
      await putPlayers([page, 50 + page], apart, null, '2')
    }
    expect(await found(apart)).to.deep.equal(all.map(idOf))
  })

  for (const [what, created] of [
    ['at the same moment', () => apart(0)],
    ['many at one moment', (n: number) => apart(Math.floor(n / 700))],
    ['more than a page at one moment', (n: number) => apart(Math.floor((n + 300) / 1_500))],
  ] as const) {
    it(`finds each player once if players were created ${what}`, async () => {
      between = async () => {}
      expect(await found(created)).to.deep.equal(all.map(idOf))
    })
  }
})

const LENGTH = 100
const MAX_PAGES = Math.floor(MAX_CACHED_PAGE_IDS / LENGTH)

describe('the cache of document ids of pages', () => {
  const idsOf = (first: string) => Array.from({ length: LENGTH }, (_, n) => `${first}-${n}`)

  it('has a page that was read twice, and not one that was read once', () => {
    const views = {} as Views
    notePageRead(views, 'a', () => idsOf('a'))
    expect(cachedPageIds(views, 'a', LENGTH)).to.equal(null)
    notePageRead(views, 'a', () => idsOf('a'))
    expect(cachedPageIds(views, 'a', LENGTH)).to.deep.equal(idsOf('a'))
    expect(cachedPageIds(views, 'a', LENGTH - 1)).to.equal(null)
  })

  it('is bounded by the number of ids, not of pages', () => {
    const views = {} as Views
    const firsts = Array.from({ length: 2 * MAX_PAGES }, (_, n) => `sort key ${n}`)
    for (const first of firsts) for (let time = 0; time < 2; time++) notePageRead(views, first, () => idsOf(first))
    const cached = firsts.filter((first) => cachedPageIds(views, first, LENGTH) !== null)
    expect(cached).to.deep.equal(firsts.slice(-MAX_PAGES))
  })
})
