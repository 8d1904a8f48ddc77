// Rankings in a store that was emptied: they are filled again from the documents, with or without new writes.

import { once } from 'node:events'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { partitionOf } from '../../domain/partition.ts'
import { untilFilled } from '../../projections/fill-rankings.ts'
import { type AllRankings, RankingsLost } from '../../stores/contract/rankings.ts'
import { createSharedRankings, type SharedRankings } from '../memory/rankings.ts'
import { prepared } from './prepared.ts'
import { caughtUp, counts, type RunWorld, ranked, running, runToEnd, runWorld, say, texts } from './run-world.ts'
import { startViews } from './started.ts'

const all = ({ deps }: RunWorld) => ranked(deps.rankings)

/** Rankings after each fill of which something is done. */
function told(rankings: AllRankings, filled: (partition: number) => void | Promise<void>): AllRankings {
  const of = (view: string, partition: number) => {
    const set = rankings.of(view, partition)
    const beginFill = async (name: string) => {
      const fill = await set.beginFill(name)
      const finish: typeof fill.finish = async (at, members) => {
        await fill.finish(at, members)
        await filled(partition)
      }
      return { finish }
    }
    return { ...set, beginFill }
  }
  return { ...rankings, of }
}

async function threeGames(
  store: SharedRankings,
  filled: (partition: number) => void | Promise<void> = () => {},
): Promise<RunWorld> {
  const world = runWorld([counts], { rankings: told(store.handle(), filled) })
  await prepared(world)
  for (const game of ['g1', 'g2', 'g3']) await say(world.deps.log, game, game, 'once', 'twice')
  await runToEnd(world)
  expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
  return world
}

describe('rankings that were lost', () => {
  it('are complete after the next event, which is in them once', async () => {
    const store = createSharedRankings()
    const world = await threeGames(store)
    store.lose()
    expect(await all(world).catch((why: unknown) => why)).to.be.instanceOf(RankingsLost)
    await say(world.deps.log, 'g2', 'g2', 'thrice')
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g3', '000003-g2'])
  })

  it('are complete without any new event', async () => {
    const store = createSharedRankings()
    const filled = new EventTarget()
    const missing = new Set<number>()
    const world = await threeGames(store, (partition) => {
      missing.delete(partition)
      if (missing.size === 0) filled.dispatchEvent(new Event('all'))
    })
    const end = running(world)
    await caughtUp(world)
    for (const game of ['g1', 'g2', 'g3']) missing.add(partitionOf(game))
    const again = once(filled, 'all')
    store.lose()
    await again
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
    expect(await end()).to.deep.equal([])
  })

  it('have an event once that comes while they are filled', async () => {
    const store = createSharedRankings()
    const { log } = runWorld([]).deps
    let isLate = false
    const late = async (partition: number) => {
      if (isLate && partition === partitionOf('g1')) await say(log, 'g1', 'g1', 'late')
    }
    const world = runWorld([counts], { log, rankings: told(store.handle(), late) })
    await prepared(world)
    for (const game of ['g1', 'g2', 'g3']) await say(log, game, game, 'once', 'twice')
    await runToEnd(world)
    store.lose()
    await say(log, 'g3', 'g3', 'thrice')
    isLate = true
    await runToEnd(world)
    isLate = false
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g2', '000003-g1', '000003-g3'])
  })

  it('are not filled again if they were filled from an empty log, whoever owns them next', async () => {
    const store = createSharedRankings()
    let fills = 0
    const world = runWorld([counts], { rankings: told(store.handle(), () => void fills++) })
    await prepared(world)
    await startViews(world)
    await say(world.deps.log, 'g1', 'g1', 'once')
    await runToEnd(world)
    const first = fills
    const next = runWorld([counts], { ...world.deps, rankings: told(store.handle(), () => void fills++) })
    await say(world.deps.log, 'g1', 'g1', 'twice')
    await runToEnd(next)
    expect(await all(next)).to.deep.equal(['000002-g1'])
    expect(fills).to.equal(first)
  })

  it('are waited for until each of them is filled', async () => {
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
    await say(restored.deps.log, 'g1', 'g1', 'again')
    await runToEnd(restored)
    expect(await all(restored)).to.deep.equal(['000001-g1'])
  })
})
