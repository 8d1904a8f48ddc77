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

  it('is read one page in a turn of the event loop, however many streams are read at the same time', async () => {
    const log = createMemoryLog()
    const streams = ['player-p1', 'player-p2', 'player-p3']
    for (const stream of streams) await appended(log, stream, 'none', someEvents(30))
    let turn = 0
    let isOver = false
    const countTurn = (): void => {
      turn++
      if (!isOver) setImmediate(countTurn)
    }
    countTurn()
    const turnsOfPages: number[] = []
    const counting = {
      readStream: (...args: Parameters<typeof log.readStream>) => {
        if (args[1] > 0) turnsOfPages.push(turn)
        return log.readStream(...args)
      },
    }
    const read = async (stream: string) => {
      for await (const _ of eventsFrom(counting, stream, 0, 10));
    }
    await Promise.all([...streams, ...streams].map(read))
    isOver = true
    expect(turnsOfPages).to.have.length(18)
    expect(new Set(turnsOfPages).size).to.equal(18)
  })
})
