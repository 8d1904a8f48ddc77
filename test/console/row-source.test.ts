import { expect } from 'chai'
import { PAGE_ROWS, RowSource } from '../../console/src/row-source.ts'

function fixture(count: number) {
  const reads: number[] = []
  let changes = 0
  let fails = false
  let version = 0
  const read = async (offset: number) => {
    reads.push(offset)
    if (fails) throw new Error('down')
    const rows = Array.from({ length: Math.min(PAGE_ROWS, count - offset) }, (_, at) => `${version}:${offset + at}`)
    return { rows, count }
  }
  const source = new RowSource<string>(read, () => {
    changes++
  })
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    source,
    reads,
    settled,
    changes: () => changes,
    fail: (now: boolean) => {
      fails = now
    },
    next: () => {
      version++
    },
  }
}

describe('console: rows read when they come into view', () => {
  it('reads the pages of the visible rows, each once', async () => {
    const { source, reads, settled } = fixture(1_000)
    source.show(0, 30)
    source.show(90, 210)
    await settled()
    source.show(0, 120)
    await settled()
    expect(reads.toSorted((a, b) => a - b)).to.deep.equal([0, 100, 200])
    expect([source.count, source.at(0), source.at(205), source.at(300)]).to.deep.equal([
      1_000,
      '0:0',
      '0:205',
      undefined,
    ])
  })

  it('reads only the visible page again on a refresh', async () => {
    const { source, reads, settled, next } = fixture(1_000)
    source.show(0, 10)
    await settled()
    source.show(500, 510)
    await settled()
    next()
    await source.refresh()
    expect(reads).to.deep.equal([0, 500, 500])
    expect([source.at(0), source.at(500)]).to.deep.equal(['0:0', '1:500'])
  })

  it('holds a bounded number of pages', async () => {
    const { source, settled } = fixture(10_000)
    for (let first = 0; first < 10_000; first += PAGE_ROWS) {
      source.show(first, first + 1)
      await settled()
    }
    expect(source.at(0)).to.equal(undefined)
    expect(source.at(9_999 - PAGE_ROWS)).to.equal(`0:${9_999 - PAGE_ROWS}`)
  })

  it('keeps the rows when a refresh fails, and does not repeat a failed first read by itself', async () => {
    const { source, reads, settled, fail } = fixture(10)
    fail(true)
    source.show(0, 9)
    await settled()
    expect([reads.length, source.count, (source.error as Error).message]).to.deep.equal([1, null, 'down'])
    fail(false)
    source.show(0, 9)
    await settled()
    fail(true)
    await source.refresh()
    expect([source.at(3), (source.error as Error).message]).to.deep.equal(['0:3', 'down'])
  })

  it('changes nothing after its end', async () => {
    const { source, reads, settled, changes } = fixture(10)
    source.show(0, 9)
    source.end()
    await settled()
    expect([changes(), source.count, reads]).to.deep.equal([0, null, [0]])
  })

  it('reads the first page again on request after it could not be read', async () => {
    const { source, settled, fail } = fixture(150)
    fail(true)
    source.show(0, 30)
    await settled()
    expect([source.count, (source.error as Error).message]).to.deep.equal([null, 'down'])
    fail(false)
    await source.refresh()
    expect([source.count, source.at(0), source.error]).to.deep.equal([150, '0:0', null])
  })

  it('finds a row among those that were read', async () => {
    const { source, settled } = fixture(1_000)
    source.show(0, 30)
    await settled()
    expect(source.find((row) => row === '0:42')).to.equal('0:42')
    expect(source.find((row) => row === '0:142')).to.equal(undefined)
  })
})
