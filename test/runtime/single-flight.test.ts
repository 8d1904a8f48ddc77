// Runs that concurrent callers share: which run a caller gets, and what happens after a failure.

import { expect } from 'chai'
import { SingleFlight } from '../../runtime/single-flight.ts'
import { gate, turn } from '../until.ts'

interface Begun {
  readonly key: string
  end(): void
  fail(error: Error): void
}

/** Each run resolves with its number, from 1 on. */
function recorded() {
  const begun: Begun[] = []
  const run = (key: string) => () =>
    new Promise<number>((resolve, reject) => {
      const number = begun.length + 1
      begun.push({ key, end: () => resolve(number), fail: reject })
    })
  return { begun, run, flights: new SingleFlight<string, number>() }
}

describe('runs that concurrent callers share', () => {
  it('begin once for all callers of one turn, and once for each key', async () => {
    const { begun, run, flights } = recorded()
    const calls = ['a', 'a', 'b', 'a'].map((key) => flights.following(key, run(key)))
    calls.push(flights.join('a', run('a')))
    await turn()
    expect(begun.map(({ key }) => key)).to.deep.equal(['a', 'b'])
    for (const { end } of begun) end()
    expect(await Promise.all(calls)).to.deep.equal([1, 1, 2, 1, 1])
  })

  it('are shared with callers that join, and followed by one for those who need a later run', async () => {
    const { begun, run, flights } = recorded()
    const first = flights.following('a', run('a'))
    await turn()
    const joined = flights.join('a', run('a'))
    const later = [flights.following('a', run('a')), flights.following('a', run('a'))]
    await turn()
    expect(begun, 'one at a time').to.have.length(1)
    begun[0]?.end()
    expect(await Promise.all([first, joined])).to.deep.equal([1, 1])
    await turn()
    expect(begun).to.have.length(2)
    begun[1]?.end()
    expect(await Promise.all(later)).to.deep.equal([2, 2])
  })

  it('are followed by a run that begins after its callers, also in the turn in which another run ends', async () => {
    const flights = new SingleFlight<string, number>()
    const { opened, open } = gate()
    const before = flights.following('a', () => opened.then(() => 0))
    await turn()
    let written = 0
    const read = async () => {
      const seen = written
      await turn()
      return seen
    }
    // Each waits one microtask longer, so that some write and read between any two of the microtasks that end a run.
    const callers = Array.from({ length: 50 }, async (_, microtasks) => {
      await opened
      for (let n = 0; n < microtasks; n++) await undefined
      const own = ++written
      expect(await flights.following('a', read)).to.be.at.least(own)
    })
    open()
    expect(await before).to.equal(0)
    await Promise.all(callers)
  })

  it('are not kept once they have ended', async () => {
    const { begun, run, flights } = recorded()
    for (const number of [1, 2, 3]) {
      const call = flights.join('a', run('a'))
      await turn()
      begun.at(-1)?.end()
      expect(await call).to.equal(number)
    }
  })

  it('reject all who share them if they fail, and no others', async () => {
    const { begun, run, flights } = recorded()
    const sharing = [flights.following('a', run('a'))]
    await turn()
    sharing.push(flights.join('a', run('a')))
    const later = flights.following('a', run('a'))
    const error = new Error('lost')
    const settled = Promise.allSettled(sharing)
    begun[0]?.fail(error)
    expect(await settled).to.deep.equal(sharing.map(() => ({ status: 'rejected', reason: error })))
    await turn()
    begun[1]?.end()
    expect(await later).to.equal(2)
  })

  it('are not kept once they have failed, even for a caller who repeats the call at once', async () => {
    const flights = new SingleFlight<string, string>()
    const failing = async () => {
      throw new Error('lost')
    }
    const repeated = flights.join('a', failing).catch(() => flights.join('a', async () => 'read'))
    expect(await repeated).to.equal('read')
  })

  it('reject if the function throws at once', async () => {
    const flights = new SingleFlight<string, never>()
    const error = new Error('refused')
    const caught = await flights
      .following('a', () => {
        throw error
      })
      .catch((reason: unknown) => reason)
    expect(caught).to.equal(error)
  })
})
