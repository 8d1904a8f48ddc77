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
import { STATUS_OPTIONS } from './status-options.ts'

describe('the status cache of a node', () => {
  let of: AuthenticationWorld

  beforeEach(async () => {
    of = await authenticationWorld()
  })

  const pass = async (ms: number) => {
    of.shared.elapsedMs += ms
    await of.node.revocations.poll()
  }

  it('keeps statuses for the cache time, after which they are read again', async () => {
    expect([await of.asked(), await of.asked(), of.reads()]).to.deep.equal([ALL, ALL, 3])
    const { find } = of.node.asked
    await pass(STATUS_CACHED_MS)
    expect([await of.asked(), of.reads(), of.node.asked.find]).to.deep.equal([ALL, 6, find])
  })

  it('keeps statuses for the cache time that is configured, and not longer', async () => {
    of.statuses = createStatuses(of.queries, of.node.revocations, { ...STATUS_OPTIONS, cachedMs: 2 * STATUS_CACHED_MS })
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 3])
    await pass(2 * STATUS_CACHED_MS - 1)
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 3])
    await pass(1)
    expect([await of.asked(), of.reads()]).to.deep.equal([ALL, 6])
  })

  it('holds the configured number of sessions and of players, and evicts others', async () => {
    of.statuses = createStatuses(of.queries, of.node.revocations, { ...STATUS_OPTIONS, maxCached: 1 })
    await of.write('players', 'q', 2, PLAYER)
    await of.write('sessions', 't', 3, { ...SESSION, player: 'q', ended: false })
    const [first, second] = [await of.tokenOf(), await of.tokenOf({ player: 'q', session: 't' })]
    const readsOf = async (token: string) => {
      const before = of.reads()
      expect(await of.asked({ token })).to.equal(ALL)
      return of.reads() - before
    }
    const reads = [await readsOf(first), await readsOf(first), await readsOf(second), await readsOf(first)]
    expect(reads).to.deep.equal([3, 0, 2, 2])
  })

  it('never holds that a session or a player is missing', async () => {
    const token = await of.tokenOf({ player: 'new', session: 'fresh' })
    expect(await of.asked({ token })).to.equal('behind')
    await of.write('sessions', 'fresh', 20, { ...SESSION, player: 'new', ended: false })
    expect(await of.asked({ token })).to.equal('behind')
    await of.write('players', 'new', 21, PLAYER)
    expect(await of.asked({ token })).to.equal(ALL)
  })

  it('never holds a status that was read before its revocation', async () => {
    const { views } = of.queries
    const { opened: held, open: answer } = gate()
    const get: QueryDeps['views']['get'] = async (...asking) => {
      const found = await views.get(...asking)
      await held
      return found
    }
    of.statuses = createStatuses({ ...of.queries, views: { ...views, get } }, of.node.revocations, STATUS_OPTIONS)
    const early = of.asked()
    await of.elsewhere(revokedKey('k', 10))
    answer()
    expect([await early, await of.asked()]).to.deep.equal(['token_rejected', 'token_rejected'])
  })

  it('is not used after the revocation store was emptied', async () => {
    expect(await of.asked()).to.equal(ALL)
    await of.keyAt(10, PERMISSIONS, true)
    expect(await of.asked()).to.equal(ALL)
    of.shared.flush()
    await of.node.revocations.poll()
    expect(await of.asked()).to.equal('token_rejected')
  })
})
