// Claims on logins and addresses: their digests, their secrets, and what a failed or released claim leaves.

import { expect } from 'chai'
import { makeGuest, remove } from '../../../commands/player.ts'
import { start } from '../../../commands/session.ts'
import {
  begunBefore,
  claimStream,
  currentClaim,
  destroySecrets,
  destroyUnclaimed,
  destroyUnlinked,
  digestOf,
  forgetSignIns,
  linksBy,
  release,
  secretId,
} from '../../../commands/sign-in/claims.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { Refusal } from '../../../domain/decider.ts'
import { linkOf } from '../../../domain/links.ts'
import type { SecretKind } from '../../../stores/contract/vault.ts'
import { type RecordingRig, recordingRig, typesOf } from '../recording-rig.ts'
import { contextAt, GAME, NOBODY, REGISTRATION } from './sign-in-rig.ts'

const FORM = { ...REGISTRATION, email: 'ada@example.com' }
const KINDS: readonly SecretKind[] = ['password', 'login', 'email', 'guest-token']
const keyed = (key: string, call: string) => ({
  ...contextAt(),
  ...keyedIds(new Uint8Array(32), 'ck_x', null, key),
  call,
})

describe('claims on logins and addresses', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const registered = async () => {
    const { id, state } = await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form: FORM }, contextAt())
    const secret = state.links[0]?.secret ?? ''
    const digest = linkOf(state, 'login')?.digest ?? ''
    await rig.recorded()
    return { id, state, secret, digest }
  }
  const stored = async (id: string) => {
    const values = await Promise.all(KINDS.map((kind) => rig.vault.get(kind, id)))
    return KINDS.filter((_, n) => values[n] !== null)
  }
  const fill = async (id: string) => {
    for (const kind of KINDS) await rig.vault.putIfAbsent(kind, id, Buffer.from('x'))
  }

  it('have a digest of their own for each kind, game and text', () => {
    const digests = [
      digestOf(rig.deps, 'login', 'a', 'x'),
      digestOf(rig.deps, 'email', 'a', 'x'),
      digestOf(rig.deps, 'login', 'b', 'x'),
      digestOf(rig.deps, 'login', 'a', 'y'),
    ]
    expect(new Set(digests).size).to.equal(4)
    for (const digest of digests) expect(digest).to.match(/^[0-9a-f]{64}$/)
  })

  it('have a stream by kind, game and digest', () => {
    expect(claimStream('login', 'g', 'd')).to.equal('login-g.d')
    expect(claimStream('email', 'g', 'd')).to.equal('mail-g.d')
  })

  it('have the same secrets for a repeated call, and others for another body or another key', () => {
    const ids = [keyed('k', 'one'), keyed('k', 'one'), keyed('k', 'two'), keyed('other', 'one')].map(secretId)
    expect(ids[0]).to.equal(ids[1])
    expect(new Set(ids).size).to.equal(3)
  })

  it('are released by their own secret, and never by another', async () => {
    const { id, secret, digest } = await registered()
    const ref = { game: GAME, player: id }
    await release(rig.deps, ref, { kind: 'login', digest, secret: 'other' }, contextAt())
    expect((await currentClaim(rig.deps, 'login', GAME, digest))?.player).to.equal(id)
    await release(rig.deps, ref, { kind: 'login', digest, secret }, keyed('k', 'the call'))
    expect(await currentClaim(rig.deps, 'login', GAME, digest)).to.equal(null)
    await release(rig.deps, ref, { kind: 'login', digest, secret }, keyed('k', 'another call'))
    expect(await rig.recorded()).to.deep.equal([
      {
        stream: `login-${GAME}.${digest}`,
        type: 'LoginReleased',
        data: { player: id },
        about: { game: GAME, player: id },
      },
    ])
  })

  it('lose all their secrets together, without those of others', async () => {
    await fill('one')
    await fill('two')
    await destroySecrets(rig.deps, 'one')
    expect([await stored('one'), await stored('two')]).to.deep.equal([['guest-token'], KINDS])
  })

  it('lose the secrets of the kinds that are no longer linked', async () => {
    for (const [linked, left] of [
      [[], ['guest-token']],
      [['login'], ['password', 'login', 'guest-token']],
      [['email'], ['email', 'guest-token']],
      [['login', 'email'], KINDS],
    ] as const) {
      const id = linked.join('-')
      await fill(id)
      await destroyUnlinked(rig.deps, id, new Set(linked))
      expect(await stored(id), id).to.deep.equal(left)
    }
  })

  it('are linked to a player by the secret of both kinds, until the player is deleted', async () => {
    const { id, secret } = await registered()
    expect([...(await linksBy(rig.deps, id, secret))]).to.deep.equal(['login', 'email'])
    expect([...(await linksBy(rig.deps, id, 'other'))]).to.deep.equal([])
    expect([...(await linksBy(rig.deps, 'nobody', secret))]).to.deep.equal([])
    await remove(rig.deps, { game: GAME, player: id }, contextAt())
    expect([...(await linksBy(rig.deps, id, secret))]).to.deep.equal([])
  })

  describe('that failed', () => {
    const refused = new Refusal('conflict', 'login_taken', 'Taken.')
    const failed = (secret: string, digest = 'd') => ({ kind: 'login', game: GAME, digest, secret }) as const

    it('lose their secrets if the login is free or another has it', async () => {
      const { digest } = await registered()
      for (const of of ['free', digest]) {
        await fill('mine')
        await destroyUnclaimed(rig.deps, failed('mine', of), refused)
        expect(await stored('mine')).to.deep.equal(['guest-token'])
      }
    })

    it('keep their secrets if a copy of the call has claimed the login', async () => {
      const { secret, digest } = await registered()
      await destroyUnclaimed(rig.deps, failed(secret, digest), refused)
      expect(await stored(secret)).to.deep.equal(['password', 'login', 'email'])
    })

    it('keep their secrets if the outcome is unknown', async () => {
      await fill('mine')
      await destroyUnclaimed(rig.deps, failed('mine'), new Refusal('unavailable', 'log_unavailable', 'Away.'))
      await destroyUnclaimed(rig.deps, failed('mine'), new Error('away'))
      const log = { ...rig.log, readStream: () => Promise.reject(new Error('away')) }
      await destroyUnclaimed({ ...rig.deps, log }, failed('mine'), refused)
      expect(await stored('mine')).to.deep.equal(KINDS)
    })

    it('cause no second failure if the vault is unavailable', async () => {
      const vault = { ...rig.vault, destroy: () => Promise.reject(new Error('away')) }
      await destroyUnclaimed({ ...rig.deps, vault }, failed('mine'), refused)
    })
  })

  it('are released with all secrets and the guest token of a player who is forgotten', async () => {
    const { id, state, secret } = await registered()
    await rig.vault.putIfAbsent('guest-token', id, Buffer.from('x'))
    await forgetSignIns(rig.deps, { game: GAME, player: id }, state.links, contextAt())
    expect([await stored(secret), await stored(id)]).to.deep.equal([[], []])
    expect(typesOf(await rig.recorded())).to.deep.equal(
      state.links.map(({ kind, digest }) => `${claimStream(kind, GAME, digest)} LoginReleased`),
    )
  })

  describe('of a repeated call', () => {
    const began = async () => {
      const { id } = await makeGuest(rig.deps, GAME, null, contextAt())
      const fresh = { game: GAME, player: id, key: 'ck_x', permissions: [], signOuts: 0 }
      await start(rig.deps, fresh, keyed('k', 'the call'))
      return id
    }

    it('are not needed again, because its first attempt started a session', async () => {
      expect(await begunBefore(rig.deps, keyed('k', 'the call'))).to.equal(null)
      const id = await began()
      expect(await begunBefore(rig.deps, keyed('k', 'the call'))).to.equal(id)
    })

    it('are needed if the call has another body, another key or none', async () => {
      await began()
      expect(await begunBefore(rig.deps, keyed('k', 'another call'))).to.equal(null)
      expect(await begunBefore(rig.deps, keyed('other', 'the call'))).to.equal(null)
      const readStream = () => expect.fail('a call without an Idempotency-Key reads nothing')
      const deps = { ...rig.deps, log: { ...rig.log, readStream } }
      expect(await begunBefore(deps, { ...keyed('k', ''), call: null })).to.equal(null)
    })
  })
})
