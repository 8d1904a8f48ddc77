// Large JSON bodies are parsed one at a time, alternating between network addresses, with pauses in between.

import { expect } from 'chai'
import { createLargeBodies } from '../../http/pipeline/large-bodies.ts'

/** Takes 5 ms of the processor, as deep JSON of 64 KiB does. */
function parse(value: string): string {
  for (const endMs = performance.now() + 5; performance.now() < endMs; );
  return value
}

describe('large bodies', () => {
  it('are parsed at most one per event-loop iteration, alternating between addresses', async () => {
    const bodies = createLargeBodies()
    const order: string[] = []
    let thisIteration = 0
    let max = 0
    const send = (network: string) =>
      bodies.parse(network, () => {
        if (thisIteration++ === 0) setImmediate(() => (thisIteration = 0))
        max = Math.max(max, thisIteration)
        order.push(network)
        return parse(network)
      })
    const all = [...Array.from({ length: 4 }, () => send('a')), send('b'), send('b')]
    expect(await Promise.all(all)).to.deep.equal(['a', 'a', 'a', 'a', 'b', 'b'])
    expect(max).to.equal(1)
    expect(order.join('')).to.equal('aababa')
  })

  it('are refused with the error of their parser, and the next one is parsed', async () => {
    const bodies = createLargeBodies()
    const fault = new Error('is no JSON')
    const failed: unknown = await bodies.parse('a', () => Promise.reject(fault)).catch((error: unknown) => error)
    const thrown: unknown = await bodies
      .parse('a', () => {
        throw fault
      })
      .catch((error: unknown) => error)
    expect([failed, thrown]).to.deep.equal([fault, fault])
    expect(await bodies.parse('a', () => 'next')).to.equal('next')
  })
})
