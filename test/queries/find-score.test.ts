// A score is found by its id while other rules become active on its board, between any two reads; and the entries that
// a scan keeps for its page.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Entry } from '../../queries/scores/entry.ts'
import { KNOWN_MAX, KnownEntries } from '../../queries/scores/known-entries.ts'
import { findScore } from '../../queries/scores/one.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import type { Views, Write } from '../../stores/contract/views.ts'
import { createMemoryViews } from '../memory/views.ts'

const BOARD = 'b'
const ID = 'e1'

/**
 * Reads of one call, and steps of a rule change: none, next generation built, next one active, inactive one cleared.
 */
const READS = 6

const STEPS = 4

/** The views after a step of a rule change, on a board that was unique or not before and then. */
async function viewsAfter(step: number, uniqueBefore: boolean, uniqueThen: boolean): Promise<Views> {
  const views = createMemoryViews()
  const entries = { name: 'entries', indexes: { lookup: ['lookup'] } }
  for (const one of [entries, { name: 'leaderboards', indexes: {} }]) {
    await views.prepare({ key: one.name, collections: [one] })
  }
  const entry = (generation: number, unique: boolean): Write => {
    const entryKey = { board: BOARD, generation, unique, player: 'p1', submission: ID }
    const lookup = unique || generation > 1 ? ID : null
    const body = { id: ID, lookup, board: BOARD, generation, player: 'p1', member: 'm', score: '1' }
    const more = { ranking: rankingKey(BOARD, generation) }
    return { collection: 'entries', id: entryDocument(entryKey), pos: '1', body: { ...body, ...more } }
  }
  const writes = [...(step < 3 ? [entry(1, uniqueBefore)] : []), ...(step > 0 ? [entry(2, uniqueThen)] : [])]
  const board = { id: BOARD, game: 'g1', generation: step < 2 ? 1 : 2, state: { archived: false } }
  const boards = [{ collection: 'leaderboards', id: BOARD, pos: '1', body: board }]
  await views.commit([
    { view: 'entries', writes, checkpoints: new Map() },
    { view: 'leaderboards', writes: boards, checkpoints: new Map() },
  ])
  return views
}

/** All sequences of the steps that each read finds; steps never go back. */
function courses(reads: number, from = 0): number[][] {
  if (reads === 0) return [[]]
  const steps = Array.from({ length: STEPS - from }, (_, more) => from + more)
  return steps.flatMap((step) => courses(reads - 1, step).map((rest) => [step, ...rest]))
}

function depsOver(states: readonly Views[], course: readonly number[]): QueryDeps {
  let reads = 0
  const now = () => states[course[reads++] ?? STEPS - 1] as Views
  const views = {
    get: (...params) => now().get(...params),
    current: (...params) => now().current(...params),
    find: (params) => now().find(params),
  } as Partial<Views> as Views
  const unused = new Proxy({}, {}) as never
  return { views, viewKey: (name) => name, history: unused, rankings: unused }
}

describe('finding a score by its id', () => {
  for (const [before, then] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const kind = (unique: boolean) => (unique ? 'one entry per player' : 'one entry per submission')
    it(`succeeds while ${kind(before)} becomes ${kind(then)}`, async () => {
      const states = await Promise.all([0, 1, 2, 3].map((step) => viewsAfter(step, before, then)))
      const lost: string[] = []
      for (const course of courses(READS)) {
        const found = await findScore(depsOver(states, course), ID, 'g1')
        if (found === null || found.entry.generation !== found.board.generation) lost.push(course.join())
      }
      expect(lost).to.deep.equal([])
    })
  }

  it('ignores an entry of rules that are not active', async () => {
    const states = await Promise.all([0, 1, 2, 3].map((step) => viewsAfter(step, true, true)))
    const elsewhere = depsOver(states, [2, 2, 2, 2])
    expect(await findScore(elsewhere, ID, 'g2')).to.equal(null)
    const board = { id: BOARD, game: 'g1', generation: 3, state: { archived: false } }
    const write = { collection: 'leaderboards', id: BOARD, pos: '2', body: board }
    await states[2]?.commit([{ view: 'leaderboards', writes: [write], checkpoints: new Map() }])
    expect(await findScore(depsOver(states, Array(20).fill(2)), ID, 'g1')).to.equal(null)
  })
})

const ENTRIES = 3 * KNOWN_MAX

/** From the worst on. Times repeat and do not follow the ranks. */
const SCANNED: readonly Entry[] = Array.from({ length: ENTRIES }, (_, n) => {
  const shown = { extra: null, name: null, added: '', updated: String((n * 7) % 50).padStart(2, '0') }
  const at = { id: `e${n}`, board: 'b', generation: 1, player: `p${n}`, ranking: 'b' }
  return {
    ...at,
    ...shown,
    score: parseDecimal(String(n)) as Decimal,
    secondary: null,
    member: String(ENTRIES - n).padStart(6, '0'),
  }
})

const bySortKey = (a: Entry, b: Entry) => (a.member < b.member ? -1 : 1)
const byTime = (a: Entry, b: Entry) => (a.updated === b.updated ? bySortKey(a, b) : a.updated < b.updated ? -1 : 1)

const BY_ORDER: Readonly<Record<'best' | 'worst' | 'newest' | 'oldest', readonly Entry[]>> = {
  best: SCANNED.toSorted(bySortKey),
  worst: SCANNED,
  oldest: SCANNED.toSorted(byTime),
  newest: SCANNED.toSorted((a, b) => (a.updated === b.updated ? bySortKey(a, b) : byTime(b, a))),
}

describe('KnownEntries', () => {
  for (const order of ['best', 'worst', 'newest', 'oldest'] as const) {
    it(`keeps the entries of a page near the start, by ${order}, and at most twice as many as a page may have`, () => {
      const known = new KnownEntries({ order, offset: KNOWN_MAX - 20, limit: 20 })
      let maxSize = 0
      for (const entry of SCANNED) {
        known.add(entry)
        maxSize = Math.max(maxSize, known.size)
      }
      const page = BY_ORDER[order].slice(KNOWN_MAX - 20, KNOWN_MAX)
      expect(page.map(({ member: sortKey }) => known.bySortKey().get(sortKey)?.id)).to.deep.equal(
        page.map(({ id }) => id),
      )
      expect(maxSize).to.be.within(KNOWN_MAX, 2 * KNOWN_MAX)
    })

    it(`keeps no entry of a page further on, by ${order}`, () => {
      const known = new KnownEntries({ order, offset: KNOWN_MAX, limit: 20 })
      for (const entry of SCANNED) known.add(entry)
      expect(known.size).to.equal(0)
    })
  }
})
