// A search of all players of a game by name, in pages, while players are deleted between pages.

import { expect } from 'chai'
import { listPlayers } from '../../queries/player.ts'
import type { Find } from '../../stores/contract/views.ts'
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
