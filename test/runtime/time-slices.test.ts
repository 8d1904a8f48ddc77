// How work that is done in time slices shares the turns of the event loop.

import { expect } from 'chai'
import { mapInSlices, TimeSlices } from '../../runtime/time-slices.ts'

/** Longer than a slice. */
const STEP_MS = 0.6

describe('lists that are mapped in time slices', () => {
  it('have one slice of one of them in a turn of the event loop', async () => {
    const turns = countingTurns()
    const stepsIn = new Map<number, number>()
    const step = (n: number) => {
      busyFor(STEP_MS)
      stepsIn.set(turns.count(), (stepsIn.get(turns.count()) ?? 0) + 1)
      return n
    }
    const lists = [1, 2, 3].map((first) => [first, first + 10, first + 20])
    const mapped = await Promise.all(lists.map((list) => mapInSlices(new TimeSlices(), list, step)))
    turns.end()
    expect(mapped).to.deep.equal(lists)
    // Each begins at once.
    expect(stepsIn.get(0)).to.equal(3)
    stepsIn.delete(0)
    expect([...stepsIn.values()]).to.deep.equal([1, 1, 1, 1, 1, 1])
  })
})

/** `count`: turns since the call. */
function countingTurns(): { count(): number; end(): void } {
  let turns = 0
  let isOver = false
  const next = () => {
    turns++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    count: () => turns,
    end: () => {
      isOver = true
    },
  }
}

function busyFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
