// What an address owner's take-over ends, the start of sessions, and what deleting a player forgets.

import { expect } from 'chai'
import { deletePlayer, forget, forgetPaths, forgetSession, forgetText } from '../../../commands/forget.ts'
import { makePlayer } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { start } from '../../../commands/session.ts'
import { beginSession } from '../../../commands/sign-in/begin.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import { finishTakeOver } from '../../../commands/sign-in/take-over.ts'
import { linkOf } from '../../../domain/links.ts'
import { filesKeyOf } from '../../../domain/personal.ts'
import type { SecretKind } from '../../../stores/contract/vault.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { type RecordingRig, recordingRig, typesOf } from '../recording-rig.ts'
import { contextAt, GAME, LONG_AGO_MS, NOBODY, REGISTRATION } from './sign-in-rig.ts'

const FORM = { ...REGISTRATION, email: 'ada@example.com' }
const CALLER = { key: 'ck_x', permissions: ['lb:*:*'] }

describe('signing in and being forgotten', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const has = async (kind: SecretKind, id: string) => (await rig.vault.get(kind, id)) !== null
  const started = async (player: string) =>
    (await start(rig.deps, { game: GAME, player, ...CALLER, signOuts: 0 }, contextAt())).id
  const registered = async () => {
    const { id, state } = await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form: FORM }, contextAt())
    await rig.vault.putIfAbsent('guest-token', id, Buffer.from('x'))
    await rig.recorded()
    const link = linkOf(state, 'login')
    if (link === null) throw new Error('no login was linked')
    return { id, state, login: { digest: link.digest, secret: link.secret } }
  }

  describe('a take-over', () => {
    const confirmed = (own: string, login: { digest: string; secret: string } | null, takesOver = true) => ({
      ...{ digest: 'd', takesOver, login, session: own },
    })
    const open = (...sessions: [id: string, started: string][]) => ({
      ...rig.deps,
      openSessions: async () => sessions.map(([id, at]) => ({ id, started: at, signOuts: 0 })),
    })

    it('destroys guest token, password and login, and releases the login', async () => {
      const { id, login } = await registered()
      const ref = { game: GAME, player: id, confirmed: confirmed('own', login) }
      for (let n = 0; n < 2; n++) await finishTakeOver(rig.deps, ref, null, contextAt())
      expect([
        await has('guest-token', id),
        await has('password', login.secret),
        await has('login', login.secret),
        await has('email', login.secret),
      ]).to.deep.equal([false, false, false, true])
      expect(typesOf(await rig.recorded())).to.deep.equal([`login-${GAME}.${login.digest} LoginReleased`])
    })

    it('leaves the login if there was none to invalidate, and destroys the guest token', async () => {
      const { id, login } = await registered()
      await finishTakeOver(rig.deps, { game: GAME, player: id, confirmed: confirmed('own', null) }, null, contextAt())
      expect([await has('guest-token', id), await has('password', login.secret)]).to.deep.equal([false, true])
      expect(await rig.recorded()).to.deep.equal([])
    })

    it('does nothing if the player confirmed the address while signed in', async () => {
      const { id, login } = await registered()
      const ref = { game: GAME, player: id, confirmed: confirmed('own', login, false) }
      await finishTakeOver(open(['s', '2026']), ref, null, contextAt())
      expect([await has('guest-token', id), await has('password', login.secret)]).to.deep.equal([true, true])
      expect(await rig.recorded()).to.deep.equal([])
    })

    it('ends every other session, or those that had started by a time', async () => {
      const { id } = await registered()
      for (const [until, ended] of [
        [null, ['early', 'then', 'late']],
        ['2026-01-02', ['early', 'then']],
      ] as const) {
        const sessions: Record<string, string> = { own: await started(id) }
        for (const name of ['early', 'then', 'late']) sessions[name] = await started(id)
        await rig.recorded()
        const deps = open(
          [sessions.own ?? '', '2026-01-01'],
          [sessions.early ?? '', '2026-01-01'],
          [sessions.then ?? '', '2026-01-02'],
          [sessions.late ?? '', '2026-01-03'],
        )
        const ref = { game: GAME, player: id, confirmed: confirmed(sessions.own ?? '', null) }
        await finishTakeOver(deps, ref, until, { ...contextAt(), call: 'the call' })
        expect(typesOf(await rig.recorded())).to.deep.equal(
          ended.map((name) => `session-${sessions[name]} SessionEnded`),
        )
      }
      expect((await rig.log.readAll(null, 100)).filter(({ meta }) => meta.call !== undefined)).to.deep.equal([])
    })
  })

  describe('a session that a sign-in starts', () => {
    it('begins with a token of its player, and counts for the player', async () => {
      const { id, state } = await registered()
      const issued: unknown[] = []
      const tokens: typeof rig.deps.tokens = {
        ...rig.deps.tokens,
        issue: async (claims, nowMs) => {
          issued.push(claims, nowMs)
          return { token: 'the token', expiresAt: 7 }
        },
      }
      const charged: string[] = []
      const usage = { bytes: 0, player: null, chargePlayer: (player: string) => void charged.push(player) }
      const player = { id, state: { ...state, signOuts: 3 }, made: true }
      const begun = await beginSession(
        { ...rig.deps, tokens },
        { game: GAME, player, caller: CALLER },
        { ...contextAt(), usage },
      )
      const [event] = await rig.recorded()
      const session = event?.stream.slice('session-'.length)
      expect(event?.data).to.deep.include({ player: id, ...CALLER, signOuts: 3 })
      expect(issued).to.deep.equal([{ ...CALLER, game: GAME, player: id, session }, LONG_AGO_MS])
      expect([begun.token, begun.expiresAt, begun.replayed, begun.written?.game]).to.deep.equal([
        'the token',
        7,
        false,
        GAME,
      ])
      expect([charged, begun.refreshToken.startsWith(`${session}.`)]).to.deep.equal([[id], true])
    })

    it('ends no older ones for a repeated call', async () => {
      const { id, state } = await registered()
      let asked = 0
      const openSessions = async () => {
        asked++
        return []
      }
      const context = { ...contextAt(), call: 'the call' }
      const signIn = { game: GAME, player: { id, state, made: false }, caller: CALLER }
      const first = await beginSession({ ...rig.deps, openSessions }, signIn, context)
      const again = await beginSession({ ...rig.deps, openSessions }, signIn, { ...context, repeated: true })
      expect([first.replayed, again.replayed, asked]).to.deep.equal([false, true, 1])
    })
  })

  describe('a player who is deleted', () => {
    it('loses the key of their text, their sign-in methods and their external id', async () => {
      const { id, login } = await registered()
      await rig.vault.putIfAbsent('player-key', id, Buffer.from('key'))
      await deletePlayer(rig.deps, GAME, id, { ...contextAt(), call: 'the call' })
      expect(Buffer.from((await rig.vault.get('player-key', id)) ?? 'none').toString()).to.equal('')
      expect([await has('password', login.secret), await has('guest-token', id)]).to.deep.equal([false, false])
      const events = await rig.recorded()
      expect(events.map(({ type }) => type)).to.deep.equal(['PlayerDeleted', 'LoginReleased', 'LoginReleased'])
      expect(await refusalCodeOf(deletePlayer(rig.deps, GAME, id, contextAt()))).to.equal('player_not_found')

      const tenants = await makePlayer(rig.deps, GAME, { name: 'Eve', externalId: 'steam:1' }, contextAt())
      await rig.recorded()
      await deletePlayer(rig.deps, GAME, tenants.id, contextAt())
      const [, released] = await rig.recorded()
      expect([released?.type, released?.about]).to.deep.equal(['ExternalReleased', { game: GAME, player: tenants.id }])
    })

    it('is deleted even if the vault is unavailable, and their secrets are deleted later', async () => {
      const { id, login } = await registered()
      const away = () => Promise.reject(new Error('away'))
      const vault = { ...rig.vault, destroyForGood: away, destroy: away }
      await deletePlayer({ ...rig.deps, vault }, GAME, id, contextAt())
      expect((await playerNow(rig.deps, id))?.deleted).to.equal(true)
      const [event] = await rig.recorded()
      const forgotten = { game: GAME, player: id, external: null, links: [] }
      await forget(rig.deps, { ...forgotten, ...event?.data }, contextAt())
      expect(await has('password', login.secret)).to.equal(false)
    })

    it('loses the paths of their files by another key than their text', async () => {
      for (const key of ['ada', filesKeyOf('ada')]) await rig.vault.putIfAbsent('player-key', key, Buffer.from('key'))
      const bytes = async () => [
        (await rig.vault.get('player-key', 'ada'))?.length,
        (await rig.vault.get('player-key', filesKeyOf('ada')))?.length,
      ]
      await forgetPaths(rig.deps, 'ada')
      expect(await bytes()).to.deep.equal([3, 0])
      await forgetText(rig.deps, 'ada')
      expect(await bytes()).to.deep.equal([0, 0])
    })

    it('loses their sessions with the refresh tokens', async () => {
      const session = await started('ada')
      await rig.recorded()
      expect(await has('refresh-token', session)).to.equal(true)
      await forgetSession(rig.deps, { game: GAME, player: 'ada', session }, contextAt())
      expect(await has('refresh-token', session)).to.equal(false)
      expect(typesOf(await rig.recorded())).to.deep.equal([`session-${session} SessionEnded`])
    })
  })
})
