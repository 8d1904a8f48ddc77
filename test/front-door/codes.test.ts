// Signing in by a mailed code.

import { expect } from 'chai'
import { signInGuest } from './game-fixtures.ts'
import { codeIn, mailsTo } from './mails.ts'
import { sharedWorld } from './shared.ts'
import { comparable, openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { answerCode } from './tenant.ts'
import { must } from './world.ts'

const QUARTER_MS = 15 * 60_000
const REJECTED = '401 sign_in_rejected'

/** Another code than this one. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('over HTTP: signing in by a mailed code', () => {
  let api: SignInApi
  let count = 0
  // Tests set the clock forward past the lifetime of tokens, so each has its own.
  beforeEach(async () => {
    api = await openSignInApi(await sharedWorld())
  })

  const freshEmail = () => {
    count += 1
    return `code-${count}@example.com`
  }
  const verify = (email: string, code: string, token?: string) => api.post('code/verify', { email, code }, token)

  it('creates a player for an unknown mail address, and signs the same player in the next time', async () => {
    const email = freshEmail()
    const requested = await api.post('code', { email: freshEmail() })
    expect([requested.status, requested.body]).to.deep.equal([202, { expires_in: 900 }])
    const made = must(await verify(email, await api.code(email)), 201)
    expect(made.player).to.deep.include({ guest: false, name: `Player${made.player.id.slice(0, 4)}` })
    const back = must(await verify(email.toUpperCase(), await api.code(email)), 200)
    expect(back.player).to.deep.equal(made.player)
    expect(await api.meStatus(back.token)).to.equal(200)
    const other = await openSignInApi(api.world)
    api.world.clock.nowMs += QUARTER_MS
    expect((await other.post('code/verify', { email, code: await other.code(email) })).status).to.equal(201)
  })

  it('names the game and the code in the mail', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    const [mail = ''] = await mailsTo(api.world, email)
    expect(mail).to.include(`Subject: ${code} is your code for Quest\r\n`)
    expect(mail).to.include(`\r\n\r\n${code} is your code to sign in to Quest.`)
  })

  it('answers requests and wrong codes alike for known and unknown mail addresses', async () => {
    const [known, unknown] = [freshEmail(), freshEmail()]
    await verify(known, await api.code(known))
    const answers = [await api.post('code', { email: known }), await api.post('code', { email: unknown })]
    expect(comparable(answers[0] as never)).to.deep.equal(comparable(answers[1] as never))
    const refusals = [await verify(known, '000000'), await verify(freshEmail(), '000000')]
    expect(refusals.map(answerCode)).to.deep.equal([REJECTED, REJECTED])
    expect(comparable(refusals[0] as never)).to.deep.equal(comparable(refusals[1] as never))
  })

  it('accepts a code once, for its own mail address and game only', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    const other = await openSignInApi(api.world)
    expect(answerCode(await other.post('code/verify', { email, code }))).to.equal(REJECTED)
    expect(answerCode(await verify(freshEmail(), code))).to.equal(REJECTED)
    expect((await verify(email, code)).status).to.equal(201)
    expect(answerCode(await verify(email, code))).to.equal(REJECTED)
  })

  it('accepts the right code after four wrong tries and rejects it after five, also when they are sent at the same time', async () => {
    const email = freshEmail()
    const first = await api.code(email)
    for (let n = 0; n < 4; n += 1) expect(answerCode(await verify(email, wrong(first)))).to.equal(REJECTED)
    expect((await verify(email, first)).status).to.equal(201)
    const second = await api.code(email)
    await Promise.all(Array.from({ length: 5 }, () => verify(email, wrong(second))))
    expect(answerCode(await verify(email, second))).to.equal(REJECTED)
  })

  it('rejects a code after 15 minutes, and once a newer one was mailed', async () => {
    const email = freshEmail()
    const { clock } = api.world
    const old = await api.code(email)
    clock.nowMs += QUARTER_MS - 1
    const code = await api.code(email)
    expect(answerCode(await verify(email, old))).to.equal(REJECTED)
    clock.nowMs += QUARTER_MS - 1
    expect((await verify(email, code)).status).to.equal(201)
    const late = await api.code(email)
    clock.nowMs += QUARTER_MS
    expect(answerCode(await verify(email, late))).to.equal(REJECTED)
  })

  it('mails three codes in 15 minutes to one mail address over all games, and refuses the fourth with 429', async () => {
    const email = freshEmail()
    const { clock } = api.world
    const other = await openSignInApi(api.world)
    await api.code(email)
    clock.nowMs += 60_000
    await other.code(email)
    await api.code(email)
    for (const one of [api, other]) {
      const refused = await one.post('code', { email: email.toUpperCase() })
      expect(answerCode(refused)).to.equal('429 rate_limited')
      expect([refused.headers['retry-after'], refused.body.policy]).to.deep.equal(['840', 'mail'])
    }
    expect(await mailsTo(api.world, email)).to.have.length(3)
    clock.nowMs += QUARTER_MS - 60_000
    expect((await api.post('code', { email })).status).to.equal(202)
  })

  it('replays a verified code from its Idempotency-Key', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    const headers = { 'idempotency-key': 'verify-once' }
    const [first, second] = [
      await api.post('code/verify', { email, code }, api.client, headers),
      await api.post('code/verify', { email, code }, api.client, headers),
    ]
    expect(second.body).to.deep.equal({ ...must(first, 201), token: second.body.token })
    expect([second.status, second.headers['idempotent-replay']]).to.deep.equal([201, 'true'])
  })

  it('refuses a malformed code with 400, and any code with 403 where the game has switched codes off', async () => {
    const email = freshEmail()
    for (const body of [{ email, code: '12345' }, { email, code: 123456 }, { email: 'x', code: '123456' }, { email }]) {
      expect(answerCode(await api.post('code/verify', body))).to.equal('400 malformed')
    }
    const own = await openSignInApi(api.world)
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { code: false } } }), 200)
    const off = '403 sign_in_method_off'
    expect(answerCode(await own.post('code', { email }))).to.equal(off)
    expect(answerCode(await own.post('code/verify', { email, code: '123456' }))).to.equal(off)
  })

  it('lets the owner of a mail address take over a player that somebody else registered with it', async () => {
    const email = freshEmail()
    const guest = await signInGuest(api.world, api.game, api.client)
    const squatter = await api.register({ login: 'squatter', email }, guest.token)
    const another = must(await api.post('password', { login: 'squatter', password: PASSWORD }), 200)
    const owner = must(await verify(email, await api.code(email)), 200)
    expect(owner.player.id).to.equal(guest.id)
    expect(await api.meStatus(owner.token)).to.equal(200)
    for (const token of [guest.token, squatter.token, another.token]) expect(await api.meStatus(token)).to.equal(401)
    for (const { refresh_token: refreshToken } of [squatter, another]) {
      expect(answerCode(await api.post('refresh', { refresh_token: refreshToken }))).to.equal(REJECTED)
    }
    expect(answerCode(await api.post('password', { login: 'squatter', password: PASSWORD }))).to.equal(REJECTED)
    expect(answerCode(await api.post('guest', { guest_token: guest.guestToken }))).to.equal(REJECTED)
    // The address is confirmed now: another code ends no session, and the owner may choose a login.
    api.world.clock.nowMs++
    const again = must(await verify(email, await api.code(email)), 200)
    expect([await api.meStatus(owner.token), await api.meStatus(again.token)]).to.deep.equal([200, 200])
    await api.register({ login: 'squatter', password: 'the owner’s own' }, again.token)
    expect((await api.post('password', { login: 'squatter', password: 'the owner’s own' })).status).to.equal(200)
  })

  it('confirms the mail address of a signed-in player, and leaves login, password and sessions valid', async () => {
    const email = freshEmail()
    const made = await api.register({ login: 'confirming', email })
    const confirmed = must(await verify(email, await api.code(email), made.token), 200)
    expect(confirmed.player).to.deep.equal(made.player)
    expect(await api.meStatus(made.token)).to.equal(200)
    expect((await api.post('password', { login: 'confirming', password: PASSWORD })).status).to.equal(200)
    must(await verify(email, await api.code(email)), 200)
    expect(await api.meStatus(made.token)).to.equal(200)
  })

  it('leaves a confirmed mail address with its owner when another player registers with it', async () => {
    const email = freshEmail()
    const owner = must(await verify(email, await api.code(email)), 201)
    const later = await api.register({ login: 'later', email })
    expect(later.player.id).to.not.equal(owner.player.id)
    expect(must(await verify(email, await api.code(email)), 200).player.id).to.equal(owner.player.id)
    expect(await api.meStatus(later.token)).to.equal(200)
    expect(codeIn((await mailsTo(api.world, email))[0] ?? '')).to.match(/^\d{6}$/)
  })
})
