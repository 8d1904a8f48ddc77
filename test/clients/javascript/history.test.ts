// A game's history over connections that are cut: where it resumes, and when it ends.

import { expect } from 'chai'
import type { Caller } from '../../../clients/javascript/caller.ts'
import { type EventsQuery, historyCalls } from '../../../clients/javascript/history.ts'
import { Unreachable } from '../../../clients/javascript/problem.ts'

/** Each connection sends one event and is then cut. */
async function read(query: EventsQuery) {
  const requested: string[] = []
  const lines = async (path: string) => {
    requested.push(path)
    const position = String(requested.length)
    return (async function* () {
      yield { position }
      throw new Unreachable('http://x.example/', new Error('cut'))
    })()
  }
  const positions: string[] = []
  const began = performance.now()
  for await (const event of historyCalls({ lines } as Partial<Caller> as Caller).events('g', query)) {
    positions.push(event.position)
  }
  return { requested, positions, ms: performance.now() - began }
}

describe("A game's history", () => {
  it('resumes after the last event if the connection is cut', async () => {
    const { requested, positions } = await read({ limit: 2 })
    expect(positions).to.deep.equal(['1', '2'])
    expect(requested).to.deep.equal(['/api/gm/g/events/?limit=2', '/api/gm/g/events/?from=1&limit=1'])
  })

  it('ends at once if the connection is cut after `limit` events', async () => {
    for (const follow of [false, true]) {
      const { requested, positions, ms } = await read({ limit: 1, follow })
      expect(positions).to.deep.equal(['1'])
      expect(requested).to.have.length(1)
      expect(ms).to.be.below(400)
    }
  })
})
