// A caller with many jobs waits behind others with few, and never keeps them out.

import { expect } from 'chai'
import { FairQueue } from '../../runtime/fair-queue.ts'
import { turn } from '../until.ts'

class Full extends Error {}

/** A queue that runs one job at a time; jobs end only when the test says. */
function world(most: number) {
  const queue = new FairQueue({ running: [1], waiting: [most] }, () => new Full())
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (of: string) => {
    const work = () => {
      started.push(of)
      return new Promise<string>((resolve) => ends.push(() => resolve(of)))
    }
    return queue.run([of], work).catch((error: unknown) => (error instanceof Full ? 'full' : String(error)))
  }
  const requests = (...whom: string[]) => whom.map(ask)
  /** Ends jobs as they start, until none is left. */
  const endAll = async (asked: readonly Promise<string>[]) => {
    let settled = 0
    for (const one of asked) void one.then(() => settled++)
    while (settled < asked.length) {
      ends.shift()?.()
      await turn()
    }
    return Promise.all(asked)
  }
  return { started, requests, endAll }
}

describe('a fair queue', () => {
  it('serves callers in turn, and each caller’s jobs in order', async () => {
    const { started, requests, endAll } = world(10)
    const asked = requests('a', 'a', 'a', 'a', 'b', 'c', 'b')
    expect(await endAll(asked)).to.deep.equal(['a', 'a', 'a', 'a', 'b', 'c', 'b'])
    expect(started).to.deep.equal(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('admits, when full, a caller with fewer waiting jobs in place of the last job of the one with the most', async () => {
    const { requests, endAll } = world(4)
    const flood = requests('a', 'a', 'a', 'a', 'a', 'a')
    const others = requests('b', 'c', 'b')
    expect(await endAll([...flood, ...others])).to.deep.equal(['a', 'a', 'a', 'full', 'full', 'full', 'b', 'c', 'full'])
  })

  it('refuses if nobody has more waiting jobs', async () => {
    const { requests, endAll } = world(3)
    expect(await endAll(requests('a', 'a', 'b', 'c', 'd'))).to.deep.equal(['a', 'a', 'b', 'c', 'full'])
  })

  it('continues after failed work and frees its slot', async () => {
    const queue = new FairQueue({ running: [1], waiting: [1] }, () => new Full())
    const failing = queue.run(['a'], () => Promise.reject(new Error('broken'))).catch((error: Error) => error.message)
    const waiting = queue.run(['a'], async () => 'done')
    expect([await failing, await waiting, await queue.run(['a'], async () => 'again')]).to.deep.equal([
      'broken',
      'done',
      'again',
    ])
  })
})
