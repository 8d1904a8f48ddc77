// An event that finds many documents: it is applied in parts, with crashes between any two steps of them, and others have their
// turn meanwhile. What comes of it is what comes of it at once.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject, NewEvent } from '../../domain/event.ts'
import { createApplier } from '../../projections/apply.ts'
import { entries } from '../../projections/entries.ts'
import { history } from '../../projections/history.ts'
import { origins } from '../../projections/origins.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { Log } from '../../stores/contract/log.ts'
import { partitionOf } from '../../stores/contract/partition.ts'
import type { AllRankings, RankingChange } from '../../stores/contract/rankings.ts'
import type { Batch, Views } from '../../stores/contract/views.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { type RunWorld, runWorld } from './run-world.ts'
import { startViews } from './started.ts'

const GAME = 'g1'
/** Documents that are written together. */
const AT_ONCE = 3
const VIEWS = [entries, history, origins] as const

type Told = readonly [stream: string, type: string, data: JsonObject, about?: { board?: string; player?: string }]

const rulesOf = (unique: boolean) => ({
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique,
  minScore: unique ? '0' : null,
  maxScore: null,
})

const board = (id: string, unique: boolean): Told => {
  return [`board-${id}`, 'LeaderboardCreated', { name: id, description: '', rules: rulesOf(unique) }, { board: id }]
}
const ofPlayer = (player: string, type: string, data: JsonObject = {}): Told => {
  return [`player-${player}`, type, data, { player }]
}
const score = (id: string, player: string, submission: string, value: number): Told => {
  const data = { id: submission, score: String(value), secondary: null, extra: null }
  const playerName = value % 4 === 0 ? 'An ace' : null
  return [`lb_${id}-${player}`, 'ScoreSubmitted', { ...data, playerName }, { board: id, player }]
}
const configured = (...corsOrigins: readonly string[]): Told => [`game-${GAME}`, 'GameConfigured', { corsOrigins }]

/** Two players, each with several entries on two boards, and on two where a player has one: on the last it lies outside. */
const BEFORE: readonly Told[] = [
  configured(...[0, 1, 2, 3, 4, 5, 6].map((n) => `https://old-${n}.example`), 'https://kept.example'),
  board('b1', false),
  board('b2', false),
  board('b3', true),
  board('b4', true),
  ...['p1', 'p2'].flatMap((player): readonly Told[] => [
    ofPlayer(player, 'PlayerCreated', { name: player, externalId: null, guest: true }),
    ...[5, 3, 9, 1, 7, 4, 8].map((value) => score('b1', player, `${player}-a${value}`, value)),
    ...[2, 6, 4, 1].map((value) => score('b2', player, `${player}-b${value}`, value)),
    score('b3', player, `${player}-c`, 5),
    score('b4', player, `${player}-d`, -5),
  ]),
]

const BANNED = ofPlayer('p1', 'PlayerBanned', { reason: null, until: null })
const UNBANNED = ofPlayer('p1', 'PlayerUnbanned')
const NAMED = ofPlayer('p1', 'PlayerNamed', { name: 'Another' })
const DELETED = ofPlayer('p1', 'PlayerDeleted', { externalId: null, login: null })

async function tell(log: Log, told: readonly Told[]): Promise<void> {
  for (const [stream, type, data, about = {}] of told) {
    const revision = (await log.readStream(stream, 0, 1_000)).length
    const meta = { v: 1, game: GAME, ...about, command: randomUUID(), actor: null, request: null }
    const event: NewEvent = { id: randomUUID(), type, data, meta: { ...meta, time: '2026-01-01T00:00:00.000Z' } }
    await log.append(stream, revision === 0 ? 'none' : revision - 1, [event])
  }
}

interface Stores {
  readonly log: Log
  readonly views: Views
  readonly rankings: AllRankings
}

const freshOn = (log: Log): Stores => ({ log, views: createMemoryViews(), rankings: createRankings() })

/** A process on these stores, as one that starts. */
function begun(stores: Stores, foundAtOnce: number, projections: readonly Projection[] = VIEWS): RunWorld {
  const world = runWorld(projections, stores)
  const deps = { ...world.deps, foundAtOnce }
  return { ...world, deps, appliers: projections.map((view) => createApplier(view, deps)) }
}

/** Every document with its position, and every ranking. */
async function all({ views, rankings }: Stores, projections: readonly Projection[] = VIEWS) {
  const found: Record<string, unknown> = {}
  for (const projection of projections) {
    for (const { name } of viewSpec(projection).collections) {
      const collection = `${projection.name}/${name}`
      for (const { id, ...document } of await views.scan(viewKey(projection), name, null, 1_000)) {
        found[`${collection}/${id}`] = JSON.stringify(document)
      }
    }
  }
  const own = rankings.of(viewKey(entries), partitionOf(GAME))
  for (const id of ['b1', 'b2', 'b3', 'b4']) found[id] = await own.range(`${id}.1`, 0, 1_000)
  return found
}

class Crash extends Error {}

/** Stores that a process breaks off at, before or after its `at`-th step from now on: a put into a ranking or a commit. */
function breaking({ log, views, rankings }: Stores, at: number, isDone: boolean) {
  let steps = 0
  async function step(work: () => Promise<void>): Promise<void> {
    const isLast = ++steps === at
    if (steps > at || (isLast && !isDone)) throw new Crash()
    await work()
    if (isLast) throw new Crash()
  }
  const stores: Stores = {
    log,
    views: { ...views, commit: (batches: readonly Batch[]) => step(() => views.commit(batches)) },
    rankings: {
      ...rankings,
      of(view, partition) {
        const own = rankings.of(view, partition)
        return { ...own, put: (changes: readonly RankingChange[]) => step(() => own.put(changes)) }
      },
    },
  }
  return { stores, steps: () => steps }
}

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

describe('an event that finds many documents', () => {
  for (const [what, before, then] of CASES) {
    it(`is applied wherever it broke off, and changes nothing more when it comes again: ${what}`, async () => {
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

  it('is applied in parts, between which others read what is there by then', async () => {
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

  it('ends with the signal between two parts, and goes on from there', async () => {
    const stores = freshOn(createMemoryLog())
    await tell(stores.log, [...BEFORE, BANNED])
    const { deps, appliers } = begun(stores, AT_ONCE, [entries])
    for (const { projection } of appliers) await stores.views.prepare(viewSpec(projection))
    const ending = new AbortController()
    const views: Views = {
      ...stores.views,
      commit: async (batches) => {
        await stores.views.commit(batches)
        if (batches.some(({ writes }) => writes.some(({ id }) => id === 'p1'))) ending.abort(new Crash())
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

  it('is parked where one of the documents cannot be changed, once all the others are', async () => {
    const failing: Projection = {
      ...entries,
      handleFound(event, docs, id) {
        if (id.includes('p1-a9')) throw new Error('it does not apply')
        entries.handleFound?.(event, docs, id)
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
