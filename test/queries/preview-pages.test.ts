// The pages of the players that move under other rules: of one computation, of one moment, and without hidden players.
// Their cache is bounded by bytes, by number and by age.

import { expect } from 'chai'
import { parseDecimal } from '../../domain/decimal.ts'
import type { JsonObject } from '../../domain/event.ts'
import type { Mover } from '../../queries/movers.ts'
import { PackedMovers } from '../../queries/packed-movers.ts'
import {
  MAX_CACHED_PREVIEWS,
  MAX_CACHED_PREVIEWS_OF_GAME,
  PREVIEW_CACHE_MS,
  PreviewCache,
} from '../../queries/preview-cache.ts'
import { createPreviews, type Previews } from '../../queries/previews.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Views } from '../../stores/contract/views.ts'
import { Random } from '../random.ts'
import { gate, turn } from '../until.ts'
import { append, BOARD, type PastWorld, pastWorld } from './past-world.ts'

const PLAYERS = 230

/** Reads of the history for one preview: pages of 500 events. */
const READS = 1

/** Scores below it leave the board under the other rules. */
const MIN_SCORE = '40'

const CACHE_MS = 10 * 60_000

interface PageOptions {
  readonly caller?: string
  readonly board?: string
  readonly minScore?: string
  readonly requiredPosition?: string | null
}

class PagedWorld {
  readonly past: PastWorld = pastWorld(true)
  /** Player -> score; no two are equal. */
  readonly scores = new Map<string, number>()
  readonly hidden = new Set<string>()
  readonly previews: Previews
  nowMs = 0

  constructor(maxBytes = 2 ** 27) {
    const { queries, reached } = this.past.deps
    const get: Views['get'] = async (_view, _collection, ids) =>
      ids.map((id) => ({ id, pos: '', body: this.#nameOf(id) }))
    const views = { ...queries.views, get }
    this.previews = createPreviews({ queries: { ...queries, views }, reached, maxBytes, now: () => this.nowMs })
  }

  #nameOf(player: string): JsonObject {
    return { name: `Name of ${player}`, standing: this.hidden.has(player) ? 'hidden' : 'shown' }
  }

  submit(player: string, score: number): void {
    this.scores.set(player, score)
    const data = { id: `s-${player}`, score: String(score), secondary: null, extra: null, playerName: null }
    append(this.past, `lb_${BOARD}-${player}`, 'ScoreSubmitted', data, player, this.scores.size)
  }

  page(offset: number | null, limit: number, options: PageOptions = {}) {
    const { caller = 'sk_a', board: id = BOARD, minScore = MIN_SCORE, requiredPosition = null } = options
    const board = { ...this.past.board, id }
    const rules = { ...board.state.rules, ordering: 'asc', minScore: parseDecimal(minScore) } as const
    const paging = offset === null ? null : { offset, limit }
    const path = ['g', '192.0.2.0', caller]
    const target = { board, rules, paging, requiredPosition }
    return this.previews({ path, signal: new AbortController().signal }, async () => target)
  }

  /** All pages from an offset on. */
  async pages(limit: number, from = 0): Promise<Mover[]> {
    const found: Mover[] = []
    for (let offset: number | null = from; offset !== null; ) {
      const page = await this.page(offset, limit)
      expect(page.movers).to.have.length(Math.min(limit, (page.count ?? 0) - offset))
      found.push(...(page.movers ?? []))
      offset = page.next_offset ?? null
    }
    return found
  }

  /** What the pages list, from plain arrays. */
  model(): (Mover & { readonly player_name: string })[] {
    const shown = [...this.scores].filter(([player]) => !this.hidden.has(player))
    const before = shown.toSorted(([, a], [, b]) => b - a).map(([player]) => player)
    const after = shown
      .filter(([, score]) => score >= Number(MIN_SCORE))
      .sort(([, a], [, b]) => a - b)
      .map(([player]) => player)
    const rankIn = (players: readonly string[], player: string) => {
      const at = players.indexOf(player)
      return at < 0 ? null : at + 1
    }
    const beyond = before.length + 1
    const ends = ({ before: was, after: is }: Mover) => [was ?? beyond, is ?? beyond]
    const distance = (mover: Mover) => Math.max(...ends(mover)) - Math.min(...ends(mover))
    return before
      .map((player) => ({ player, before: rankIn(before, player), after: rankIn(after, player) }))
      .filter((one) => one.before !== one.after)
      .sort(
        (a, b) =>
          distance(b) - distance(a) || Math.min(...ends(a)) - Math.min(...ends(b)) || (a.player < b.player ? -1 : 1),
      )
      .map(({ player, before: was, after: is }) => {
        return { player, player_name: `Name of ${player}`, before: was, after: is }
      })
  }
}

function played(players = PLAYERS, maxBytes?: number): PagedWorld {
  const world = new PagedWorld(maxBytes)
  const random = new Random(11)
  const scores = random.shuffled(Array.from({ length: players }, (_, n) => n))
  for (const [n, score] of scores.entries()) world.submit(`p${n}`, score)
  return world
}

describe('the pages of who moves under other rules', () => {
  it('are those of one list, which is computed once', async () => {
    const world = played()
    const model = world.model()
    expect(model.length).to.be.greaterThan(200)
    for (const limit of [100, 7, 1]) {
      const before = world.past.reads()
      expect(await world.pages(limit)).to.deep.equal(model)
      expect(world.past.reads() - before, `pages of ${limit}`).to.equal(READS)
    }
    const plain = await world.page(null, 0)
    expect(plain.top).to.deep.equal(model.slice(0, 20))
    const reads = world.past.reads()
    expect(await world.pages(100, 20), 'after a preview without a page').to.deep.equal(model.slice(20))
    expect(world.past.reads()).to.equal(reads)
    const { movers, count, next_offset: next, ...rest } = await world.page(1_000_000_000, 100)
    expect([movers, count, next, rest]).to.deep.equal([[], model.length, null, plain])
  })

  it('stay the same while scores are submitted, until the list begins again', async () => {
    const world = played()
    const model = world.model()
    const found: Mover[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = await world.page(offset, 50)
      found.push(...(page.movers ?? []))
      world.submit(`late${offset}`, 1_000 + offset)
      offset = page.next_offset ?? null
    }
    expect(found).to.deep.equal(model)
    expect(await world.pages(50)).to.deep.equal(world.model())
    expect((await world.page(null, 0)).top).to.deep.equal(world.model().slice(0, 20))
  })

  it('are computed once for pages that are requested at the same time', async () => {
    const world = played()
    const { opened, open } = gate()
    world.past.gate = opened
    const asked = [50, 100, 150].map((offset) => world.page(offset, 50))
    await turn()
    open()
    const found = (await Promise.all(asked)).flatMap(({ movers = [] }) => movers)
    expect(found).to.deep.equal(world.model().slice(50, 200))
    expect(world.past.reads()).to.equal(READS)
  })

  it('never show a player who was banned or deleted after the list began', async () => {
    const world = played()
    const first = await world.page(0, 50)
    const reads = world.past.reads()
    const banned = world.model()[120]?.player ?? ''
    world.hidden.add(banned)
    const model = world.model()
    expect(model.map(({ player }) => player)).to.not.include(banned)
    const other = await world.page(50, 50)
    expect([other.count, world.past.reads()], 'a page without the player').to.deep.equal([first.count, reads])
    const page = await world.page(100, 50)
    expect(page.movers).to.deep.equal(model.slice(100, 150))
    expect(page).to.include({ count: model.length, entries_before: PLAYERS - 1 })
    expect(world.past.reads()).to.equal(reads + READS)
    expect((await world.page(150, 50)).movers).to.deep.equal(model.slice(150, 200))
    world.hidden.add(model[0]?.player ?? '')
    const top = (await world.page(150, 50)).top
    expect(top).to.deep.equal(world.model().slice(0, 20))
    expect(world.past.reads()).to.equal(reads + 2 * READS)
  })

  it('include the write that the caller has made or seen', async () => {
    const world = played()
    await world.page(0, 50)
    const reads = world.past.reads()
    const known = world.past.events.at(-1)?.position ?? ''
    await world.page(50, 50, { requiredPosition: known })
    expect(world.past.reads()).to.equal(reads)
    world.submit('late', 1_000)
    const written = world.past.events.at(-1)?.position ?? ''
    const page = await world.page(50, 50, { requiredPosition: written })
    expect(page.movers).to.deep.equal(world.model().slice(50, 100))
    expect(world.past.reads()).to.equal(reads + READS)
  })

  it('are computed again for other rules, another leaderboard, another generation and another caller', async () => {
    const world = played()
    const computes = async (options: PageOptions) => {
      const reads = world.past.reads()
      await world.page(50, 50, options)
      return world.past.reads() - reads
    }
    await world.page(0, 50)
    expect(await computes({})).to.equal(0)
    expect(await computes({ minScore: '41' })).to.equal(READS)
    expect(await computes({ minScore: '40' })).to.equal(0)
    expect(await computes({ caller: 'sk_b' })).to.equal(READS)
    expect(await computes({ board: 'other' })).to.equal(READS)
    await world.page(0, 50)
    Object.assign(world.past.board, { generation: 2 })
    expect(await computes({})).to.equal(READS)
  })

  it('are computed again after the time for which a list is kept', async () => {
    const world = played()
    await world.page(0, 50)
    const reads = world.past.reads()
    world.submit('late', 1_000)
    world.nowMs = CACHE_MS - 1
    await world.page(50, 50)
    expect(world.past.reads()).to.equal(reads)
    world.nowMs = CACHE_MS
    expect((await world.page(50, 50)).movers).to.deep.equal(world.model().slice(50, 100))
    expect(world.past.reads()).to.equal(reads + READS)
  })

  it('are each computed if the list is larger than what may be kept', async () => {
    for (const [maxBytes, reads] of [
      [200_000, READS],
      [14_000, 5 * READS],
    ] as const) {
      const world = played(10, maxBytes)
      const model = world.model()
      expect(await world.pages(model.length / 5)).to.deep.equal(model)
      expect(world.past.reads(), `${maxBytes} bytes`).to.equal(reads)
    }
  })
})

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
    entered: 0,
    left: 0,
    podiumBefore: [],
    podiumAfter: [],
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
