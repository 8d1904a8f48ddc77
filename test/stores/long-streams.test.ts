// Reading a long stream: complete, in order, and yielding to the event loop between pages.

import { expect } from 'chai'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { appended, someEvents } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'

describe('a stream of several pages', () => {
  it('is read completely, and yields to the event loop after each page', async () => {
    const log = createMemoryLog()
    await appended(log, 'player-p1', 'none', someEvents(25))
    let [turns, isOver] = [0, false]
    const countTurn = (): void => {
      turns++
      if (!isOver) setImmediate(countTurn)
    }
    countTurn()
    const read: [revision: number, turns: number][] = []
    const turnsBefore = turns
    for await (const { revision } of eventsFrom(log, 'player-p1', 2, 10)) read.push([revision, turns - turnsBefore])
    isOver = true
    expect(read.map(([revision]) => revision)).to.deep.equal(Array.from({ length: 23 }, (_, n) => n + 2))
    const after = read.map(([, turn]) => turn)
    expect(after.slice(0, 10)).to.deep.equal(Array(10).fill(0))
    expect(after[10]).to.be.above(0)
    expect(after[20]).to.be.above(after[10] ?? 0)
  })
})
