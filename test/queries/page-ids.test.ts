// The cache of the document ids of pages.

import { expect } from 'chai'
import { cachedPageIds, MAX_CACHED_PAGE_IDS, notePageRead } from '../../queries/scores/page-ids.ts'
import type { Views } from '../../stores/contract/views.ts'

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
