// Registering players: the recorded events, the caller's session, refusals, and what a failure releases.

import { expect } from 'chai'
import { deletePlayer } from '../../../commands/forget.ts'
import { makeGuest, remove } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { end, start } from '../../../commands/session.ts'
import { currentClaim, digestOf } from '../../../commands/sign-in/claims.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { finishRegistration, registerPlayer } from '../../../commands/sign-in/register.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { Refusal, type RefusalKind } from '../../../domain/decider.ts'
import type { LoginClaimedData } from '../../../domain/login.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { type RecordingRig, recordingRig, typesOf } from '../recording-rig.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const FORM = { ...REGISTRATION, email: EMAIL }

describe('commands: registering a player', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const registered = (
    form: Parameters<typeof registerPlayer>[1]['form'] = FORM,
    caller: Parameters<typeof registerPlayer>[1]['caller'] = NOBODY,
    context = contextAt(),
  ) => registerPlayer(rig.deps, { game: GAME, caller, form }, context)
  const login = (text = FORM.login) => digestOf(rig.deps, 'login', GAME, text)
  const email = (text = EMAIL) => digestOf(rig.deps, 'email', GAME, text)
  const guest = async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Guest', contextAt())
    await rig.recorded()
    return { ...NOBODY, player: id }
  }
  const stored = async (secret: string) => {
    const kinds = ['password', 'login', 'email'] as const
    const values = await Promise.all(kinds.map((kind) => rig.vault.get(kind, secret)))
    return kinds.filter((_, n) => values[n] !== null)
  }

  it('records the claims on login and address, then the player', async () => {
    const { id, made, state } = await registered()
    const [link] = state.links
    const secret = link?.secret ?? ''
    const about = { game: GAME, player: id }
    const claim = { player: id, secret, makes: true }
    expect(await rig.recorded()).to.deep.equal([
      { stream: `login-${GAME}.${login()}`, type: 'LoginBegun', data: { secret }, about },
      {
        stream: `login-${GAME}.${login()}`,
        type: 'LoginClaimed',
        data: { kind: 'login', ...claim, name: 'Ada', email: email() },
        about,
      },
      {
        stream: `mail-${GAME}.${email()}`,
        type: 'LoginClaimed',
        data: { kind: 'email', ...claim, name: null, email: null },
        about,
      },
      { stream: `player-${id}`, type: 'PlayerCreated', data: { name: 'Ada', guest: false, externalId: null }, about },
      {
        stream: `player-${id}`,
        type: 'PlayerLinked',
        data: { kind: 'login', digest: login(), secret, confirmed: true },
        about,
      },
      {
        stream: `player-${id}`,
        type: 'PlayerLinked',
        data: { kind: 'email', digest: email(), secret, confirmed: false },
        about,
      },
    ])
    expect([made, await stored(secret)]).to.deep.equal([true, ['password', 'login', 'email']])
  })

  it('stores and claims no address if none was given', async () => {
    const { state } = await registered({ ...FORM, email: null })
    expect(await stored(state.links[0]?.secret ?? '')).to.deep.equal(['password', 'login'])
    expect((await rig.recorded()).filter(({ stream }) => stream.startsWith('mail-'))).to.deep.equal([])
  })

  it('registers a guest, who keeps their name unless they give another', async () => {
    for (const [name, login, types] of [
      [null, 'ONE', ['PlayerLinked']],
      ['New', 'TWO', ['PlayerNamed', 'PlayerLinked']],
    ] as const) {
      const caller = await guest()
      const { id, made, state } = await registered({ ...FORM, login, name, email: null }, caller)
      expect([id, made, state.name, state.guest]).to.deep.equal([caller.player, false, name ?? 'Guest', false])
      const events = await rig.recorded()
      expect(events.find(({ type }) => type === 'LoginClaimed')?.data).to.deep.include({
        makes: false,
        name,
        email: null,
      })
      expect(events.filter(({ stream }) => stream.startsWith('player-')).map(({ type }) => type)).to.deep.equal(types)
    }
  })

  it('refuses a login that another player has, before anything is recorded or stored', async () => {
    await registered()
    await rig.recorded()
    const puts: string[] = []
    const putIfAbsent: typeof rig.vault.putIfAbsent = (kind, id, value) => {
      puts.push(kind)
      return rig.vault.putIfAbsent(kind, id, value)
    }
    const watching = { ...rig.deps, vault: { ...rig.vault, putIfAbsent } }
    expect(
      await refusalCodeOf(registerPlayer(watching, { game: GAME, caller: NOBODY, form: FORM }, contextAt())),
    ).to.equal('login_taken')
    expect([await rig.recorded(), puts]).to.deep.equal([[], []])
  })

  it('refuses a player who has a login already, before another one is claimed', async () => {
    const { id } = await registered()
    await rig.recorded()
    const other = { ...FORM, login: 'OTHER' }
    expect(await refusalCodeOf(registered(other, { ...NOBODY, player: id }))).to.equal('already_registered')
    expect(await rig.recorded()).to.deep.equal([])
  })

  it('refuses a signed-in player who is deleted, before a login is claimed', async () => {
    const caller = await guest()
    await remove(rig.deps, { game: GAME, player: caller.player }, contextAt())
    await rig.recorded()
    expect(await refusalCodeOf(registered(FORM, caller))).to.equal('sign_in_rejected')
    expect(await rig.recorded()).to.deep.equal([])
  })

  it('ignores an address that another player has, and records that somebody asked for it', async () => {
    const first = await registered()
    await rig.recorded()
    const { id, state } = await registered({ ...FORM, login: 'EVE' })
    expect(state.links.map(({ kind }) => kind)).to.deep.equal(['login'])
    expect((await currentClaim(rig.deps, 'email', GAME, email()))?.player).to.equal(first.id)
    const contested = (await rig.recorded()).filter(({ stream }) => stream.startsWith('mail-'))
    expect(contested.map(({ type, data }) => [type, data])).to.deep.equal([['LoginContested', { player: id }]])
  })

  it('gives a repeated call its first answer, and records and stores nothing more', async () => {
    const ids = keyedIds(new Uint8Array(32), 'ck_x', null, 'k')
    const context = { ...contextAt(), ...ids, call: 'the call' }
    const first = await registered(FORM, NOBODY, context)
    await rig.recorded()
    const again = await registered(FORM, NOBODY, { ...context, repeated: true })
    expect([again.id, again.made, again.state]).to.deep.equal([first.id, true, first.state])
    expect(await rig.recorded()).to.deep.equal([])
    const caller = await guest()
    const other = { ...contextAt(), ...keyedIds(new Uint8Array(32), 'ck_x', caller.player, 'k'), call: 'other' }
    for (let n = 0; n < 2; n++) {
      const { id } = await registered({ ...REGISTRATION, login: 'EVE' }, caller, { ...other, repeated: n === 1 })
      expect(id).to.equal(caller.player)
    }
  })

  it('proves who the player is until they are deleted', async () => {
    const { id, isStillValid } = await registered()
    expect(await isStillValid?.()).to.equal(true)
    await remove(rig.deps, { game: GAME, player: id }, contextAt())
    expect(await isStillValid?.()).to.equal(false)
  })

  it('leaves the address free if the call is repeated after the player was deleted', async () => {
    const ids = keyedIds(new Uint8Array(32), 'ck_x', null, 'k')
    const context = { ...contextAt(), ...ids, call: 'the call' }
    const first = await registered(FORM, NOBODY, context)
    await deletePlayer(rig.deps, GAME, first.id, contextAt())
    const again = await registered(FORM, NOBODY, { ...context, repeated: true })
    expect(again.id).to.equal(first.id)
    expect(await currentClaim(rig.deps, 'email', GAME, email())).to.equal(null)
    expect(await currentClaim(rig.deps, 'login', GAME, login())).to.equal(null)
  })

  it('keeps the login as it was typed, the address, and a hash of the password', async () => {
    const { vault } = rig
    const { id, state, made } = await registered({ ...FORM, typed: 'Ada' })
    expect([made, state.name, state.guest]).to.deep.equal([true, 'Ada', false])
    const secret = state.links[0]?.secret ?? ''
    const text = async (kind: 'login' | 'email' | 'password') =>
      Buffer.from((await vault.get(kind, secret)) ?? []).toString()
    expect([await text('login'), await text('email')]).to.deep.equal(['Ada', EMAIL])
    expect(await text('password')).to.match(/^\$argon2id\$/)
    expect(state.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([
      ['login', true],
      ['email', false],
    ])
    expect((await playerNow(rig.deps, id))?.links).to.deep.equal(state.links)
  })

  it('gives a player without a name one of their own, and keeps the login as it is compared', async () => {
    const { vault } = rig
    const { id, state } = await registered({ ...REGISTRATION, name: null })
    expect(state.name).to.equal(`Player${id.slice(0, 4)}`)
    const kept = await vault.get('login', state.links[0]?.secret ?? '')
    expect(Buffer.from(kept ?? []).toString()).to.equal('ADA')
    expect(await vault.get('email', state.links[0]?.secret ?? '')).to.equal(null)
  })

  describe('that the player’s stream refuses', () => {
    /** Commands whose player streams refuse. */
    const refusing = (kind: RefusalKind, code: string) => {
      const { handler } = rig.deps
      const handle: typeof handler.handle = (aggregate, about, context, decision) =>
        about.stream.startsWith('player-')
          ? Promise.reject(new Refusal(kind, code, 'Refused.'))
          : handler.handle(aggregate, about, context, decision)
      return { ...rig.deps, handler: { handle } }
    }
    const attempt = async (kind: RefusalKind, code: string) => {
      const work = registerPlayer(refusing(kind, code), { game: GAME, caller: NOBODY, form: FORM }, contextAt())
      expect(await refusalCodeOf(work)).to.equal(code)
      const events = await rig.recorded()
      return { events, secrets: await stored(String(events[0]?.data.secret)) }
    }

    it('releases the address, then the login by whose claim a reaction finishes the rest, and destroys their secrets', async () => {
      const { events, secrets } = await attempt('unauthenticated', 'sign_in_rejected')
      const [login, mail] = ['login', 'mail'].map((prefix) =>
        events.filter(({ stream }) => stream.startsWith(`${prefix}-`)).map(({ type }) => type),
      )
      expect([login, mail]).to.deep.equal([
        ['LoginBegun', 'LoginClaimed', 'LoginReleased'],
        ['LoginClaimed', 'LoginReleased'],
      ])
      const released = events.filter(({ type }) => type === 'LoginReleased')
      expect(released.map(({ stream }) => stream.split('-')[0])).to.deep.equal(['mail', 'login'])
      expect(secrets).to.deep.equal([])
    })

    it('keeps the claims if the outcome is unknown or the Idempotency-Key was used before', async () => {
      for (const [kind, code] of [
        ['unavailable', 'busy'],
        ['unprocessable', 'idempotency_key_reused'],
      ] as const) {
        rig = recordingRig()
        const { events, secrets } = await attempt(kind, code)
        expect(events.filter(({ type }) => type === 'LoginReleased')).to.deep.equal([])
        expect(secrets).to.deep.equal(['password', 'login', 'email'])
      }
    })
  })

  describe('whose claim a reaction finishes', () => {
    const claim = (id: string): LoginClaimedData => ({
      ...{ kind: 'login', player: id, secret: 's', makes: true, name: 'Eve', email: email() },
    })
    const finished = (id: string) =>
      finishRegistration(rig.deps, { game: GAME, digest: login('EVE'), claim: claim(id) }, null, contextAt())

    it('creates the player once', async () => {
      const first = await finished('eve')
      expect(first.links.map(({ kind }) => kind)).to.deep.equal(['login', 'email'])
      await rig.recorded()
      expect(await finished('eve')).to.deep.equal(first)
      expect(await rig.recorded()).to.deep.equal([])
    })

    it('records nothing about an address that another player has', async () => {
      await registered()
      await rig.recorded()
      const state = await finished('eve')
      expect(state.links.map(({ kind }) => kind)).to.deep.equal(['login'])
      expect(typesOf(await rig.recorded())).to.deep.equal(['player-eve PlayerCreated', 'player-eve PlayerLinked'])
    })
  })

  describe('whom the address owner has taken over', () => {
    const START = { game: GAME, key: 'ck_x', permissions: [], signOuts: 0 }
    const session = async (player: string, nowMs: number) =>
      (await start(rig.deps, { ...START, player }, contextAt(nowMs))).id

    /** A player whose owner confirmed the address; `old` is a session from before. */
    async function takenOver() {
      const mails: CodeMail[] = []
      const mail = { send: (one: CodeMail) => mails.push(one) > 0, close: async () => {} }
      const { id, state } = await registered()
      const old = await session(id, LONG_AGO_MS)
      await mailCode({ ...rig.deps, mail }, asked(EMAIL), LONG_AGO_MS)
      const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
      await signInByCode(rig.deps, GAME, sent, contextAt(LONG_AGO_MS + 1_000))
      await rig.recorded()
      return { id, old, secret: state.links[0]?.secret ?? '' }
    }
    const again = (player: string, own: string | null) =>
      registered({ ...REGISTRATION, login: 'NEW' }, { ...NOBODY, player, session: own }, contextAt(LONG_AGO_MS + 9_000))

    it('admits a session that started after that', async () => {
      const { id } = await takenOver()
      const { state } = await again(id, await session(id, LONG_AGO_MS + 1_001))
      expect(state.links.map(({ kind }) => kind)).to.deep.equal(['email', 'login'])
    })

    it('rejects earlier, ended and unknown sessions, and releases the login', async () => {
      const { id, old } = await takenOver()
      const ended = await session(id, LONG_AGO_MS + 2_000)
      await end(rig.deps, { game: GAME, player: id, session: ended }, contextAt())
      const simultaneous = await session(id, LONG_AGO_MS + 1_000)
      for (const own of [null, 'unknown', old, ended, simultaneous]) {
        expect(await refusalCodeOf(again(id, own)), String(own)).to.equal('sign_in_rejected')
        expect(await currentClaim(rig.deps, 'login', GAME, login('NEW'))).to.equal(null)
      }
      expect((await playerNow(rig.deps, id))?.links.map(({ kind }) => kind)).to.deep.equal(['email'])
    })

    it('keeps the confirmed address if a reaction finishes the invalid login', async () => {
      const { id, secret } = await takenOver()
      const claim: LoginClaimedData = {
        ...{ kind: 'login', player: id, secret, makes: true, name: 'Ada', email: email() },
      }
      const work = finishRegistration(rig.deps, { game: GAME, digest: login(), claim }, null, contextAt())
      expect(await refusalCodeOf(work)).to.equal('already_registered')
      expect((await currentClaim(rig.deps, 'email', GAME, email()))?.player).to.equal(id)
      expect(await stored(secret)).to.deep.equal(['email'])
    })
  })
})
