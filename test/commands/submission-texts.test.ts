// The texts of shown submissions, kept in memory.

import { expect } from 'chai'
import { createSubmissionTexts } from '../../commands/submission-texts.ts'
import type { StoredEvent } from '../../domain/event.ts'

/** A log of one stream, whose revision r has the extra data `texts[r]`, and the reads of it. */
function logOf(...texts: readonly string[]) {
  const reads: (readonly [stream: string, revision: number, limit: number])[] = []
  const readStream = async (stream: string, from: number, limit: number) => {
    reads.push([stream, from, limit])
    return texts
      .map((extra, n) => ({ data: { extra, playerName: 'Ada' }, position: `at ${n}` }) as unknown as StoredEvent)
      .slice(from, from + limit)
  }
  return { reads, texts: createSubmissionTexts({ readStream }) }
}

const NOTED = { details: { extra: '{"a":1}', playerName: null }, position: 'noted' }

describe('texts of submissions', () => {
  it('are not read from the log if they were noted at that revision', async () => {
    const { reads, texts } = logOf('{"a":1}', '{"a":2}')
    texts.note('lb_b-p', 0, NOTED)
    expect(await texts.of('lb_b-p', 0, false)).to.deep.include(NOTED)
    expect(reads).to.deep.equal([])
  })

  it('are read once, one event, for another revision or another stream', async () => {
    const { reads, texts } = logOf('{"a":1}', '{"a":2}')
    texts.note('lb_b-p', 0, NOTED)
    for (let time = 0; time < 2; time++)
      expect(await texts.of('lb_b-p', 1, false)).to.deep.include({
        details: { extra: '{"a":2}', playerName: 'Ada' },
        position: 'at 1',
      })
    expect((await texts.of('lb_b-q', 0, false)).details.extra).to.equal('{"a":1}')
    expect(reads).to.deep.equal([
      ['lb_b-p', 1, 1],
      ['lb_b-q', 0, 1],
    ])
  })

  it('are read each time if they are long, and replace short ones', async () => {
    const long = JSON.stringify('x'.repeat(1_024))
    const { reads, texts } = logOf('{"a":1}', long)
    texts.note('lb_b-p', 0, NOTED)
    for (let time = 0; time < 2; time++) expect((await texts.of('lb_b-p', 1, false)).details.extra).to.equal(long)
    await texts.of('lb_b-p', 0, false)
    expect(reads.map(([, revision]) => revision)).to.deep.equal([1, 1, 0])
  })

  it('are read once more where the position noted is that of a later one', async () => {
    const { reads, texts } = logOf('{"a":1}', '{"a":2}')
    texts.note('lb_b-p', 0, { ...NOTED, isLater: true })
    expect(await texts.of('lb_b-p', 0, false)).to.deep.include(NOTED)
    expect(reads).to.deep.equal([])
    for (const exactly of [true, true, false]) expect((await texts.of('lb_b-p', 0, exactly)).position).to.equal('at 0')
    expect(reads).to.deep.equal([['lb_b-p', 0, 1]])
  })

  it('reject a revision that the stream does not have', async () => {
    const { texts } = logOf()
    const failure = await texts.of('lb_b-p', 3, false).catch((error: Error) => error.message)
    expect(failure).to.equal('lb_b-p has no revision 3')
  })
})
