// Work that a process aborts on request is no failure of it; everything else is.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { untilDone } from '../../processes/until-done.ts'

async function toldOf(work: (round: AbortController) => unknown): Promise<readonly unknown[]> {
  const told: unknown[] = []
  const round = new AbortController()
  const failed = (_process: string, why: unknown) => void told.push(why)
  const done = await untilDone({ failed }, 'one', round.signal, async () => {
    round.abort()
    throw work(round)
  })
  expect(done).to.equal(null)
  return told
}

describe('work that goes on until it is done', () => {
  it('tells nobody where it was broken off', async () => {
    expect(await toldOf(({ signal }) => signal.reason)).to.deep.equal([])
  })

  it('tells of any other failure, also then', async () => {
    const failure = new Error('away')
    expect(await toldOf(() => failure)).to.deep.equal([failure])
  })
})
