// The last event of every stream in memory, with hashes that are often equal, against a map.

import { expect } from 'chai'
import { type StoredHeads, StreamHeads } from '../../stores/embedded/stream-heads.ts'
import { Random } from '../random.ts'
import { SEED } from '../seeds.ts'

/** A log of streams, and the heads of it. */
class World {
  readonly streams: string[] = []
  readonly lasts = new Map<string, number>()
  readonly #hashOf: ((stream: string) => number) | undefined
  heads: StreamHeads

  constructor(hashOf?: (stream: string) => number) {
    this.#hashOf = hashOf
    this.heads = this.open(null)
  }

  open(stored: StoredHeads | null): StreamHeads {
    const streamAt = (sequence: number) => this.streams[sequence - 1] ?? null
    return new StreamHeads({ stored, streamAt, hashOf: this.#hashOf })
  }

  add(stream: string): void {
    const revision = this.streams.filter((one) => one === stream).length
    this.streams.push(stream)
    this.lasts.set(stream, this.streams.length)
    this.heads.add(stream, revision, this.streams.length)
  }

  /** As `StreamReads` finds it: a sequence number of another stream's event is none. */
  lastOf(stream: string): number | null {
    const sequence = this.heads.sequenceOf(stream)
    return sequence !== null && this.streams[sequence - 1] === stream ? sequence : null
  }
}

describe('the heads of streams', () => {
  for (const [title, hashOf] of [
    ['a seeded hash', undefined],
    ['four hashes for all streams', (stream: string) => stream.length % 4],
    ['one hash, 0', () => 0],
  ] as const) {
    it(`have the last event of each stream with ${title}, also after they were stored`, () => {
      const world = new World(hashOf)
      const random = new Random(SEED)
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < 900; n += 1) world.add(`s${'x'.repeat(random.below(5))}-${random.below(1_200)}`)
        for (const [stream, last] of world.lasts) expect(world.lastOf(stream), stream).to.equal(last)
        expect(world.lastOf('another')).to.equal(null)
        world.heads = world.open(world.heads.store())
      }
      expect(world.heads.slotCount).to.be.at.least(1_024)
    })
  }

  it('have sequence numbers above 32 bits', () => {
    const heads = new StreamHeads({ streamAt: () => null })
    const sequences = [2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 39]
    for (const [n, sequence] of sequences.entries()) heads.add(`s-${n}`, 0, sequence)
    const again = new StreamHeads({ stored: heads.store(), streamAt: () => null })
    expect(sequences.map((_, n) => again.sequenceOf(`s-${n}`))).to.deep.equal(sequences)
  })

  it('are refused if they were stored for a log that lacks an event', () => {
    const world = new World(() => 7)
    for (const stream of ['a', 'b', 'c']) world.add(stream)
    const stored = world.heads.store()
    world.streams.length = 2
    expect(() => world.open(stored)).to.throw(RangeError, 'The log has no event 3')
    expect(() => world.open({ ...stored, slots: stored.slots.subarray(9) })).to.throw(RangeError)
  })
})
