// The cache of previews is bounded by bytes, by number and by age; movers are packed in it.

import { expect } from 'chai'
import type { Mover } from '../../queries/movers.ts'
import { PackedMovers } from '../../queries/packed-movers.ts'
import {
  MAX_CACHED_PREVIEWS,
  MAX_CACHED_PREVIEWS_OF_GAME,
  PREVIEW_CACHE_MS,
  PreviewCache,
} from '../../queries/preview-cache.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
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

describe('the cache of previews', () => {
  const random = new Random(5)
  const preview = async (game: string, movers = 100) => ({
    game,
    upTo: null,
    entriesBefore: 1,
    entriesAfter: 1,
    movers: await packed(randomMovers(random, movers)),
  })

  it('never holds more bytes than its limit, and evicts the least recently used preview', async () => {
    const maxBytes = 50_000
    const cache = new PreviewCache(maxBytes)
    for (let n = 0; n < 60; n++) {
      cache.set(`key ${n}`, await preview(`g${n}`, random.below(700)))
      cache.get('key 1')
      expect(cache.bytes).to.be.at.most(maxBytes)
    }
    expect(cache.get('key 2')).to.equal(null)
    expect(cache.size).to.be.greaterThan(1)
    const before = cache.size
    cache.set('large', await preview('g', 5_000))
    expect([cache.get('large'), cache.size]).to.deep.equal([null, before])
  })

  it('holds few previews of one game, and a limited number in all', async () => {
    const cache = new PreviewCache(2 ** 27)
    const other = await preview('other')
    cache.set('other', other)
    for (let n = 0; n <= MAX_CACHED_PREVIEWS_OF_GAME; n++) cache.set(`key ${n}`, await preview('g'))
    expect(cache.size).to.equal(1 + MAX_CACHED_PREVIEWS_OF_GAME)
    expect([cache.get('key 0'), cache.get('other')]).to.deep.equal([null, other])
    for (let n = 0; n < MAX_CACHED_PREVIEWS; n++) cache.set(`game ${n}`, await preview(`g${n}`, 1))
    expect(cache.size).to.equal(MAX_CACHED_PREVIEWS)
    expect(cache.get('other')).to.equal(null)
  })

  it('evicts a preview at its maximum age, however often it is read', async () => {
    let nowMs = 0
    const cache = new PreviewCache(2 ** 20, () => nowMs)
    const own = await preview('g')
    cache.set('key', own)
    for (nowMs = 0; nowMs < PREVIEW_CACHE_MS; nowMs += PREVIEW_CACHE_MS / 8) expect(cache.get('key')).to.equal(own)
    expect([cache.get('key'), cache.size, cache.bytes]).to.deep.equal([null, 0, 0])
    cache.set('key', own)
    expect(cache.get('key')).to.equal(own)
    cache.delete('key')
    expect(cache.get('key')).to.equal(null)
  })
})
