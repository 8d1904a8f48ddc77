// Large JSON bodies are parsed one at a time, network addresses in turn, with pauses in between.

import { expect } from 'chai'
import { createLargeBodies } from '../../http/pipeline/large-bodies.ts'

/** Takes 5 ms of the processor, as deep JSON of 64 KiB does. */
function parse(value: string): string {
  for (const endMs = performance.now() + 5; performance.now() < endMs; );
  return value
}

describe('Large bodies', () => {
  it('are parsed one per turn of the event loop at most, the addresses in turn', async () => {
    const bodies = createLargeBodies()
    const order: string[] = []
    let thisTurn = 0
    let most = 0
    const send = (network: string) =>
      bodies.parse(network, () => {
        if (thisTurn++ === 0) setImmediate(() => (thisTurn = 0))
        most = Math.max(most, thisTurn)
        order.push(network)
        return parse(network)
      })
    const all = [...Array.from({ length: 4 }, () => send('a')), send('b'), send('b')]
    expect(await Promise.all(all)).to.deep.equal(['a', 'a', 'a', 'a', 'b', 'b'])
    expect(most).to.equal(1)
    expect(order.join('')).to.equal('aababa')
  })

  it('are refused with what their parser throws, and the next is parsed', async () => {
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
