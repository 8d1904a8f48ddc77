// Queries for the events of a range of times skip blocks of the history, and answer exactly what a filter over all
// events does.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { Position } from '../../domain/event.ts'
import { history } from '../../projections/history.ts'
import { viewKey } from '../../projections/projection.ts'
import { type EventsDeps, type EventsPage, eventPages } from '../../queries/events.ts'
import { historyInViews } from '../../queries/history.ts'
import { viewReached } from '../../queries/reached.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { BLOCK_EVENTS } from '../../stores/embedded/time-blocks.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { newPath } from '../stores/folder.ts'
import {
  countingReads,
  everyEvent,
  expectExact,
  expectExactAtEdges,
  positionsOf,
  unevenTimes,
} from './uneven-clocks.ts'

const AT_ONCE = 250
const POSITIONS = { isPosition: async () => true, isFromBeforeRestore: async () => false }
const depsOf = (log: History, reached: EventsDeps['reached']): EventsDeps => ({ history: log, reached, ...POSITIONS })

/** Appends events of two games to new streams. */
async function grow(log: Log, events: number, random: Random, nextTime: () => string): Promise<void> {
  for (let left = events; left > 0; left -= AT_ONCE) {
    const added = Array.from({ length: Math.min(AT_ONCE, left) }, () => {
      const about = random.pick([{ game: 'g2' }, { game: 'g1', board: 'b1' }, { game: 'g1' }, { game: 'g1' }])
      return someEvent({ meta: { ...about, time: nextTime() } })
    })
    await appended(log, `s-${random.below(2 ** 31)}`, 'none', added)
  }
}

/** A second apart. */
function evenTimes(): () => string {
  let n = 0
  return () => new Date(Date.UTC(2026, 0, 1) + 1_000 * n++).toISOString()
}

describe('events of a range of times from the embedded log', () => {
  it('are exact while the clocks jump: as the index grows, after a restart, and from an index that is built again', async () => {
    const [random, path] = [new Random(SEED), newPath('log.sqlite')]
    const nextTime = unevenTimes(random)
    const check = async (events: number) => {
      const log = await openLog(path)
      await grow(log, events, random, nextTime)
      const deps = depsOf(log, () => log.head())
      const all = await everything(log)
      await expectExact(deps, all, random, sized(8, 200))
      // After a restart, most blocks are in the file, so this reads little.
      if (events === 0) await expectExactAtEdges(deps, all, BLOCK_EVENTS)
      await log.close()
    }
    for (const events of [1_000, 2_000, 3_000, 0]) await check(events)
    const file = new DatabaseSync(indexPathOf(path))
    // As an earlier version wrote it.
    file.exec("DELETE FROM times; DELETE FROM progress WHERE name = 'timed'")
    file.close()
    await check(0)
  })

  it('are found in a block that is written in parts, whichever part has the latest and the earliest time', async () => {
    const path = newPath('log.sqlite')
    const timeOf = (hour: number) => `2026-01-01T0${hour}:00:00.000Z`
    for (const hour of [5, 2, 8, 6]) {
      const log = await openLog(path)
      await grow(log, 500, new Random(hour), () => timeOf(hour))
      await log.close()
    }
    const log = await openLog(path)
    for (const hour of [2, 8]) {
      const query = { ...everyEvent('g1'), since: timeOf(hour), until: timeOf(hour + 1) }
      const found = await positionsOf(
        depsOf(log, () => log.head()),
        query,
      )
      expect(found.length, timeOf(hour)).to.be.above(300)
    }
    await log.close()
  })

  it('are found without reading the blocks before and after them', async () => {
    const path = newPath('log.sqlite')
    const nextTime = evenTimes()
    const filled = await openLog(path)
    await grow(filled, 9_000, new Random(1), nextTime)
    await filled.close()
    const log = await openLog(path)
    const all = (await everything(log)).filter(({ meta }) => meta.game === 'g1')
    for (const [since, until, readMax] of [
      [8_950, null, 1_000],
      [20_000, null, 1_000],
      [5_000, 5_010, 3_000],
      [null, 10, 3_000],
    ] as const) {
      const timeOf = (second: number | null) =>
        second === null ? null : new Date(Date.UTC(2026, 0, 1) + 1_000 * second).toISOString()
      const query = { ...everyEvent('g1'), since: timeOf(since), until: timeOf(until) }
      const counted = countingReads(depsOf(log, () => log.head()))
      const found = await positionsOf(counted.deps, query)
      const inRange = all.filter(({ meta: { time } }) => time >= (query.since ?? '') && time < (query.until ?? '~'))
      expect(found).to.deep.equal(inRange.map(({ position }) => position))
      expect(counted.read, `${since} to ${until}`).to.be.below(readMax)
    }
    await log.close()
  })
})

describe('events of a range of times from the history view', () => {
  const view = viewKey(history)
  /** Eight events are one block of the view. */
  const STRIDE = 2 ** 17

  async function filledView(events: number, random: Random, nextTime: () => string) {
    const log = createMemoryLog(STRIDE)
    const world = runWorld([history], { log })
    await prepareWorld(world)
    await grow(log, events, random, nextTime)
    await runToEnd(world)
    const { views } = world.deps
    return { log, deps: depsOf(historyInViews(views, view), (game) => viewReached(views, view, game)) }
  }

  it('are exact while the clocks jump', async () => {
    const random = new Random(SEED)
    const { log, deps } = await filledView(800, random, unevenTimes(random))
    const all = await everything(log)
    await expectExact(deps, all, random, sized(30, 300))
    await expectExactAtEdges(deps, all, 2 ** 20 / STRIDE)
  })

  it('are found without reading the blocks before them, however many there are', async () => {
    const { log, deps } = await filledView(1_000, new Random(1), evenTimes())
    const all = await everything(log)
    const counted = countingReads(deps)
    const since = all[950]?.meta.time ?? ''
    const expected = all.filter(({ meta }) => meta.game === 'g1' && meta.time >= since)
    expect(await positionsOf(counted.deps, { ...everyEvent('g1'), since })).to.deep.equal(
      expected.map(({ position }) => position),
    )
    // Times are stored to the minute.
    expect(counted.read).to.be.below(120)
  })
})

describe('events of a range of times', () => {
  it('are followed from a position beyond what the history has reached without repeating events', async () => {
    const log = createMemoryLog()
    await grow(log, 20, new Random(1), evenTimes())
    const all = (await everything(log)).filter(({ meta }) => meta.game === 'g1')
    const [behind, after] = [all[3]?.position ?? null, all[9]?.position ?? null]
    let reached: Position | null = behind
    const deps = depsOf(log, async () => reached)
    const query = { ...everyEvent('g1'), since: '2026-01-01T00:00:00.000Z', after, follow: true }
    const pages = eventPages(deps, query, new AbortController().signal)
    const next = async (): Promise<EventsPage | undefined> => (await pages.next()).value ?? undefined
    expect(await next()).to.deep.equal({ events: [], upTo: after })
    reached = await log.head()
    expect((await next())?.events[0]?.position).to.equal(all[10]?.position)
    await pages.return(undefined)
  })
})
