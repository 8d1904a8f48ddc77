import { expect } from 'chai'
import { StreamHeads } from '../../stores/embedded/stream-heads.ts'
import { createStreamReads } from '../../stores/embedded/stream-reads.ts'

/** Reads beside the heads, of a log with one stream `known` of one event. */
function readsWith(ofStream: (stream: string) => number[], heads = new StreamHeads({ streamAt: () => 'known' })) {
  return createStreamReads({
    heads,
    reportIncompleteHeads: () => new Error('incomplete'),
    index: { ofStream, reportDamage: () => new Error('damaged') },
    tail: { at: (sequences: readonly number[]) => sequences.map(() => ({ stream: 'known' })) } as never,
    reader: { placeAt: () => ({ stream: 'known', revision: 0 }) as never, revisionsOf: () => [0] },
  })
}

describe('embedded log: the last revision of a stream', () => {
  it('is confirmed by the index where the heads have none, so that no revision is appended twice', () => {
    expect(() => readsWith(() => [1]).lastRevision('known')).to.throw('incomplete')
    expect(readsWith(() => []).lastRevision('new')).to.equal(-1)
  })

  it('needs no index for a stream whose name was made for the append', () => {
    const reads = readsWith(() => {
      throw new Error('the index was read')
    })
    expect(() => reads.lastRevision('new')).to.throw('the index was read')
    expect(reads.lastRevision('new', true)).to.equal(-1)
  })

  it('is that of the heads also for such a stream, because its append may be repeated', () => {
    const heads = new StreamHeads({ streamAt: () => 'known' })
    heads.add('known', 0, 1)
    expect(readsWith(() => [], heads).lastRevision('known', true)).to.equal(0)
  })
})
