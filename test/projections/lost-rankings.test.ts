// Rankings in a store that was emptied: they are filled again from the documents, with or without new writes.

import { once } from 'node:events'
import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { endWhenRankingsAreLost, untilFilled } from '../../projections/fill-rankings.ts'
import { type AllRankings, RankingsLost } from '../../stores/contract/rankings.ts'
import { createSharedRankings, type SharedRankings } from '../memory/rankings.ts'
import { prepareWorld } from './prepare-world.ts'
import {
  appendTexts,
  caughtUp,
  counts,
  type RunWorld,
  ranked,
  running,
  runToEnd,
  runWorld,
  texts,
} from './run-world.ts'
import { startViews } from './start-views.ts'

const all = ({ deps }: RunWorld) => ranked(deps.rankings)

/** Rankings that call `onFilled` after each fill. */
function notifyingFills(rankings: AllRankings, onFilled: (partition: number) => void | Promise<void>): AllRankings {
  const of = (view: string, partition: number) => {
    const set = rankings.of(view, partition)
    const beginFill = async (name: string) => {
      const fill = await set.beginFill(name)
      const finish: typeof fill.finish = async (at, sortKeys) => {
        await fill.finish(at, sortKeys)
        await onFilled(partition)
      }
      return { finish }
    }
    return { ...set, beginFill }
  }
  return { ...rankings, of }
}

async function threeGames(
  store: SharedRankings,
  onFilled: (partition: number) => void | Promise<void> = () => {},
): Promise<RunWorld> {
  const world = runWorld([counts], { rankings: notifyingFills(store.handle(), onFilled) })
  await prepareWorld(world)
  for (const game of ['g1', 'g2', 'g3']) await appendTexts(world.deps.log, game, game, 'once', 'twice')
  await runToEnd(world)
  expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
  return world
}

describe('the poll for rankings that were lost', () => {
  it('ends when its signal aborts, although the run that waits for a store goes on', () => {
    const { setInterval, clearInterval } = globalThis
    const polls = new Set<unknown>()
    const timer = { unref: () => timer }
    Object.assign(globalThis, {
      setInterval: () => polls.add(timer) && timer,
      clearInterval: (one: unknown) => polls.delete(one),
    })
    try {
      const stopping = new AbortController()
      endWhenRankingsAreLost([], new AbortController(), stopping.signal)
      expect(polls.size).to.equal(1)
      stopping.abort()
      expect(polls.size).to.equal(0)
      endWhenRankingsAreLost([], new AbortController(), stopping.signal)
      expect(polls.size).to.equal(0)
    } finally {
      Object.assign(globalThis, { setInterval, clearInterval })
    }
  })
})

describe('rankings that were lost', () => {
  it('are complete after the next event, and contain it once', async () => {
    const store = createSharedRankings()
    const world = await threeGames(store)
    store.lose()
    expect(await all(world).catch((error: unknown) => error)).to.be.instanceOf(RankingsLost)
    await appendTexts(world.deps.log, 'g2', 'g2', 'thrice')
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g3', '000003-g2'])
  })

  it('are complete without any new event', async () => {
    const store = createSharedRankings()
    const onFilled = new EventTarget()
    const missing = new Set<number>()
    const world = await threeGames(store, (partition) => {
      missing.delete(partition)
      if (missing.size === 0) onFilled.dispatchEvent(new Event('all'))
    })
    const end = running(world)
    await caughtUp(world)
    for (const game of ['g1', 'g2', 'g3']) missing.add(partitionOf(game))
    const again = once(onFilled, 'all')
    store.lose()
    await again
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
    expect(await end()).to.deep.equal([])
  })

  it('contain an event once that is recorded while they are filled', async () => {
    const store = createSharedRankings()
    const { log } = runWorld([]).deps
    let isLate = false
    const late = async (partition: number) => {
      if (isLate && partition === partitionOf('g1')) await appendTexts(log, 'g1', 'g1', 'late')
    }
    const world = runWorld([counts], { log, rankings: notifyingFills(store.handle(), late) })
    await prepareWorld(world)
    for (const game of ['g1', 'g2', 'g3']) await appendTexts(log, game, game, 'once', 'twice')
    await runToEnd(world)
    store.lose()
    await appendTexts(log, 'g3', 'g3', 'thrice')
    isLate = true
    await runToEnd(world)
    isLate = false
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g2', '000003-g1', '000003-g3'])
  })

  it('are not filled again by the next owner if they were filled from an empty log', async () => {
    const store = createSharedRankings()
    let fills = 0
    const world = runWorld([counts], { rankings: notifyingFills(store.handle(), () => void fills++) })
    await prepareWorld(world)
    await startViews(world)
    await appendTexts(world.deps.log, 'g1', 'g1', 'once')
    await runToEnd(world)
    const first = fills
    const next = runWorld([counts], { ...world.deps, rankings: notifyingFills(store.handle(), () => void fills++) })
    await appendTexts(world.deps.log, 'g1', 'g1', 'twice')
    await runToEnd(next)
    expect(await all(next)).to.deep.equal(['000002-g1'])
    expect(fills).to.equal(first)
  })

  it('make untilFilled wait until each of them is filled', async () => {
    const store = createSharedRankings()
    const world = await threeGames(store)
    store.lose()
    const giveUp = AbortSignal.timeout(10_000)
    let isFilled = false
    const waiting = untilFilled(world.deps.rankings, [counts], giveUp).then(() => {
      isFilled = true
    })
    await untilFilled(world.deps.rankings, [texts], giveUp)
    expect(isFilled).to.equal(false)
    await runToEnd(world)
    await waiting
    expect(giveUp.aborted).to.equal(false)
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
  })

  it('are emptied if their documents were dropped', async () => {
    const store = createSharedRankings()
    await threeGames(store)
    const restored = runWorld([counts], { rankings: store.handle() })
    await startViews(restored)
    expect(await all(restored)).to.deep.equal([])
    await appendTexts(restored.deps.log, 'g1', 'g1', 'again')
    await runToEnd(restored)
    expect(await all(restored)).to.deep.equal(['000001-g1'])
  })
})
