// Positions of views: how far each partition has come, who waits for it, and which checkpoints are written.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { ALL_PARTITIONS, PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Applier } from '../../projections/applier.ts'
import {
  ahead,
  beyond,
  type Checkpoints,
  earliest,
  endsGame,
  everywhere,
  lastPerPartition,
  leastReached,
  move,
  reached,
} from '../../projections/checkpoints.ts'
import { MemoryBudget } from '../../projections/memory-budget.ts'
import { isParked, parkedStreams } from '../../projections/parked.ts'
import { Progress } from '../../projections/progress.ts'
import { pause } from '../until.ts'

const GAMES = Array.from({ length: 200 }, (_, n) => `game${n}`)
/** A game of another partition than the first. */
const [ONE = '', TWO = ''] = [GAMES[0], GAMES.find((game) => partitionOf(game) !== partitionOf('game0'))]
const [P1, P2] = [partitionOf(ONE), partitionOf(TWO)]
const event = (position: string, game: string, type = 'X') =>
  ({ id: `id${position}`, position, type, stream: 's', meta: { game } }) as StoredEvent
const at = (position: string) => ({ position, eventId: `id${position}` })
const checkpoints = (...all: [number, string][]): Checkpoints =>
  new Map(all.map(([partition, position]) => [partition, at(position)]))

describe('the progress of views', () => {
  it('moves forward by partition only', () => {
    const progress = new Progress()
    expect(progress.current(ONE)).to.equal(null)
    expect(progress.advance(P1, '05')).to.equal(true)
    expect(progress.advance(P1, '05')).to.equal(false)
    expect(progress.advance(P1, '04')).to.equal(false)
    expect([progress.current(ONE), progress.current(TWO)]).to.deep.equal(['05', null])
    expect(progress.advance(P1, '06')).to.equal(true)
    expect(progress.current(ONE)).to.equal('06')
  })

  it('is unknown as a whole until every partition is known', () => {
    const progress = new Progress()
    for (const partition of ALL_PARTITIONS) {
      expect(progress.least()).to.equal(null)
      progress.advance(partition, partition === P2 ? '03' : '07')
    }
    expect(progress.least()).to.equal('03')
  })

  it('wakes those who wait for a position once it is reached', async () => {
    const progress = new Progress()
    let waits = 0
    progress.onWait = () => waits++
    const woken: string[] = []
    const waiting = ['05', '06', '07'].map((position) =>
      progress.waitFor(ONE, position, 60_000).then((came) => woken.push(`${position} ${came}`)),
    )
    expect([waits, progress.isAwaited([P1]), progress.isAwaited([P2]), progress.isAwaited([])]).to.deep.equal([
      3,
      true,
      false,
      false,
    ])
    progress.advance(P2, '09')
    progress.advance(P1, '06')
    await pause(1)
    expect(woken).to.deep.equal(['05 true', '06 true'])
    expect(progress.isAwaited([P2, P1])).to.equal(true)
    progress.advance(P1, '08')
    await Promise.all(waiting)
    expect([woken[2], progress.isAwaited([P1])]).to.deep.equal(['07 true', false])
  })

  it('lets nobody wait for what is reached', async () => {
    const progress = new Progress()
    progress.advance(P1, '05')
    progress.onWait = () => expect.fail('nobody has to wait')
    expect(await progress.waitFor(ONE, '05', 60_000)).to.equal(true)
    expect(await progress.waitUntil(P1, '05', AbortSignal.abort())).to.equal(true)
    expect(await progress.waitUntil(P1, '', AbortSignal.abort())).to.equal(true)
  })

  it('gives up after a time', async () => {
    const progress = new Progress()
    expect(await progress.waitFor(ONE, '05', 1)).to.equal(false)
    expect(progress.isAwaited([P1])).to.equal(false)
  })

  it('gives up when the signal aborts, before or while it waits', async () => {
    const progress = new Progress()
    expect(await progress.waitUntil(P1, '', AbortSignal.abort())).to.equal(false)
    const stopping = new AbortController()
    const [given, reached] = [
      progress.waitUntil(P1, '05', stopping.signal),
      progress.waitUntil(P1, '', stopping.signal),
    ]
    progress.advance(P1, '01')
    expect(await reached).to.equal(true)
    stopping.abort()
    expect([await given, progress.isAwaited([P1])]).to.deep.equal([false, false])
  })
})

describe('checkpoints', () => {
  const of = (...all: Checkpoints[]) => new Map(all.map((one, n) => [{ n } as unknown as Applier, one]))

  it('have come, of several views, as far as the last one of them', () => {
    const views = [checkpoints([P1, '05'], [P2, '03']), checkpoints([P1, '04'])]
    expect([leastReached(views, P1), leastReached(views, P2), leastReached([], P1)]).to.deep.equal(['04', null, null])
    const owned = { owned: new Set([P1]), of: of(...views) }
    expect([earliest(owned), reached(owned)]).to.deep.equal(['04', [[P1, '04']]])
    const both = { owned: new Set([P1, P2]), of: of(...views) }
    expect([earliest(both), reached(both)]).to.deep.equal([
      null,
      [
        [P1, '04'],
        [P2, null],
      ],
    ])
  })

  it('leave out events that are applied, and those of partitions that others own', () => {
    const events = [event('01', ONE), event('02', TWO), event('03', ONE)]
    const positions = (list: readonly StoredEvent[]) => list.map(({ position }) => position)
    const all = new Set(ALL_PARTITIONS)
    expect(beyond(events, new Map(), all)).to.equal(events)
    expect(positions(beyond(events, new Map(), new Set([P1])))).to.deep.equal(['01', '03'])
    expect(positions(beyond(events, checkpoints([P1, '01']), all))).to.deep.equal(['02', '03'])
    expect(positions(beyond(events, checkpoints([P1, '03']), new Set([P1])))).to.deep.equal([])
    expect(beyond(events, checkpoints([P1, '00']), all)).to.equal(events)
  })

  it('are written for every owned partition, or for those of the events', () => {
    const owned = new Set([P1, P2])
    expect(everywhere(event('03', ONE), owned)).to.deep.equal(checkpoints([P1, '03'], [P2, '03']))
    const events = [event('01', ONE), event('02', TWO), event('03', ONE)]
    expect(lastPerPartition(events, owned)).to.deep.equal(checkpoints([P1, '03'], [P2, '02']))
    expect(lastPerPartition(events, new Set([P2]))).to.deep.equal(checkpoints([P2, '02']))
    expect(PARTITIONS).to.equal(ALL_PARTITIONS.length)
  })

  it('move forward only', () => {
    const own = checkpoints([P1, '05'])
    const moved = checkpoints([P1, '05'], [P2, '02'])
    expect(ahead(own, moved)).to.deep.equal(checkpoints([P2, '02']))
    move(own, moved)
    move(own, checkpoints([P1, '04'], [P2, '03']))
    expect(own).to.deep.equal(checkpoints([P1, '05'], [P2, '03']))
  })

  it('are moved everywhere at the end of the removal of a game', () => {
    expect(endsGame([event('01', ONE), event('02', ONE, 'GameErased')])).to.equal(true)
    expect([endsGame([event('01', ONE)]), endsGame([])]).to.deep.equal([false, false])
  })
})

describe('a parked stream', () => {
  it('is skipped from the event on that could not be applied', () => {
    const parked = new Map([['s', '05']])
    const isSkipped = (stream: string, position: string) => isParked(parked, { stream, position })
    expect([isSkipped('s', '04'), isSkipped('s', '05'), isSkipped('s', '06'), isSkipped('t', '06')]).to.deep.equal([
      false,
      true,
      true,
      false,
    ])
    expect(isParked(new Map(), { stream: 's', position: '06' })).to.equal(false)
  })

  for (const count of [0, 1, 999, 1_000, 1_001, 2_000]) {
    it(`is found among ${count}, in pages of 1,000`, async () => {
      const all = Array.from({ length: count }, (_, n) => `s${String(n).padStart(5, '0')}`)
      const asked: (string | null)[] = []
      const streams = await parkedStreams(
        {
          scan: async (view, collection, after, limit) => {
            asked.push(after)
            expect([view, collection, limit]).to.deep.equal(['v@1', 'parked', 1_000])
            const rest = all.filter((id) => after === null || id > after).slice(0, limit)
            return rest.map((id) => ({ id, pos: '1', body: { position: `at ${id}` } }))
          },
        },
        'v@1',
      )
      expect([...streams]).to.deep.equal(all.map((id) => [id, `at ${id}`]))
      expect(asked).to.have.length(Math.floor(count / 1_000) + 1)
    })
  }
})

describe('a memory budget', () => {
  it('requires a flush of who holds at least the average, once all exceed the limit', () => {
    const budget = new MemoryBudget(100)
    const [one, two] = [{}, {}]
    expect(budget.requiresFlush(one, 100)).to.equal(false)
    expect(budget.requiresFlush(two, 1)).to.equal(false)
    expect(budget.requiresFlush(one, 100)).to.equal(true)
    expect(budget.requiresFlush(one, 60)).to.equal(false)
    expect(budget.requiresFlush(two, 60)).to.equal(true)
    expect(budget.requiresFlush(two, 59)).to.equal(false)
    expect(budget.requiresFlush(two, 10)).to.equal(false)
  })
})
