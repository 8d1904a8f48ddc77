// After its start a process gives back the young generation that loading has grown.

import { getHeapSpaceStatistics } from 'node:v8'
import { expect } from 'chai'
import { releaseStartMemory } from '../../server/heap.ts'
import { until } from '../until.ts'

const SURVIVORS = 400_000
const IDLE_MS = 20

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

describe('the memory of a start', () => {
  it('is given back once the process is idle', async () => {
    const survivors = Array.from({ length: SURVIVORS }, (_, n) => ({ n }))
    const grown = youngBytes()
    await releaseStartMemory(IDLE_MS, Number.POSITIVE_INFINITY)
    expect(survivors).to.have.length(SURVIVORS)
    expect(youngBytes()).to.be.at.most(grown / 2)
  })

  it('is given back without waiting for an idle process, if it is large', async () => {
    const survivors = Array.from({ length: SURVIVORS }, (_, n) => ({ n }))
    const grown = youngBytes()
    // The process never counts as idle; the timer does not keep it alive.
    void releaseStartMemory(2 ** 30, 0)
    await until(() => youngBytes() <= grown / 2)
    expect(survivors).to.have.length(SURVIVORS)
  })
})
