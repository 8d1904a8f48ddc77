// What a token may do by its permissions, its key, session and player; what is answered while the views lack them; and
// how long a node caches their statuses.

import { expect } from 'chai'
import { authenticate } from '../../access/authenticate.ts'
import { STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { createStatuses } from '../../access/statuses.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { gate } from '../until.ts'
import {
  ALL,
  type AuthenticationWorld,
  authenticationWorld,
  iso,
  KEY,
  NOW_MS,
  PERMISSIONS,
  PLAYER,
  SESSION,
} from './authentication-world.ts'
import { endedSession, narrowedKey, playerNow, revokedKey } from './revocations-world.ts'
import { STATUS_OPTIONS } from './status-options.ts'

describe('authentication of a token', () => {
  let of: AuthenticationWorld

  beforeEach(async () => {
    of = await authenticationWorld()
  })

  it('answers each token by its own permissions, although players of a key share what they may do', async () => {
    const permissionsOf = [['lb:*:scores'], ['lb:*:submit'], ['lb:*:scores', 'lb:*:submit'], []]
    const issued = await Promise.all(
      permissionsOf.flatMap((permissions) =>
        [1, 2].map(async () => ({ permissions, token: await of.tokenOf({ permissions }) })),
      ),
    )
    for (let round = 0; round < 2; round++) {
      for (const { permissions, token } of issued) {
        expect(await of.asked({ token })).to.equal(`may ${PERMISSIONS.filter((name) => permissions.includes(name))}`)
      }
    }
    await of.elsewhere(narrowedKey('k', 10, ['lb:*:submit']))
    for (const { permissions, token } of issued) {
      expect(await of.asked({ token })).to.equal(`may ${permissions.filter((name) => name === 'lb:*:submit')}`)
    }
  })

  it('accepts a player again when the ban has expired', async () => {
    await of.elsewhere(playerNow('p', 10, { banned: { until: iso(NOW_MS + 5_000), reason: null }, deleted: false }))
    const at = (ms: number) => of.asked({ nowMs: NOW_MS + ms })
    expect([await at(0), await at(4_999), await at(5_000)]).to.deep.equal(['player_banned', 'player_banned', ALL])
  })

  it('rejects an expired session, cached or not', async () => {
    await of.write('sessions', 's', 4, { ...SESSION, expires: iso(NOW_MS + 5_000), ended: false })
    const at = (ms: number) => of.asked({ nowMs: NOW_MS + ms })
    expect([await at(4_999), await at(5_000)]).to.deep.equal([ALL, 'token_rejected'])
  })

  describe('authentication while the views lag', () => {
    const askedWith = async (change: Parameters<AuthenticationWorld['tokenOf']>[0], nowMs = NOW_MS) =>
      of.asked({ token: await of.tokenOf(change), nowMs })

    it('answers 503 to a new token whose key, session or player the views lack', async () => {
      for (const change of [{ key: 'new' }, { session: 'new' }, { player: 'new' }]) {
        expect(await askedWith(change)).to.equal('behind')
      }
      const token = await of.tokenOf({ player: 'new' })
      const refusal = await authenticate(of.statuses, of.tokens, token, NOW_MS).catch((error: unknown) => error)
      expect(refusal).to.include({ kind: 'unavailable', code: 'behind' })
      expect(refusal).to.deep.include({ fields: { retry_after: 1 } })
    })

    it('rejects a token older than ten seconds whose key, session or player the views lack', async () => {
      const issuedMs = Math.floor(NOW_MS / 1_000) * 1_000
      expect(await askedWith({ session: 'new' }, issuedMs + 9_999)).to.equal('behind')
      expect(await askedWith({ session: 'new' }, issuedMs + 10_000)).to.equal('token_rejected')
    })

    it('rejects a token if its key, session or player is over, even if another is missing', async () => {
      await of.write('sessions', 'ended', 20, { ...SESSION, ended: true })
      await of.write('players', 'deleted', 21, { ...PLAYER, deleted: true })
      await of.write('keys', 'revoked', 22, { ...KEY, permissions: [], revoked: true })
      const over = [
        { player: 'new', session: 'ended' },
        { session: 'new', player: 'deleted' },
        { session: 'new', key: 'revoked' },
      ]
      for (const change of over) expect(await askedWith(change)).to.equal('token_rejected')
    })

    it('rejects a token whose revocation is known before its document', async () => {
      await of.elsewhere(revokedKey('gone-k', 30), endedSession('gone-s', 31))
      await of.elsewhere(playerNow('gone-p', 32, { banned: null, deleted: true }))
      for (const change of [{ key: 'gone-k' }, { session: 'gone-s' }, { player: 'gone-p' }]) {
        expect(await askedWith(change)).to.equal('token_rejected')
      }
    })
  })
})

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
