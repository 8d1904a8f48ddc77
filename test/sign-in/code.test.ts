// Signing in by a mailed code: whom it signs in, what is rejected, and how many mails are sent.

import { expect } from 'chai'
import { ban, makeGuest } from '../../commands/player.ts'
import { playerNow } from '../../commands/player-now.ts'
import { CODE_TRIES_PER_NETWORK, signInByCode } from '../../commands/sign-in/code.ts'
import { MAILS_PER_NETWORK, mailCode } from '../../commands/sign-in/mail-code.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import { refusalOf } from '../refusal-of.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './rig.ts'

const EMAIL = 'ada@example.com'
const MINUTE_MS = 60_000

describe('a mailed code', () => {
  let rig: ReturnType<typeof signInRig>
  beforeEach(() => {
    rig = signInRig()
  })

  async function codeOf(email = EMAIL): Promise<string> {
    await mailCode(rig.deps, asked(email), LONG_AGO_MS)
    return rig.mails.at(-1)?.code ?? ''
  }
  const send = (code: string, more: { signedIn?: string; network?: string } = {}, context = contextAt()) =>
    signInByCode(
      rig.deps,
      GAME,
      { email: EMAIL, code, network: more.network ?? NETWORK, signedIn: more.signedIn ?? null },
      context,
    )
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

  it('is mailed with the name and the id of the game', async () => {
    const code = await codeOf()
    expect(rig.mails).to.deep.equal([{ email: EMAIL, code, game: 'Quest', gameId: GAME }])
  })

  it('makes a player of an address that is nobody’s, and signs them in the next time', async () => {
    const first = await send(await codeOf())
    expect(first.made).to.equal(true)
    expect(first.state.name).to.equal(`Player${first.id.slice(0, 4)}`)
    expect(first.state.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([['email', true]])
    const kept = await rig.vault.get('email', first.state.links[0]?.secret ?? '')
    expect(Buffer.from(kept ?? []).toString()).to.equal(EMAIL)
    const again = await send(await codeOf())
    expect([again.id, again.made]).to.deep.equal([first.id, false])
    expect(again.state).to.deep.equal(first.state)
  })

  it('is good once, for a quarter of an hour, and for its own address', async () => {
    const code = await codeOf()
    expect((await refusalOf(send(wrong(code)))).code).to.equal('sign_in_rejected')
    const late = contextAt(LONG_AGO_MS + 15 * MINUTE_MS)
    expect((await refusalOf(send(code, {}, late))).code).to.equal('sign_in_rejected')
    const fresh = await codeOf()
    await send(fresh, {}, contextAt(LONG_AGO_MS + 15 * MINUTE_MS - 1))
    expect((await refusalOf(send(fresh))).code).to.equal('sign_in_rejected')
  })

  it('is no longer looked at from a network with too many wrong ones, and is good from another', async () => {
    const code = await codeOf()
    for (let n = 0; n < CODE_TRIES_PER_NETWORK; n++) await refusalOf(send(wrong(code)))
    expect((await refusalOf(send(code))).code).to.equal('sign_in_rejected')
    expect((await send(code, { network: '192.0.2.9' })).made).to.equal(true)
  })

  it('answers 429 to a network with 20 wrong codes, also for the right one', async () => {
    const code = await codeOf()
    for (let n = 0; n < 20; n++) await refusalOf(send(wrong(code)))
    const refusal = await refusalOf(send(code))
    expect([refusal.kind, refusal.code, refusal.message]).to.deep.equal([
      'too_many',
      'rate_limited',
      'Too many sign-ins have failed. Wait 900 s.',
    ])
    expect(refusal.fields).to.deep.equal({ retry_after: 900, policy: 'code_address' })
  })

  it('takes the player over from who registered with its address, whose login is void then', async () => {
    const registered = await registerPlayer(
      rig.deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    const owner = await send(await codeOf())
    expect([owner.id, owner.made]).to.deep.equal([registered.id, false])
    expect(owner.state.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([['email', true]])
    expect((await playerNow(rig.deps, owner.id))?.takenOver).not.to.equal(null)
  })

  it('confirms the address of a player who is signed in, and leaves their login', async () => {
    const { id } = await registerPlayer(
      rig.deps,
      { game: GAME, caller: NOBODY, form: { ...REGISTRATION, email: EMAIL } },
      contextAt(),
    )
    const { state } = await send(await codeOf(), { signedIn: id })
    expect(state.links.map(({ kind, confirmed }) => [kind, confirmed])).to.deep.equal([
      ['login', true],
      ['email', true],
    ])
    expect(state.takenOver).to.equal(null)
  })

  it('does not let a banned player in', async () => {
    const { id } = await send(await codeOf())
    await ban(rig.deps, { game: GAME, player: id }, { until: null, reason: null }, contextAt())
    expect((await refusalOf(send(await codeOf()))).code).to.equal('player_banned')
  })
})

describe('mails of codes', () => {
  it('are at most three to one address, and say when the next may be requested', async () => {
    const { deps, mails } = signInRig()
    for (let n = 0; n < 3; n++) await mailCode(deps, asked(EMAIL), LONG_AGO_MS + n * MINUTE_MS)
    const refusal = await refusalOf(mailCode(deps, asked(EMAIL), LONG_AGO_MS + 3 * MINUTE_MS))
    expect([refusal.kind, refusal.code]).to.deep.equal(['too_many', 'rate_limited'])
    expect(refusal.message).to.match(/codes .* address\. Wait 720 s\.$/)
    expect(refusal.fields).to.deep.equal({ retry_after: 720, policy: 'mail' })
    await mailCode(deps, asked('eve@example.com'), LONG_AGO_MS + 3 * MINUTE_MS)
    await mailCode(deps, asked(EMAIL), LONG_AGO_MS + 15 * MINUTE_MS + 1)
    expect(mails).to.have.length(5)
  })

  it('are limited by the network that asks, where networks are counted', async () => {
    for (const countsNetworks of [true, false]) {
      const deps = { ...signInRig().deps, countsNetworks }
      for (let n = 0; n < MAILS_PER_NETWORK; n++) await mailCode(deps, asked(`p${n}@example.com`), LONG_AGO_MS)
      const last = mailCode(deps, asked('last@example.com'), LONG_AGO_MS)
      if (!countsNetworks) {
        await last
        continue
      }
      const refusal = await refusalOf(last)
      expect(refusal.message).to.match(/codes .* network address\. Wait 900 s\.$/)
      expect(refusal.fields).to.deep.equal({ retry_after: 900, policy: 'mail_address' })
      await mailCode(deps, asked('last@example.com', '192.0.2.9'), LONG_AGO_MS)
    }
  }).timeout(10_000)

  it('cannot be sent without a mail server, and say when to try again', async () => {
    const { deps } = signInRig()
    const refusal = await refusalOf(mailCode({ ...deps, mail: null }, asked(EMAIL), LONG_AGO_MS))
    expect([refusal.kind, refusal.code, refusal.fields]).to.deep.equal([
      'unavailable',
      'mail_unavailable',
      { retry_after: 5 },
    ])
    expect(refusal.message).to.match(/cannot send mail .{20,}\.$/)
  })
})

describe('registering', () => {
  const registration = { ...REGISTRATION, typed: 'Ada', email: EMAIL }

  it('keeps the login as it was typed, the address, and a hash of the password', async () => {
    const { deps, vault } = signInRig()
    const { id, state, made } = await registerPlayer(
      deps,
      { game: GAME, caller: NOBODY, form: registration },
      contextAt(),
    )
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
    expect((await playerNow(deps, id))?.links).to.deep.equal(state.links)
  })

  it('gives a player without a name one of their own, and keeps the login as it is compared', async () => {
    const { deps, vault } = signInRig()
    const nameless = { ...REGISTRATION, name: null }
    const { id, state } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: nameless }, contextAt())
    expect(state.name).to.equal(`Player${id.slice(0, 4)}`)
    const kept = await vault.get('login', state.links[0]?.secret ?? '')
    expect(Buffer.from(kept ?? []).toString()).to.equal('ADA')
    expect(await vault.get('email', state.links[0]?.secret ?? '')).to.equal(null)
  })

  it('keeps the name of a guest who registers without one', async () => {
    const { deps } = signInRig()
    const { id } = await makeGuest(deps, GAME, 'Eve', contextAt())
    const caller = { ...NOBODY, player: id }
    const proven = await registerPlayer(
      deps,
      { game: GAME, caller, form: { ...REGISTRATION, name: null } },
      contextAt(),
    )
    expect([proven.id, proven.made, proven.state.name, proven.state.guest]).to.deep.equal([id, false, 'Eve', false])
    const again = registerPlayer(deps, { game: GAME, caller, form: { ...REGISTRATION, login: 'EVE' } }, contextAt())
    expect((await refusalOf(again)).code).to.equal('already_registered')
  })

  it('refuses a login that another player has, and stores nothing', async () => {
    const { deps, log } = signInRig()
    await registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    const before = (await log.readAll(null, 100)).length
    const again = registerPlayer(deps, { game: GAME, caller: NOBODY, form: REGISTRATION }, contextAt())
    expect((await refusalOf(again)).code).to.equal('login_taken')
    expect(await log.readAll(null, 100)).to.have.length(before)
  })

  it('passes over an address that another player has', async () => {
    const { deps } = signInRig()
    await registerPlayer(deps, { game: GAME, caller: NOBODY, form: registration }, contextAt())
    const other = { ...registration, login: 'EVE' }
    const { state } = await registerPlayer(deps, { game: GAME, caller: NOBODY, form: other }, contextAt())
    expect(state.links.map(({ kind }) => kind)).to.deep.equal(['login'])
  })
})
