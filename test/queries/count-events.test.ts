// The number of events of a board: later counts read only new events.

import { expect } from 'chai'
import { countEvents } from '../../queries/rule-change.ts'
import type { History } from '../../stores/contract/history.ts'

/** A history with a number of events per board. Only positions are read. */
function historyOf(boards: Record<string, number>) {
  const positions: (string | null)[] = []
  const history: Pick<History, 'nth'> = {
    async nth(filter, after, count) {
      positions.push(after)
      const index = Number(after ?? 0) + count
      const has = ('board' in filter ? boards[filter.board] : undefined) ?? 0
      return index > has ? null : ({ position: String(index) } as Awaited<ReturnType<History['nth']>>)
    },
  }
  return { history: history as History, positions }
}

describe('counting the events of a board', () => {
  it('counts up to the last event, and later only the new ones', async () => {
    const boards = { a: 100_003, b: 1, c: 0 }
    const { history, positions } = historyOf(boards)
    expect(await countEvents(history, 'a')).to.equal(100_003)
    expect(await countEvents(history, 'b')).to.equal(1)
    expect(await countEvents(history, 'c')).to.equal(0)
    boards.a += 8_200
    positions.length = 0
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(positions[0]).to.equal('100003')
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(await Promise.all([countEvents(history, 'b'), countEvents(history, 'a')])).to.deep.equal([1, 108_203])
  })

  it('counts each history separately', async () => {
    expect(await countEvents(historyOf({ a: 5 }).history, 'a')).to.equal(5)
    expect(await countEvents(historyOf({ a: 3 }).history, 'a')).to.equal(3)
  })
})
