// A game's history over connections that are cut: what it asks again for, and when it ends.

import { expect } from 'chai'
import type { Caller } from '../../client/caller.ts'
import { type EventsQuery, historyCalls } from '../../client/history.ts'
import { Unreachable } from '../../client/problem.ts'

/** Each connection gives one event and is cut. */
async function read(query: EventsQuery) {
  const asked: string[] = []
  const lines = async (path: string) => {
    asked.push(path)
    const position = String(asked.length)
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
  return { asked, positions, ms: performance.now() - began }
}

describe("A game's history", () => {
  it('asks again after the last event where the connection is cut', async () => {
    const { asked, positions } = await read({ limit: 2 })
    expect(positions).to.deep.equal(['1', '2'])
    expect(asked).to.deep.equal(['/api/gm/g/events/?limit=2', '/api/gm/g/events/?from=1&limit=1'])
  })

  it('ends at once where the connection is cut after the last of `limit`', async () => {
    for (const follow of [false, true]) {
      const { asked, positions, ms } = await read({ limit: 1, follow })
      expect(positions).to.deep.equal(['1'])
      expect(asked).to.have.length(1)
      expect(ms).to.be.below(400)
    }
  })
})
