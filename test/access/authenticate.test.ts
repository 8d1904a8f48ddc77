// What a token may do by its permissions, its key, session and player, and what is answered while the views lack them.

import { expect } from 'chai'
import { authenticate } from '../../access/authenticate.ts'
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
