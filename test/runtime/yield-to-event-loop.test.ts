// How many turns of the event loop bulk work leaves to others.

import { expect } from 'chai'
import { yieldToEventLoop, yieldToRequests } from '../../runtime/yield-to-event-loop.ts'

/** Turns that other work gets while `work` yields. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isOver = false
  const other = () => {
    if (isOver) return
    turns++
    setImmediate(other)
  }
  setImmediate(other)
  await work()
  isOver = true
  return turns
}

describe('yielding', () => {
  it('lets other work run for one turn', async () => {
    expect(await turnsDuring(yieldToEventLoop)).to.equal(1)
  })

  it('lets requests run for four turns', async () => {
    expect(await turnsDuring(yieldToRequests)).to.equal(4)
  })
})
