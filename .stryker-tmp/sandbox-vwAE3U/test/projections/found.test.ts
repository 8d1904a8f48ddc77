// An event that updates many queried documents: it is applied in parts, with crashes between any two steps, and other
// work runs in between. The result must be that of applying it at once.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { partitionOf } from '../../domain/partition.ts'
import { createApplier } from '../../projections/apply.ts'
import { entries } from '../../projections/entries.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { createMemoryLog } from '../memory/log.ts'
import {
  AT_ONCE,
  all,
  BANNED,
  BEFORE,
  begun,
  breaking,
  Crash,
  configured,
  DELETED,
  freshOn,
  GAME,
  NAMED,
  type Stores,
  score,
  type Told,
  tell,
  UNBANNED,
  VIEWS,
} from './found-world.ts'
import { startViews } from './started.ts'

async function startBroken(stores: Stores, projections: readonly Projection[] = VIEWS): Promise<boolean> {
  try {
    await startViews(begun(stores, AT_ONCE, projections))
    return false
  } catch (why) {
    if (why instanceof Crash) return true
    throw why
  }
}

const CASES: readonly (readonly [what: string, before: readonly Told[], then: Told])[] = [
  ['a ban', [], BANNED],
  ['a ban of who is banned', [BANNED], BANNED],
  ['an unban', [BANNED], UNBANNED],
  ['a new name', [], NAMED],
  ['a new name of who is banned', [BANNED], NAMED],
  ['a deletion', [], DELETED],
  ['a deletion of who is banned', [BANNED], DELETED],
  ['other origins', [], configured('https://kept.example', 'https://new.example')],
]

/** Comes behind it, in the same batch: a late submission is of a player as they then are. */
const BEHIND: readonly Told[] = [score('b1', 'p1', 'late', 6), score('b1', 'p2', 'also-late', 2)]

describe('an event that updates many documents', () => {
  for (const [what, before, then] of CASES) {
    it(`is applied completely after a crash at any step, and changes nothing when applied again: ${what}`, async () => {
      const log = createMemoryLog()
      await tell(log, [...BEFORE, ...before, then, ...BEHIND])
      const whole = freshOn(log)
      await startViews(begun(whole, 1_000))
      const due = await all(whole)

      let broken = 0
      for (let at = 1, goesOn = true; goesOn; at++) {
        for (const isDone of [false, true]) {
          // The rankings of another process outlive it; those in process are filled from the documents as they were left.
          for (const areLost of [false, true]) {
            const own = createMemoryLog()
            const events = await log.readAll(null, 1_000)
            for (const { stream, revision, ...event } of events.slice(0, -1 - BEHIND.length)) {
              await own.append(stream, revision === 0 ? 'none' : revision - 1, [event])
            }
            const stores = freshOn(own)
            await startViews(begun(stores, AT_ONCE))
            for (const { stream, revision, ...event } of events.slice(-1 - BEHIND.length)) {
              await own.append(stream, revision === 0 ? 'none' : revision - 1, [event])
            }
            const world = breaking(stores, at, isDone)
            const isBroken = await startBroken(world.stores)
            if (isBroken) broken++
            goesOn = isBroken
            const left = areLost ? { ...stores, rankings: createRankings() } : stores
            await startViews(begun(left, AT_ONCE + 1))
            expect(await all(left), `broken off at step ${at}, ${isDone ? 'after' : 'before'} it`).to.deep.equal(due)
          }
        }
      }
      expect(broken).to.be.at.least(8)
    })
  }

  it('is applied in parts, between which others can read what is written so far', async () => {
    const stores = freshOn(createMemoryLog())
    await tell(stores.log, BEFORE)
    await startViews(begun(stores, AT_ONCE, [entries]))
    const most: number[] = []
    const views: Views = {
      ...stores.views,
      commit: async (batches) => {
        const changed = batches.flatMap(({ writes }) => writes.filter(({ collection }) => collection === 'entries'))
        most.push(changed.length)
        await stores.views.commit(batches)
      },
    }
    // Looks at every turn of the event loop. What is ranked is what documents say.
    const own = stores.rankings.of(viewKey(entries), partitionOf(GAME))
    const sizes: number[] = []
    let isOver = false
    const looking = (async () => {
      while (!isOver) {
        const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
        const members = documents.flatMap(({ body }) => (body.ranking === 'b1.1' ? [String(body.member)] : []))
        expect(await own.range('b1.1', 0, 1_000)).to.deep.equal(members.sort())
        if (sizes.at(-1) !== members.length) sizes.push(members.length)
        await new Promise((next) => setImmediate(next))
      }
    })()
    await tell(stores.log, [BANNED])
    await startViews(begun({ ...stores, views }, AT_ONCE, [entries]))
    isOver = true
    await looking
    expect(Math.max(...most)).to.equal(AT_ONCE)
    // Of 13 entries the one outside the bounds and two of the first board come first; those of b1 in three parts.
    expect(sizes).to.deep.equal([14, 12, 9, 7])
  })

  it('writes its own documents with the last part, so that nobody reads them too early', async () => {
    for (const [before, then] of [
      [[], BANNED],
      [[BANNED], UNBANNED],
      [[], NAMED],
      [[], DELETED],
    ] as const) {
      const stores = freshOn(createMemoryLog())
      await tell(stores.log, [...BEFORE, ...before])
      await startViews(begun(stores, AT_ONCE, [entries]))
      await tell(stores.log, [then])
      const due = await stores.log.head()
      const written: string[][] = []
      const views: Views = {
        ...stores.views,
        commit: async (batches) => {
          const writes = batches.flatMap((batch) => batch.writes)
          written.push(writes.filter(({ pos }) => pos === due).map(({ collection }) => collection))
          await stores.views.commit(batches)
        },
      }
      await startViews(begun({ ...stores, views }, AT_ONCE, [entries]))
      const parts = written.filter((collections) => collections.length > 0)
      expect(parts).to.have.lengthOf.above(3)
      expect(parts.slice(0, -1).flat()).to.not.include('names')
      expect(parts.at(-1)).to.include('names')
    }
  })

  it('changes nothing if its own documents cannot be created', async () => {
    const failing: Projection = {
      ...entries,
      handle(event, docs, stream) {
        entries.handle(event, docs, stream)
        if (event.type === 'PlayerBanned') throw new Error('it does not apply')
      },
    }
    const stores = freshOn(createMemoryLog())
    await tell(stores.log, BEFORE)
    await startViews(begun(stores, AT_ONCE, [failing]))
    const before = await all(stores, [failing])
    await tell(stores.log, [BANNED])
    await startViews(begun(stores, AT_ONCE, [failing]))
    const { 'entries/parked/player-p1': parked, ...after } = await all(stores, [failing])
    expect(parked).to.contain('PlayerBanned')
    expect(after).to.deep.equal(before)
  })

  it('stops between two parts when the signal aborts, and continues from there', async () => {
    const stores = freshOn(createMemoryLog())
    await tell(stores.log, [...BEFORE, BANNED])
    const { deps, appliers } = begun(stores, AT_ONCE, [entries])
    for (const { projection } of appliers) await stores.views.prepare(viewSpec(projection))
    const ending = new AbortController()
    const views: Views = {
      ...stores.views,
      commit: async (batches) => {
        await stores.views.commit(batches)
        const isPart = batches.some(({ writes }) => writes.some(({ body }) => body?.aside !== undefined))
        if (isPart) ending.abort(new Crash())
      },
    }
    const applier = createApplier(entries, { ...deps, views, rankings: createRankingsOfAll() })
    let why: unknown
    await applier.apply(await stores.log.readAll(null, 1_000), ending.signal).catch((failure: unknown) => {
      why = failure
    })
    expect(why).to.be.instanceOf(Crash)
    const hidden = async () => {
      const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
      return documents.filter(({ body }) => body.aside !== undefined).length
    }
    expect(await hidden()).to.equal(AT_ONCE)
    await startViews(begun(stores, AT_ONCE, [entries]))
    expect(await hidden()).to.equal(13)
  })

  it('is parked if one document cannot be updated, after all others are', async () => {
    const failing: Projection = {
      ...entries,
      updateEach(event, docs, id) {
        if (id.includes('p1-a9')) throw new Error('it does not apply')
        entries.updateEach?.(event, docs, id)
      },
    }
    const log = createMemoryLog()
    await tell(log, [...BEFORE, BANNED, UNBANNED])
    for (let at = 1, goesOn = true; goesOn; at++) {
      const stores = freshOn(log)
      goesOn = await startBroken(breaking(stores, at, true).stores, [failing])
      const world = begun(stores, AT_ONCE, [failing])
      await startViews(world)
      const parked = await stores.views.scan(viewKey(entries), PARKED, null, 10)
      expect(parked.map(({ id, body }) => [id, body.type])).to.deep.equal([['player-p1', 'PlayerBanned']])
      const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
      const shown = documents.filter(({ body }) => body.player === 'p1' && body.aside === undefined)
      expect(shown.map(({ body }) => body.id)).to.deep.equal(['p1-a9'])
    }
  })
})

/** Rankings that take everything. */
function createRankingsOfAll(): AllRankings {
  const rankings = createRankings()
  return { ...rankings, of: (view, partition) => ({ ...rankings.of(view, partition), put: async () => {} }) }
}
