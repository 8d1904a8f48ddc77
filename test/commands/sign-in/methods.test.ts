// Signing in by password and by mailed code: unfinished claims, repeated calls, and logins that an older version did
// not store.

import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import { makeGuest, remove } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { start } from '../../../commands/session.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { newGuest } from '../../../commands/sign-in/guest.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../../commands/sign-in/password.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { Refusal } from '../../../domain/decider.ts'
import { linkOf } from '../../../domain/links.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { type RecordingRig, recordingRig } from '../recording-rig.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const SENT = { login: REGISTRATION.login, password: REGISTRATION.password, network: NETWORK }
const keyed = (call = 'the call'): CommandContext => ({
  ...contextAt(),
  ...keyedIds(new Uint8Array(32), 'ck_x', null, 'k'),
  call,
})

describe('signing in', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const registered = async (email: string | null = null) => {
    const form = { ...REGISTRATION, email }
    const { id, state } = await registerPlayer(rig.deps, { game: GAME, caller: NOBODY, form }, contextAt())
    return { id, secret: linkOf(state, 'login')?.secret ?? '' }
  }
  const begin = (player: string, context: CommandContext) =>
    start(rig.deps, { game: GAME, player, key: 'ck_x', permissions: [], signOuts: 0 }, context)
  /** Commands whose player streams are unavailable. */
  const interrupted = (): SignInDeps => {
    const { handler } = rig.deps
    const handle: typeof handler.handle = (aggregate, about, context, decision) =>
      about.stream.startsWith('player-')
        ? Promise.reject(new Refusal('unavailable', 'busy', 'Away.'))
        : handler.handle(aggregate, about, context, decision)
    return { ...rig.deps, handler: { handle } }
  }

  describe('by a password', () => {
    const login = async (secret: string) => {
      const stored = await rig.vault.get('login', secret)
      return stored && Buffer.from(stored).toString()
    }

    it('stores the login as it was typed if an older version did not', async () => {
      const { secret } = await registered()
      for (const [typed, stored] of [
        [undefined, 'ADA'],
        ['Ada', 'Ada'],
      ] as const) {
        await rig.vault.destroy('login', secret)
        await signInByPassword(rig.deps, GAME, { ...SENT, ...(typed && { typed }) }, contextAt())
        expect(await login(secret)).to.equal(stored)
      }
      await signInByPassword(rig.deps, GAME, { ...SENT, typed: 'aDA' }, contextAt())
      expect(await login(secret)).to.equal('Ada')
    })

    it('stores no login of a player who was deleted meanwhile', async () => {
      const { id, secret } = await registered()
      await rig.vault.destroy('login', secret)
      const putIfAbsent: typeof rig.vault.putIfAbsent = async (kind, key, value) => {
        await remove(rig.deps, { game: GAME, player: id }, contextAt())
        return rig.vault.putIfAbsent(kind, key, value)
      }
      const deps = { ...rig.deps, vault: { ...rig.vault, putIfAbsent } }
      await signInByPassword(deps, GAME, SENT, contextAt())
      expect(await login(secret)).to.equal(null)
    })

    it('succeeds although the login cannot be stored', async () => {
      const { id, secret } = await registered()
      await rig.vault.destroy('login', secret)
      const vault = { ...rig.vault, putIfAbsent: () => Promise.reject(new Error('away')) }
      expect((await signInByPassword({ ...rig.deps, vault }, GAME, SENT, contextAt())).id).to.equal(id)
    })

    it('is refused after five wrong passwords, also for an unknown login', async () => {
      await registered()
      for (const login of ['ADA', 'NOBODY']) {
        const wrong = { ...SENT, login, password: 'wrong' }
        const codes: string[] = []
        for (let n = 0; n < 6; n++)
          codes.push(await refusalCodeOf(signInByPassword(rig.deps, GAME, wrong, contextAt())))
        expect(codes).to.deep.equal([...Array(5).fill('sign_in_rejected'), 'rate_limited'])
      }
    })

    it('needs no password for a repeated call whose session has started', async () => {
      const { id } = await registered()
      const first = await signInByPassword(rig.deps, GAME, SENT, keyed())
      await begin(id, keyed())
      const again = await signInByPassword(rig.deps, GAME, { ...SENT, password: 'other' }, keyed())
      expect([first.id, again.id, first.made, again.made]).to.deep.equal([id, id, false, false])
      expect([await first.isStillValid?.(), await again.isStillValid?.()]).to.deep.equal([true, true])
      const other = await signInByPassword(rig.deps, GAME, { ...SENT, login: 'EVE' }, keyed())
      expect(await other.isStillValid?.()).to.equal(false)
    })
  })

  describe('by a mailed code', () => {
    async function sent(signedIn: string | null = null) {
      const mails: CodeMail[] = []
      const mail = { send: (one: CodeMail) => mails.push(one) > 0, close: async () => {} }
      await mailCode({ ...rig.deps, mail }, asked(EMAIL), LONG_AGO_MS)
      return { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn }
    }

    it('needs no code for a repeated call whose session has started', async () => {
      const first = await signInByCode(rig.deps, GAME, await sent(), keyed())
      await begin(first.id, keyed())
      const wrong = { email: EMAIL, code: 'x', network: NETWORK, signedIn: null }
      const again = await signInByCode(rig.deps, GAME, wrong, keyed())
      expect([again.id, again.made]).to.deep.equal([first.id, true])
      expect(await refusalCodeOf(signInByCode(rig.deps, GAME, wrong, keyed('another call')))).to.equal(
        'sign_in_rejected',
      )
    })

    it('says that a repeated call created no player if its first attempt did not', async () => {
      const { id } = await makeGuest(rig.deps, GAME, null, contextAt())
      await begin(id, keyed())
      const wrong = { email: EMAIL, code: 'x', network: NETWORK, signedIn: null }
      const again = await signInByCode(rig.deps, GAME, wrong, keyed())
      expect([again.id, again.made]).to.deep.equal([id, false])
    })

    it('finishes the player of an earlier code whose call was interrupted', async () => {
      expect(await refusalCodeOf(signInByCode(interrupted(), GAME, await sent(), contextAt()))).to.equal('busy')
      const { id, made, state } = await signInByCode(rig.deps, GAME, await sent(), contextAt())
      expect([made, state.name]).to.deep.equal([false, `Player${id.slice(0, 4)}`])
      expect((await playerNow(rig.deps, id))?.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([
        ['email', true],
      ])
    })

    it('asks to try again while a registration with the address is unfinished', async () => {
      const form = { ...REGISTRATION, email: EMAIL }
      const registering = registerPlayer(interrupted(), { game: GAME, caller: NOBODY, form }, contextAt())
      expect(await refusalCodeOf(registering)).to.equal('busy')
      const refusal = await signInByCode(rig.deps, GAME, await sent(), contextAt()).catch((error: unknown) => error)
      expect(refusal).to.be.instanceOf(Refusal)
      const { kind, code, fields } = refusal as Refusal
      expect([kind, code, fields]).to.deep.equal(['unavailable', 'busy', { retry_after: 5 }])
    })

    it('asks to try again while a guest’s registration with the address is unfinished', async () => {
      const { id } = await makeGuest(rig.deps, GAME, null, contextAt())
      const caller = { ...NOBODY, player: id }
      const form = { ...REGISTRATION, name: null, email: EMAIL }
      expect(await refusalCodeOf(registerPlayer(interrupted(), { game: GAME, caller, form }, contextAt()))).to.equal(
        'busy',
      )
      expect(await refusalCodeOf(signInByCode(rig.deps, GAME, await sent(), contextAt()))).to.equal('busy')
      expect((await playerNow(rig.deps, id))?.links).to.deep.equal([])
    })

    it('fails if its claim on a new address fails, although another call has claimed it meanwhile', async () => {
      const { handler } = rig.deps
      let claims = 0
      const handle: typeof handler.handle = async (aggregate, about, context, decision) => {
        if (!about.stream.startsWith('mail-') || ++claims < 2)
          return handler.handle(aggregate, about, context, decision)
        await registered(EMAIL)
        throw new Refusal('unavailable', 'busy', 'Away.')
      }
      const deps = { ...rig.deps, handler: { handle } }
      expect(await refusalCodeOf(signInByCode(deps, GAME, await sent(), contextAt()))).to.equal('busy')
      expect(claims).to.equal(2)
    })

    it('waits until the views list the sessions that a take-over ends', async () => {
      const { id } = await registered(EMAIL)
      const old = (await begin(id, contextAt())).id
      await rig.recorded()
      const waited: unknown[] = []
      const deps: SignInDeps = {
        ...rig.deps,
        waitForProjection: async (written, timeoutMs) => {
          waited.push(written?.game, timeoutMs)
          return true
        },
        openSessions: async () => [{ id: old, started: '2026', signOuts: 0 }],
      }
      await signInByCode(deps, GAME, await sent(), contextAt())
      expect(waited).to.deep.equal([GAME, 2_000])
      const types = (await rig.recorded()).map(({ type }) => type)
      expect(types).to.deep.equal(['PlayerEmailConfirmed', 'LoginReleased', 'SessionEnded'])
    })

    it('takes the player over from a caller who is signed in as another player', async () => {
      const { id } = await registered(EMAIL)
      const { state } = await signInByCode(rig.deps, GAME, await sent('another'), contextAt())
      expect(state.links.map(({ kind }) => kind)).to.deep.equal(['email'])
      expect((await playerNow(rig.deps, id))?.takenOver).not.to.equal(null)
    })

    it('counts wrong codes by network only if networks are counted', async () => {
      const attempts: string[] = []
      const lockOut: SignInDeps['lockOut'] = {
        ...rig.deps.lockOut,
        attemptCode: (network, _nowMs, check) => {
          attempts.push(network)
          return check()
        },
      }
      for (const countsNetworks of [true, false]) {
        const code = { ...(await sent()), code: 'x' }
        const deps = { ...rig.deps, lockOut, countsNetworks }
        expect(await refusalCodeOf(signInByCode(deps, GAME, code, contextAt()))).to.equal('sign_in_rejected')
      }
      expect(attempts).to.deep.equal([NETWORK])
    })
  })

  it('as a guest gives a token of the new player, and a repeated call the same one', async () => {
    const guest = { game: GAME, name: 'Eve', caller: { key: 'ck_x', permissions: [] } }
    const first = await newGuest(rig.deps, guest, keyed())
    const again = await newGuest(rig.deps, guest, { ...keyed(), repeated: true })
    expect(first.player).to.deep.include({ id: again.player.id, made: true })
    expect(first.player.state.name).to.equal('Eve')
    expect(first.guestToken).to.equal(again.guestToken)
    expect(first.guestToken).to.match(new RegExp(`^${first.player.id}\\.[\\w-]{43}$`))
  })
})
