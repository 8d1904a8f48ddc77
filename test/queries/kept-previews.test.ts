// What a node keeps of previews: bounded by bytes, by number, and by time.

import { expect } from 'chai'
import { KeptPreviews, PREVIEW_KEPT_MS, PREVIEWS_KEPT, PREVIEWS_KEPT_OF_GAME } from '../../queries/kept-previews.ts'
import type { Mover } from '../../queries/movers.ts'
import { PackedMovers } from '../../queries/packed-movers.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { Random } from '../random.ts'

function randomMovers(random: Random, length: number): Mover[] {
  const rank = () => (random.chance(0.1) ? null : 1 + random.below(4_000_000))
  return Array.from({ length }, (_, n) => ({
    player: `p_${n}${'x'.repeat(random.below(30))}`,
    before: rank(),
    after: rank(),
  }))
}

const packed = (movers: readonly Mover[]) => PackedMovers.of(movers, new TimeSlices())

describe('packed movers', () => {
  it('answer each range as the plain list does', async () => {
    const random = new Random(3)
    for (const length of [0, 1, 499, 500, 501, 1_700]) {
      const movers = randomMovers(random, length)
      const list = await packed(movers)
      expect(list.length).to.equal(length)
      expect(list.slice(0, length)).to.deep.equal(movers)
      for (let n = 0; n < 50; n++) {
        const [from, size] = [random.below(length + 10), random.below(600)]
        expect(list.slice(from, from + size), `${from} to ${from + size}`).to.deep.equal(
          movers.slice(from, from + size),
        )
      }
    }
  })

  it('take less than 40 bytes a mover with ids of 22 characters', async () => {
    const movers = Array.from({ length: 100_000 }, (_, n) => ({
      player: `p_${String(n).padStart(20, '0')}`,
      before: n + 1,
      after: null,
    }))
    expect((await packed(movers)).bytes / movers.length).to.be.within(31, 40)
  })
})

describe('kept previews', () => {
  const random = new Random(5)
  const preview = async (game: string, movers = 100) => ({
    game,
    upTo: null,
    entriesBefore: 1,
    entriesAfter: 1,
    movers: await packed(randomMovers(random, movers)),
  })

  it('never hold more bytes than their limit, and give up the one that was used longest ago', async () => {
    const maxBytes = 50_000
    const kept = new KeptPreviews(maxBytes)
    for (let n = 0; n < 60; n++) {
      kept.keep(`key ${n}`, await preview(`g${n}`, random.below(700)))
      kept.find('key 1')
      expect(kept.bytes).to.be.at.most(maxBytes)
    }
    expect(kept.find('key 2')).to.equal(null)
    expect(kept.size).to.be.greaterThan(1)
    const before = kept.size
    kept.keep('large', await preview('g', 5_000))
    expect([kept.find('large'), kept.size]).to.deep.equal([null, before])
  })

  it('are few for one game and for the node', async () => {
    const kept = new KeptPreviews(2 ** 27)
    const other = await preview('other')
    kept.keep('other', other)
    for (let n = 0; n <= PREVIEWS_KEPT_OF_GAME; n++) kept.keep(`key ${n}`, await preview('g'))
    expect(kept.size).to.equal(1 + PREVIEWS_KEPT_OF_GAME)
    expect([kept.find('key 0'), kept.find('other')]).to.deep.equal([null, other])
    for (let n = 0; n < PREVIEWS_KEPT; n++) kept.keep(`game ${n}`, await preview(`g${n}`, 1))
    expect(kept.size).to.equal(PREVIEWS_KEPT)
    expect(kept.find('other')).to.equal(null)
  })

  it('end after a time, however often they are read', async () => {
    let nowMs = 0
    const kept = new KeptPreviews(2 ** 20, () => nowMs)
    const own = await preview('g')
    kept.keep('key', own)
    for (nowMs = 0; nowMs < PREVIEW_KEPT_MS; nowMs += PREVIEW_KEPT_MS / 8) expect(kept.find('key')).to.equal(own)
    expect([kept.find('key'), kept.size, kept.bytes]).to.deep.equal([null, 0, 0])
    kept.keep('key', own)
    expect(kept.find('key')).to.equal(own)
    kept.drop('key')
    expect(kept.find('key')).to.equal(null)
  })
})
