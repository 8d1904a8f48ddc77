// Signing in by a mailed code: whom it signs in, and what is rejected.

import { expect } from 'chai'
import { ban } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { CODE_TRIES_PER_NETWORK, signInByCode } from '../../../commands/sign-in/code.ts'
import { mailCode } from '../../../commands/sign-in/mail-code.ts'
import { registerPlayer } from '../../../commands/sign-in/register.ts'
import { refusalOf } from '../../refusal-of.ts'
import { asked, contextAt, GAME, LONG_AGO_MS, NETWORK, NOBODY, REGISTRATION, signInRig } from './sign-in-rig.ts'

const EMAIL = 'ada@example.com'
const MINUTE_MS = 60_000

describe('commands: a mailed code', () => {
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

  it('is rejected unseen for a network with too many wrong tries, and accepted from another', async () => {
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
