// An abort on request is not a failure of a reaction; every other rejection is.

import { expect } from 'chai'
import { untilDone } from '../../reactions/until-done.ts'

async function errorsOf(work: (round: AbortController) => unknown): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const round = new AbortController()
  const failed = (_reaction: string, error: unknown) => void errors.push(error)
  const done = await untilDone({ failed }, 'one', round.signal, async () => {
    round.abort()
    throw work(round)
  })
  expect(done).to.equal(null)
  return errors
}

describe('retrying work until it is done', () => {
  it('does not report the abort itself', async () => {
    expect(await errorsOf(({ signal }) => signal.reason)).to.deep.equal([])
  })

  it('reports any other failure, even after the abort', async () => {
    const failure = new Error('away')
    expect(await errorsOf(() => failure)).to.deep.equal([failure])
  })
})
