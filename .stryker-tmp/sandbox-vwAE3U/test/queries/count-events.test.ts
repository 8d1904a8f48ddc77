// The number of events of a board: counted once, later only the new events.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { countEvents } from '../../queries/leaderboard-rebuild.ts'
import type { History } from '../../stores/contract/history.ts'

/** So many events of each board, of which only positions are looked at. */
function historyOf(boards: Record<string, number>) {
  const asked: (string | null)[] = []
  const history: Pick<History, 'nth'> = {
    async nth(filter, after, count) {
      asked.push(after)
      const place = Number(after ?? 0) + count
      const has = ('board' in filter ? boards[filter.board] : undefined) ?? 0
      return place > has ? null : ({ position: String(place) } as Awaited<ReturnType<History['nth']>>)
    },
  }
  return { history: history as History, asked }
}

describe('counting the events of a board', () => {
  it('counts up to the last event, and later only the new ones', async () => {
    const boards = { a: 100_003, b: 1, c: 0 }
    const { history, asked } = historyOf(boards)
    expect(await countEvents(history, 'a')).to.equal(100_003)
    expect(await countEvents(history, 'b')).to.equal(1)
    expect(await countEvents(history, 'c')).to.equal(0)
    boards.a += 8_200
    asked.length = 0
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(asked[0]).to.equal('100003')
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(await Promise.all([countEvents(history, 'b'), countEvents(history, 'a')])).to.deep.equal([1, 108_203])
  })

  it('is separate for each history', async () => {
    expect(await countEvents(historyOf({ a: 5 }).history, 'a')).to.equal(5)
    expect(await countEvents(historyOf({ a: 3 }).history, 'a')).to.equal(3)
  })
})
