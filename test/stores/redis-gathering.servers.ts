// What one call asks of Redis for each of its submissions goes out as one script, not as one for each.

import { expect } from 'chai'
import { added, fill, filledWith, NAME, ofOne, posAt, sortKeysAt, upTo } from '../contracts/rankings-model.ts'
import { RedisWorld } from './redis-world.ts'

const SUBMISSIONS = 100
const NOW = Date.now()

describe('The scripts that a call of 100 submissions sends to Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  /** How many scripts Redis has run. */
  async function scriptsRun(url: string): Promise<number> {
    const stats = String(await world.command(url, 'INFO', 'commandstats'))
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1])
  }

  it('are one for all ranks on a leaderboard, one for all claims, and one for their release', async () => {
    const { url } = await world.server()
    const stores = await world.stores(url)
    const rankings = ofOne(stores.rankings)
    await fill(rankings, NAME, posAt(0), filledWith({}))
    const scores = upTo(SUBMISSIONS)
    await rankings.put(added('board', scores))
    const claims = scores.map((score) => `call:${score}`)
    const each = async () => {
      const claimed = claims.map((key) => stores.transient.claim(key, 'a', NOW, NOW + 60_000))
      expect(new Set(await Promise.all(claimed))).to.deep.equal(new Set([true]))
      const ranks = await Promise.all(sortKeysAt(scores).map((sortKey) => rankings.ranks('board', [sortKey])))
      expect(ranks.flat()).to.deep.equal(scores)
      const before = await Promise.all(sortKeysAt(scores).map((sortKey) => rankings.before('board', sortKey)))
      expect(before).to.deep.equal(scores)
      await Promise.all(claims.map((key) => stores.transient.release(key, 'a')))
    }
    // The first time Redis does not know the scripts.
    await each()
    const first = await scriptsRun(url)
    await each()
    expect((await scriptsRun(url)) - first).to.equal(4)
  })
})
