// Rankings in a store that is emptied: filled again from the documents, whether or not anything is written meanwhile.

import { once } from 'node:events'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { run } from '../../projections/run.ts'
import { holdsAll } from '../../stores/contract/holding.ts'
import { type Rankings, RankingsLost } from '../../stores/contract/rankings.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { prepared } from './prepared.ts'
import { counts, type RunWorld, runToEnd, runWorld, say } from './run-world.ts'
import { startViews } from './started.ts'

interface Losable {
  readonly rankings: { -readonly [Call in keyof Rankings]: Rankings[Call] }
  lose(): void
}

function losable(): Losable {
  let kept = createRankings()
  const rankings: Rankings = {
    putMax: kept.putMax,
    isFilled: (view) => kept.isFilled(view),
    fill: (view, at, all) => kept.fill(view, at, all),
    put: (changes) => kept.put(changes),
    size: (key) => kept.size(key),
    before: (key, member) => kept.before(key, member),
    ranks: (key, members) => kept.ranks(key, members),
    range: (key, offset, limit) => kept.range(key, offset, limit),
    around: (key, member, limit) => kept.around(key, member, limit),
  }
  const lose = () => {
    kept = createRankings()
  }
  return { rankings, lose }
}

const all = ({ deps }: RunWorld) => deps.rankings.range('all', 0, 10)

async function threeGames(store: Losable): Promise<RunWorld> {
  const world = runWorld([counts], { rankings: store.rankings })
  await prepared(world)
  for (const game of ['g1', 'g2', 'g3']) await say(world.deps.log, game, game, 'once', 'twice')
  await runToEnd(world)
  expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
  return world
}

describe('rankings that were lost', () => {
  it('are whole again after the next event, which is in them once', async () => {
    const store = losable()
    const world = await threeGames(store)
    store.lose()
    expect(await all(world).catch((why: unknown) => why)).to.be.instanceOf(RankingsLost)
    await say(world.deps.log, 'g2', 'g2', 'thrice')
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g3', '000003-g2'])
  })

  it('are whole again where nothing happens', async () => {
    const store = losable()
    const filled = new EventTarget()
    const fill = store.rankings.fill
    store.rankings.fill = async (view, at, rankings) => {
      await fill(view, at, rankings)
      filled.dispatchEvent(new Event('filled'))
    }
    const world = await threeGames(store)
    const stopping = new AbortController()
    const running = run(world.deps, world.appliers, holdsAll, stopping.signal)
    const again = once(filled, 'filled')
    store.lose()
    await again
    expect(await all(world)).to.deep.equal(['000002-g1', '000002-g2', '000002-g3'])
    expect(world.told.reopened).to.deep.equal([])
    stopping.abort()
    await running
  })

  it('take an event that comes while they are filled once', async () => {
    const store = losable()
    const world = await threeGames(store)
    const fill = store.rankings.fill
    store.rankings.fill = async (view, at, rankings) => {
      await fill(view, at, rankings)
      await say(world.deps.log, 'g1', 'g1', 'late')
    }
    store.lose()
    await say(world.deps.log, 'g3', 'g3', 'thrice')
    await runToEnd(world)
    store.rankings.fill = fill
    await runToEnd(world)
    expect(await all(world)).to.deep.equal(['000002-g2', '000003-g1', '000003-g3'])
  })

  it('are emptied where their documents were thrown away', async () => {
    const store = losable()
    await threeGames(store)
    const restored = runWorld([counts], { rankings: store.rankings })
    await startViews(restored.deps, restored.appliers)
    expect(await all(restored)).to.deep.equal([])
    await say(restored.deps.log, 'g1', 'g1', 'anew')
    await runToEnd(restored)
    expect(await all(restored)).to.deep.equal(['000001-g1'])
  })
})
