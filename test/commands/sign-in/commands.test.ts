// Sign-in cases that tests through HTTP cannot reach: new password parameters, a full queue, a proof invalidated
// meanwhile, and deleted players.

import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import type { CommandDeps } from '../../../commands/command-deps.ts'
import { createHandler } from '../../../commands/handle.ts'
import { makeGuest } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { forgetSignIns } from '../../../commands/sign-in/claims.ts'
import { signInByCode } from '../../../commands/sign-in/code.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { mayPlay } from '../../../commands/sign-in/may-play.ts'
import { signInByPassword } from '../../../commands/sign-in/password.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { createPasswords, PasswordsBusy } from '../../../credentials/passwords.ts'
import { Refusal } from '../../../domain/decider.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { asked, CHEAP, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const CREDENTIALS = { login: REGISTRATION.login, password: REGISTRATION.password, network: '127.0.0.1' }

describe('the sign-in commands', () => {
  it('hash a password again only if the parameters have changed', async () => {
    const { deps, vault } = signInRig()
    const { id } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const [link] = (await playerNow(deps, id))?.links ?? []
    const hash = async () => Buffer.from((await vault.get('password', link?.secret ?? '')) ?? []).toString()
    const first = await hash()
    await signInByPassword(deps, GAME, CREDENTIALS, contextAt())
    expect(await hash()).to.equal(first)
    const moved = { ...deps, passwords: createPasswords({ ...CHEAP, timeCost: 3 }) }
    await signInByPassword(moved, GAME, CREDENTIALS, contextAt())
    expect(await hash()).to.match(/^\$argon2id\$v=19\$m=8,t=3,p=1\$/)
    await signInByPassword(moved, GAME, CREDENTIALS, contextAt())
    expect(await refusalCodeOf(signInByPassword(moved, GAME, { ...CREDENTIALS, password: 'x' }, contextAt()))).to.equal(
      'sign_in_rejected',
    )
  })

  it('refuse without counting a failure if too many passwords wait', async () => {
    const { deps } = signInRig()
    await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const busy = { hash: () => Promise.reject(new PasswordsBusy()), verify: () => Promise.reject(new PasswordsBusy()) }
    for (let n = 0; n < 8; n += 1) {
      const trying = signInByPassword({ ...deps, passwords: busy }, GAME, CREDENTIALS, contextAt())
      expect(await refusalCodeOf(trying)).to.equal('sign_in_busy')
    }
    const other = { ...REGISTRATION, login: 'EVE' }
    expect(
      await refusalCodeOf(
        registerPlayer({ ...deps, passwords: busy }, { game: GAME, caller: NOBODY, form: other }, contextAt()),
      ),
    ).to.equal('sign_in_busy')
    await signInByPassword(deps, GAME, CREDENTIALS, contextAt())
  })

  /** A rig that remembers its vault's content, and whose log does so to claims on logins and addresses. */
  function watched(claims: CommandDeps['log']['append']) {
    const { deps, vault, log, mails } = signInRig()
    const lying = new Set<string>()
    const watching: typeof vault = {
      ...vault,
      putIfAbsent: (kind, id, value) => {
        lying.add(`${kind}/${id}`)
        return vault.putIfAbsent(kind, id, value)
      },
      destroy: (kind, id) => {
        lying.delete(`${kind}/${id}`)
        return vault.destroy(kind, id)
      },
    }
    const append: typeof log.append = (stream, expected, events) => {
      const isClaim = events.some(({ type }) => type === 'LoginClaimed')
      return isClaim ? claims(stream, expected, events) : log.append(stream, expected, events)
    }
    const handler = createHandler({ ...log, append })
    return { lying, mails, deps: { ...deps, vault: watching, handler } }
  }

  it('leave no secrets in the vault if the claim is known to have failed', async () => {
    const { deps, lying, mails } = watched(async () => ({ kind: 'conflict' }))
    const form = { ...REGISTRATION, email: EMAIL }
    expect(await refusalCodeOf(registerPlayer(deps, { game: GAME, caller: NOBODY, form }, contextAt()))).to.equal(
      'busy',
    )
    expect([...lying]).to.deep.equal([])
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
    expect(await refusalCodeOf(signInByCode(deps, GAME, sent, contextAt()))).to.equal('busy')
    expect([...lying]).to.deep.equal([])
  })

  it('keep the secrets of a claim whose outcome is unknown', async () => {
    const { deps, lying } = watched(async () => ({ kind: 'conflict' }))
    let isBegun = false
    const handle: typeof deps.handler.handle = async (...command) => {
      if (isBegun) throw new Refusal('unavailable', 'log_unavailable', 'The log is unavailable.')
      isBegun = true
      return deps.handler.handle(...command)
    }
    const away = { ...deps, handler: { handle } }
    expect(
      await refusalCodeOf(registerPlayer(away, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())),
    ).to.equal('log_unavailable')
    expect([...lying].map((place) => place.split('/')[0])).to.deep.equal(['password', 'login'])
  })

  it('reject a password that was invalidated meanwhile', async () => {
    const { deps, mails } = signInRig()
    const squatter = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    const proven = await signInByPassword(deps, GAME, CREDENTIALS, contextAt())
    expect([await squatter.isStillValid?.(), await proven.isStillValid?.()]).to.deep.equal([true, true])
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS)
    const sent = { email: EMAIL, code: mails[0]?.code ?? '', network: NETWORK, signedIn: null }
    const owner = await signInByCode(deps, GAME, sent, contextAt())
    expect(owner.id).to.equal(proven.id)
    expect([await squatter.isStillValid?.(), await proven.isStillValid?.()]).to.deep.equal([false, false])
    expect(await refusalCodeOf(signInByPassword(deps, GAME, CREDENTIALS, contextAt()))).to.equal('sign_in_rejected')
  })

  it('reject banned and deleted players', async () => {
    const { deps } = signInRig()
    const { state } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const banned = (until: string | null) => ({
      ...state,
      banned: { since: '2025-01-01T00:00:00.000Z', until, reason: null },
    })
    const codeOf = (who: Parameters<typeof mayPlay>[0]) =>
      refusalCodeOf(Promise.resolve().then(() => mayPlay(who, LONG_AGO_MS)))
    expect(mayPlay(state, LONG_AGO_MS)).to.equal(state)
    expect(mayPlay(banned('2025-12-31T23:59:59.999Z'), LONG_AGO_MS).name).to.equal('Ada')
    expect(await codeOf(null)).to.equal('sign_in_rejected')
    expect(await codeOf({ ...state, deleted: true })).to.equal('sign_in_rejected')
    expect(await codeOf(banned(null))).to.equal('player_banned')
    expect(await codeOf(banned('2026-01-01T00:00:00.001Z'))).to.equal('player_banned')
  })

  it('leave no sign-in secrets of a deleted player and free the login', async () => {
    const { deps, vault } = signInRig()
    const { id, state } = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    const [link] = state.links
    const kept = async () => [
      await vault.get('password', link?.secret ?? ''),
      await vault.get('email', link?.secret ?? ''),
    ]
    expect((await kept()).map((value) => value !== null)).to.deep.equal([true, true])
    await forgetSignIns(deps, { game: GAME, player: id }, state.links, contextAt())
    await forgetSignIns(deps, { game: GAME, player: id }, state.links, contextAt())
    expect(await kept()).to.deep.equal([null, null])
    expect(await refusalCodeOf(signInByPassword(deps, GAME, CREDENTIALS, contextAt()))).to.equal('sign_in_rejected')
    const next = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    expect(next.id).to.not.equal(id)
    expect(next.state.links.map(({ kind }) => kind)).to.deep.equal(['login', 'email'])
  })

  it('give a repeated registration its first answer, even if the player was deleted and another one has the login', async () => {
    const { deps, vault } = signInRig()
    const commandIds = keyedIds(new Uint8Array(32), 'sk_test', null, 'k')
    const call: CommandContext = { ...contextAt(), ...commandIds, call: 'register' }
    const { id, state } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, call)
    const secret = state.links[0]?.secret ?? ''
    await forgetSignIns(deps, { game: GAME, player: id }, state.links, contextAt())
    const other = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const again = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: REGISTRATION },
      { ...call, repeated: true },
    )
    expect({ id: again.id, links: again.state.links }).to.deep.equal({ id, links: state.links })
    expect(await vault.get('password', secret)).to.equal(null)
    const signedIn = await signInByPassword(deps, GAME, CREDENTIALS, contextAt())
    expect(signedIn.id).to.equal(other.id)
  })

  it('never sign in by a refused registration that is repeated: its login is free, its password destroyed', async () => {
    const { deps, log, vault } = signInRig()
    const { id } = await makeGuest(deps, GAME, null, contextAt())
    const call: CommandContext = {
      ...contextAt(),
      ...keyedIds(new Uint8Array(32), 'sk_test', null, 'k'),
      call: 'register',
    }
    const caller = { ...NOBODY, player: id }
    const { handler } = deps
    const refusing: CommandDeps['handler'] = {
      ...handler,
      handle: async (aggregate, place, ...rest) => {
        if (place.stream.startsWith('player-')) throw new Refusal('unauthenticated', 'sign_in_rejected', 'Not now.')
        return handler.handle(aggregate, place, ...rest)
      },
    }
    const first = registerPlayer(
      { ...deps, handler: refusing },
      { game: GAME, caller, form: { ...REGISTRATION, email: EMAIL } },
      call,
    )
    expect(await refusalCodeOf(first)).to.equal('sign_in_rejected')
    const again = registerPlayer(
      deps,
      { game: GAME, caller, form: { ...REGISTRATION, email: EMAIL } },
      { ...call, repeated: true },
    )
    expect(await refusalCodeOf(again)).to.equal('sign_in_rejected')
    expect((await playerNow(deps, id))?.links).to.deep.equal([])
    const secrets = (await log.readAll(null, 100)).flatMap(({ data }) =>
      data.secret === undefined ? [] : [data.secret],
    )
    const kept = await Promise.all(secrets.map((secret) => vault.get('password', String(secret))))
    expect(kept.every((one) => one === null)).to.equal(true)
    const other = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    expect(other.state.links.map(({ kind }) => kind)).to.deep.equal(['login', 'email'])
  })
})
