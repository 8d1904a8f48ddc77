import { expect } from 'chai'
import { matches, rowsOfPages, searchedPage } from '../../console/src/rows-of-pages.ts'

const NAMES = Array.from({ length: 250 }, (_, at) => `Board ${at}`)

function listOf(names: readonly string[]) {
  const reads: number[] = []
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    reads.push(offset)
    const next = offset + limit
    return {
      rows: names.slice(offset, next),
      count: names.length,
      offset,
      limit,
      next_offset: next < names.length ? next : null,
    }
  }
  return { reads, read, texts: (name: string) => [name] }
}

describe('console: lists that the server answers in pages', () => {
  it('reads one page without a search', async () => {
    const { reads, ...list } = listOf(NAMES)
    const page = await searchedPage({ ...list, search: '', offset: 50, limit: 50 })
    expect(page.rows).to.deep.equal(NAMES.slice(50, 100))
    expect(page.next_offset).to.equal(100)
    expect(reads).to.deep.equal([50])
  })

  it('finds rows on all pages, and answers them in pages', async () => {
    const { reads, ...list } = listOf(NAMES)
    const first = await searchedPage({ ...list, search: 'board 24', offset: 0, limit: 10 })
    const found = NAMES.filter((name) => name.includes('24'))
    expect(found.length).to.be.within(11, 20)
    expect(first.count).to.equal(found.length)
    expect(first.rows).to.deep.equal(found.slice(0, 10))
    expect(first.next_offset).to.equal(10)
    const last = await searchedPage({ ...list, search: 'board 24', offset: 10, limit: 10 })
    expect(last.rows).to.deep.equal(found.slice(10))
    expect(last.next_offset).to.equal(null)
    expect(reads).to.deep.equal([0, 100, 200, 0, 100, 200])
  })

  it('stops at the limit, and when nobody waits any longer', async () => {
    const { read } = listOf(NAMES)
    expect((await rowsOfPages(read, 150)).length).to.equal(150)
    let reads = 0
    expect((await rowsOfPages(read, undefined, () => ++reads > 1)).length).to.equal(100)
  })

  it('matches all words in any order and case', () => {
    expect(matches('SCORE high', 'High score')).to.equal(true)
    expect(matches('high lap', 'High score', 'fastest-lap')).to.equal(true)
    expect(matches('high lap', 'High score', null)).to.equal(false)
    expect(matches('', 'anything')).to.equal(true)
  })
})
