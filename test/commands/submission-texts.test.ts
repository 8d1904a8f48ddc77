// The texts of best submissions, kept in memory.

import { expect } from 'chai'
import { createSubmissionTexts } from '../../commands/submission-texts.ts'
import type { StoredEvent } from '../../domain/event.ts'

/** A log of one stream, whose revision r has the extra data `texts[r]`, and the reads of it. */
function logOf(...texts: readonly string[]) {
  const reads: (readonly [stream: string, revision: number, limit: number])[] = []
  const readStream = async (stream: string, from: number, limit: number) => {
    reads.push([stream, from, limit])
    return texts
      .slice(from, from + limit)
      .map((extra) => ({ data: { extra, playerName: 'Ada' } }) as unknown as StoredEvent)
  }
  return { reads, texts: createSubmissionTexts({ readStream }) }
}

describe('texts of submissions', () => {
  it('are not read from the log if they were noted at that revision', async () => {
    const { reads, texts } = logOf('{"a":1}', '{"a":2}')
    texts.note('lb_b-p', 0, { extra: '{"a":1}', playerName: null })
    expect(await texts.of('lb_b-p', 0)).to.include({ extra: '{"a":1}', playerName: null })
    expect(reads).to.deep.equal([])
  })

  it('are read once, one event, for another revision or another stream', async () => {
    const { reads, texts } = logOf('{"a":1}', '{"a":2}')
    texts.note('lb_b-p', 0, { extra: '{"a":1}', playerName: null })
    for (let time = 0; time < 2; time++)
      expect(await texts.of('lb_b-p', 1)).to.include({ extra: '{"a":2}', playerName: 'Ada' })
    expect((await texts.of('lb_b-q', 0)).extra).to.equal('{"a":1}')
    expect(reads).to.deep.equal([
      ['lb_b-p', 1, 1],
      ['lb_b-q', 0, 1],
    ])
  })

  it('are read each time if they are long, and replace short ones', async () => {
    const long = JSON.stringify('x'.repeat(1_024))
    const { reads, texts } = logOf('{"a":1}', long)
    texts.note('lb_b-p', 0, { extra: '{"a":1}', playerName: null })
    for (let time = 0; time < 2; time++) expect((await texts.of('lb_b-p', 1)).extra).to.equal(long)
    await texts.of('lb_b-p', 0)
    expect(reads.map(([, revision]) => revision)).to.deep.equal([1, 1, 0])
  })

  it('reject a revision that the stream does not have', async () => {
    const { texts } = logOf()
    const failure = await texts.of('lb_b-p', 3).catch((error: Error) => error.message)
    expect(failure).to.equal('lb_b-p has no revision 3')
  })
})
