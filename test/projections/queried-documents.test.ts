// An event that updates many queried documents: it is applied in parts, with crashes between any two steps, and other
// work runs in between. The result must be that of applying it at once.

import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { entries } from '../../projections/entries.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { turn } from '../until.ts'
import {
  all,
  appendEvents,
  BANNED,
  BATCH_SIZE,
  BEFORE,
  Crash,
  configured,
  crashingStores,
  DELETED,
  type EventSpec,
  GAME,
  NAMED,
  newStores,
  projectorOn,
  type Stores,
  score,
  UNBANNED,
  VIEWS,
} from './queried-documents-world.ts'
import { startViews } from './start-views.ts'

async function startCrashes(stores: Stores, projections: readonly Projection[] = VIEWS): Promise<boolean> {
  try {
    await startViews(projectorOn(stores, BATCH_SIZE, projections))
    return false
  } catch (error) {
    if (error instanceof Crash) return true
    throw error
  }
}

const CASES: readonly (readonly [what: string, before: readonly EventSpec[], then: EventSpec])[] = [
  ['a ban', [], BANNED],
  ['a ban of a banned player', [BANNED], BANNED],
  ['an unban', [BANNED], UNBANNED],
  ['a new name', [], NAMED],
  ['a new name of a banned player', [BANNED], NAMED],
  ['a deletion', [], DELETED],
  ['a deletion of a banned player', [BANNED], DELETED],
  ['other origins', [], configured('https://kept.example', 'https://new.example')],
]

/** Later events of the same batch: a late submission must see the player as they are after the event. */
const LATER_EVENTS: readonly EventSpec[] = [score('b1', 'p1', 'late', 6), score('b1', 'p2', 'also-late', 2)]

describe('an event that updates many documents', () => {
  for (const [what, before, then] of CASES) {
    it(`is applied completely after a crash at any step, and changes nothing when it is applied again: ${what}`, async () => {
      const log = createMemoryLog()
      await appendEvents(log, [...BEFORE, ...before, then, ...LATER_EVENTS])
      const whole = newStores(log)
      await startViews(projectorOn(whole, 1_000))
      const due = await all(whole)

      let crashes = 0
      for (let at = 1, goesOn = true; goesOn; at++) {
        for (const isDone of [false, true]) {
          // Rankings of a server outlive the process; those in process are filled from the documents that remain.
          for (const areLost of [false, true]) {
            const own = createMemoryLog()
            const events = await log.readAll(null, 1_000)
            for (const { stream, revision, ...event } of events.slice(0, -1 - LATER_EVENTS.length)) {
              await own.append(stream, revision === 0 ? 'none' : revision - 1, [event])
            }
            const stores = newStores(own)
            await startViews(projectorOn(stores, BATCH_SIZE))
            for (const { stream, revision, ...event } of events.slice(-1 - LATER_EVENTS.length)) {
              await own.append(stream, revision === 0 ? 'none' : revision - 1, [event])
            }
            const world = crashingStores(stores, at, isDone)
            const isCrashed = await startCrashes(world.stores)
            if (isCrashed) crashes++
            goesOn = isCrashed
            const left = areLost ? { ...stores, rankings: createRankings() } : stores
            await startViews(projectorOn(left, BATCH_SIZE + 1))
            expect(await all(left), `crashed ${isDone ? 'after' : 'before'} step ${at}`).to.deep.equal(due)
          }
        }
      }
      expect(crashes).to.be.at.least(8)
    })
  }

  it('is applied in parts, and other reads between them see what is written so far', async () => {
    const stores = newStores(createMemoryLog())
    await appendEvents(stores.log, BEFORE)
    await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
    const sizesOfParts: number[] = []
    const views: Views = {
      ...stores.views,
      commit: async (batches) => {
        const changed = batches.flatMap(({ writes }) => writes.filter(({ collection }) => collection === 'entries'))
        sizesOfParts.push(changed.length)
        await stores.views.commit(batches)
      },
    }
    // Checks at every turn of the event loop that the ranking has the sort keys of the documents.
    const own = stores.rankings.of(viewKey(entries), partitionOf(GAME))
    const sizes: number[] = []
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
        const sortKeys = documents.flatMap(({ body }) => (body.ranking === 'b1.1' ? [String(body.member)] : []))
        expect(await own.range('b1.1', 0, 1_000)).to.deep.equal(sortKeys.sort())
        if (sizes.at(-1) !== sortKeys.length) sizes.push(sortKeys.length)
        await turn()
      }
    })()
    await appendEvents(stores.log, [BANNED])
    await startViews(projectorOn({ ...stores, views }, BATCH_SIZE, [entries]))
    isOver = true
    await watching
    expect(Math.max(...sizesOfParts)).to.equal(BATCH_SIZE)
    // The first part has the entry outside the bounds and two of b1; the others of b1 follow in two more parts.
    expect(sizes).to.deep.equal([14, 12, 9, 7])
  })

  it('writes the event’s own documents with the last part, so that nobody reads them too early', async () => {
    for (const [before, then] of [
      [[], BANNED],
      [[BANNED], UNBANNED],
      [[], NAMED],
      [[], DELETED],
    ] as const) {
      const stores = newStores(createMemoryLog())
      await appendEvents(stores.log, [...BEFORE, ...before])
      await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
      await appendEvents(stores.log, [then])
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
      await startViews(projectorOn({ ...stores, views }, BATCH_SIZE, [entries]))
      const parts = written.filter((collections) => collections.length > 0)
      expect(parts).to.have.lengthOf.above(3)
      expect(parts.slice(0, -1).flat()).to.not.include('names')
      expect(parts.at(-1)).to.include('names')
    }
  })

  it('changes nothing if the handler of the event throws', async () => {
    const failing: Projection = {
      ...entries,
      handle(event, docs, stream) {
        entries.handle(event, docs, stream)
        if (event.type === 'PlayerBanned') throw new Error('it does not apply')
      },
    }
    const stores = newStores(createMemoryLog())
    await appendEvents(stores.log, BEFORE)
    await startViews(projectorOn(stores, BATCH_SIZE, [failing]))
    const before = await all(stores, [failing])
    await appendEvents(stores.log, [BANNED])
    await startViews(projectorOn(stores, BATCH_SIZE, [failing]))
    const { 'entries/parked/player-p1': parked, ...after } = await all(stores, [failing])
    expect(parked).to.contain('PlayerBanned')
    expect(after).to.deep.equal(before)
  })

  it('stops between two parts when the signal aborts, and continues from there', async () => {
    const stores = newStores(createMemoryLog())
    await appendEvents(stores.log, [...BEFORE, BANNED])
    const { deps, appliers } = projectorOn(stores, BATCH_SIZE, [entries])
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
    let error: unknown
    await applier.apply(await stores.log.readAll(null, 1_000), ending.signal).catch((failure: unknown) => {
      error = failure
    })
    expect(error).to.be.instanceOf(Crash)
    const hidden = async () => {
      const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
      return documents.filter(({ body }) => body.aside !== undefined).length
    }
    expect(await hidden()).to.equal(BATCH_SIZE)
    await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
    expect(await hidden()).to.equal(13)
  })

  it('is parked if one document cannot be updated, after all others were updated', async () => {
    const failing: Projection = {
      ...entries,
      updateEach(event, docs, id) {
        if (id.includes('p1-a9')) throw new Error('it does not apply')
        entries.updateEach?.(event, docs, id)
      },
    }
    const log = createMemoryLog()
    await appendEvents(log, [...BEFORE, BANNED, UNBANNED])
    for (let at = 1, goesOn = true; goesOn; at++) {
      const stores = newStores(log)
      goesOn = await startCrashes(crashingStores(stores, at, true).stores, [failing])
      const world = projectorOn(stores, BATCH_SIZE, [failing])
      await startViews(world)
      const parked = await stores.views.scan(viewKey(entries), PARKED, null, 10)
      expect(parked.map(({ id, body }) => [id, body.type])).to.deep.equal([['player-p1', 'PlayerBanned']])
      const documents = await stores.views.scan(viewKey(entries), 'entries', null, 1_000)
      const shown = documents.filter(({ body }) => body.player === 'p1' && body.aside === undefined)
      expect(shown.map(({ body }) => body.id)).to.deep.equal(['p1-a9'])
    }
  })
})

/** Rankings that accept every put. */
function createRankingsOfAll(): AllRankings {
  const rankings = createRankings()
  return { ...rankings, of: (view, partition) => ({ ...rankings.of(view, partition), put: async () => {} }) }
}
