// All keys of a game are read in pages, because a game that issued and revoked keys for years has many.

import { expect } from 'chai'
import { keysOf } from '../../queries/key.ts'
import { createMemoryViews } from '../memory/views.ts'

const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n).toISOString()

describe('the keys of a game', () => {
  it('are read in pages of 100 in order of creation, without those of other games', async () => {
    const views = createMemoryViews()
    await views.prepare({ key: 'keys', collections: [{ name: 'keys', indexes: { game: ['game', 'created'] } }] })
    const prefixOf = (n: number) => `sk_${String(n).padStart(4, '0')}`
    const writes = Array.from({ length: 450 }, (_, n) => {
      const body = { id: prefixOf(n), game: n < 430 ? 'g' : 'other', created: timeOf(n) }
      return { collection: 'keys', id: prefixOf(n), pos: String(n), body }
    })
    await views.commit([{ view: 'keys', writes, checkpoints: new Map() }])
    const limits: number[] = []
    const find: typeof views.find = async (params) => {
      limits.push(params.limit)
      return views.find(params)
    }
    const pages: (readonly string[])[] = []
    for await (const page of keysOf({ views: { ...views, find }, viewKey: (name) => name }, 'g')) pages.push(page)
    expect(pages.map(({ length }) => length)).to.deep.equal([100, 100, 100, 100, 30])
    expect(pages.flat()).to.deep.equal(Array.from({ length: 430 }, (_, n) => prefixOf(n)))
    expect(limits).to.deep.equal([100, 100, 100, 100, 100])
  })
})
