// How long a node caches the statuses of keys, sessions and players, and what it never caches.

import { expect } from 'chai'
import { STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { createStatuses } from '../../access/statuses.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { gate } from '../until.ts'
import {
  ALL,
  type AuthenticationWorld,
  authenticationWorld,
  PERMISSIONS,
  PLAYER,
  SESSION,
} from './authentication-world.ts'
import { revokedKey } from './revocations-world.ts'

describe('statuses on a node', () => {
  let of: AuthenticationWorld

  beforeEach(async () => {
    of = await authenticationWorld()
  })

  const pass = async (ms: number) => {
    of.shared.elapsedMs += ms
    await of.node.revocations.poll()
  }

  it('are cached, and read again after the cache time', async () => {
    expect([await of.asked(), await of.asked(), of.reads()]).to.deep.equal([ALL, ALL, 3])
    const { find } = of.node.asked
    await pass(STATUS_CACHED_MS)
    expect([await of.asked(), of.reads(), of.node.asked.find]).to.deep.equal([ALL, 6, find])
  })

  it('are read again after a cache time of their own, and never before', async () => {
    of.statuses = createStatuses(of.queries, of.node.revocations, { cachedMs: 2 * STATUS_CACHED_MS })
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 3])
    await pass(2 * STATUS_CACHED_MS - 1)
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 3])
    await pass(1)
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 6])
  })

  it('are cached of as many sessions and players as given', async () => {
    of.statuses = createStatuses(of.queries, of.node.revocations, { maxCached: 1 })
    await of.write('sessions', 't', 2, { ...SESSION, ended: false })
    const [first, second] = [await of.tokenOf(), await of.tokenOf({ session: 't' })]
    const readsOf = async (token: string) => {
      const before = of.reads()
      expect(await of.asked({ token })).to.equal(ALL)
      return of.reads() - before
    }
    const reads = [await readsOf(first), await readsOf(first), await readsOf(second), await readsOf(first)]
    expect(reads).to.deep.equal([3, 0, 1, 1])
  })

  it('are not cached of a key, session or player that is missing', async () => {
    const token = await of.tokenOf({ player: 'new', session: 'fresh' })
    expect(await of.asked({ token })).to.equal('behind')
    await of.write('sessions', 'fresh', 20, { ...SESSION, player: 'new', ended: false })
    expect(await of.asked({ token })).to.equal('behind')
    await of.write('players', 'new', 21, PLAYER)
    expect(await of.asked({ token })).to.equal(ALL)
  })

  it('are not cached if their read began before the revocation', async () => {
    const { views } = of.queries
    const { opened: held, open: answer } = gate()
    const get: QueryDeps['views']['get'] = async (...asking) => {
      const found = await views.get(...asking)
      await held
      return found
    }
    of.statuses = createStatuses({ ...of.queries, views: { ...views, get } }, of.node.revocations)
    const early = of.asked()
    await of.elsewhere(revokedKey('k', 10))
    answer()
    expect([await early, await of.asked()]).to.deep.equal(['token_rejected', 'token_rejected'])
  })

  it('are read again after the revocation store was emptied', async () => {
    expect(await of.asked()).to.equal(ALL)
    await of.keyAt(10, PERMISSIONS, true)
    expect(await of.asked()).to.equal(ALL)
    of.shared.flush()
    await of.node.revocations.poll()
    expect(await of.asked()).to.equal('token_rejected')
  })
})
