// Registering, and signing in by login and password.

import { expect } from 'chai'
import { makeBoard, makePlayer, signInGuest } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { comparable, openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { answerCode } from './tenant.ts'
import { must } from './world.ts'

const MINUTE_MS = 60_000
const REJECTED = '401 sign_in_rejected'

describe('over HTTP: registering with login and password', () => {
  let api: SignInApi
  before(async () => {
    api = await openSignInApi(await sharedWorld())
  })

  it('creates a player, who signs in by login and password in exactly these fields', async () => {
    const made = await api.register({ login: 'ada', name: 'Ada' })
    expect(Object.keys(made)).to.deep.equal([
      'token',
      'expires_at',
      'permissions',
      'declined',
      'refresh_token',
      'player',
    ])
    expect(made.player).to.deep.include({ name: 'Ada', guest: false })
    const back = must(await api.post('password', { login: 'ADA', password: PASSWORD }), 200)
    expect(back.player).to.deep.equal(made.player)
    expect(Object.keys(back)).to.deep.equal(Object.keys(made))
    expect(back.refresh_token).to.not.equal(made.refresh_token)
    expect([await api.meStatus(made.token), await api.meStatus(back.token)]).to.deep.equal([200, 200])
    const renewed = must(await api.post('refresh', { refresh_token: back.refresh_token }), 200)
    expect(renewed.player).to.deep.equal(made.player)
    const nameless = await api.register({ login: 'nameless' })
    expect(nameless.player.name).to.equal(`Player${nameless.player.id.slice(0, 4)}`)
  })

  it('accepts a password in any Unicode form, and logins in any case', async () => {
    await api.register({ login: 'ΌΔΥΣΣΕΥΣ', password: 'Pässwörd✓ 1' })
    const sent = { login: 'όδυσσευς', password: 'Pa\u0308sswo\u0308rd✓ 1' }
    expect((await api.post('password', sent)).status).to.equal(200)
  })

  it('turns a guest into a registered player who keeps scores and tokens', async () => {
    const { world, game, client } = api
    const board = await makeBoard(world, game)
    const guest = await signInGuest(world, game, client, 'Gus')
    await world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body: { score: '12.5' } })
    const registered = await api.register({ login: 'gus', email: 'gus@example.com' }, guest.token)
    expect(registered.player).to.deep.include({ id: guest.id, name: 'Gus', guest: false })
    const listed = await world.call('GET', `/api/lb/${board}/score/`, { token: registered.token })
    expect(must(listed, 200).scores).to.have.length(1)
    expect(listed.body.scores[0]).to.include({ player: guest.id, score: '12.5', rank: 1 })
    const back = must(await api.post('password', { login: 'gus', password: PASSWORD }), 200)
    expect(back.player.id).to.equal(guest.id)
    expect(must(await api.post('guest', { guest_token: guest.guestToken }), 200).player.guest).to.equal(false)
    expect(await api.meStatus(guest.token)).to.equal(200)
  })

  it('renames a guest who asks for it, and gives a login to a player whom the tenant created', async () => {
    const { world, game, client } = api
    const guest = await signInGuest(world, game, client, 'Gus')
    const renamed = await api.register({ login: 'renamed', name: 'Gustav' }, guest.token)
    expect(renamed.player.name).to.equal('Gustav')
    const id = await makePlayer(world, game, 'Theirs')
    const session = must(await api.post('ticket/redeem', { ticket: await api.ticket({ player: id }) }), 200)
    expect((await api.register({ login: 'theirs' }, session.token)).player).to.deep.include({ id, name: 'Theirs' })
  })

  it('refuses a taken login, in any case, and a player who already has one, with 409', async () => {
    const made = await api.register({ login: 'taken' })
    const again = await api.post('register', { login: 'TAKEN', password: 'another password' })
    expect(answerCode(again)).to.equal('409 login_taken')
    expect(answerCode(await api.post('register', { login: 'second', password: PASSWORD }, made.token))).to.equal(
      '409 already_registered',
    )
    expect((await api.post('register', { login: 'second', password: PASSWORD })).status).to.equal(201)
    const other = await openSignInApi(api.world)
    expect((await other.post('register', { login: 'taken', password: PASSWORD })).status).to.equal(201)
  })

  it('lets one of several simultaneous registrations of a guest win, and frees the logins of the others', async () => {
    const guest = await signInGuest(api.world, api.game, api.client)
    const registrations = Array.from({ length: 4 }, (_, n) => ({ login: `guests-${n}`, password: `${PASSWORD} ${n}` }))
    const outcomes = await Promise.all(
      registrations.map((registration) => api.post('register', registration, guest.token)),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409])
    const theirs = registrations.filter((_, n) => outcomes[n]?.status === 200)
    for (const registration of registrations) {
      const { status } = await api.post('password', registration)
      expect(status).to.equal(theirs.includes(registration) ? 200 : 401)
    }
    // The logins of the losers are free again.
    for (const { login } of registrations.filter((registration) => !theirs.includes(registration)))
      await api.register({ login })
  })

  it('replays a registration and a sign-in from their Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'register-once' }
    const registration = { login: 'repeated', password: PASSWORD, email: 'repeated@example.com' }
    const first = await api.post('register', registration, api.client, headers)
    const second = await api.post('register', registration, api.client, headers)
    expect([first.status, second.status]).to.deep.equal([201, 201])
    expect(second.body.player).to.deep.equal(first.body.player)
    expect(second.body.refresh_token).to.equal(first.body.refresh_token)
    expect([first.headers['idempotent-replay'], second.headers['idempotent-replay']]).to.deep.equal([undefined, 'true'])
    const other = await api.post('register', { ...registration, password: 'something else' }, api.client, headers)
    expect(answerCode(other)).to.equal('422 idempotency_key_reused')
    const signIn = { login: 'repeated', password: PASSWORD }
    const [one, two] = [
      await api.post('password', signIn, api.client, { 'idempotency-key': 'in' }),
      await api.post('password', signIn, api.client, { 'idempotency-key': 'in' }),
    ]
    expect(two.body.refresh_token).to.equal(must(one, 200).refresh_token)
    expect(two.headers['idempotent-replay']).to.equal('true')
  })

  it('refuses an invalid login, password or mail address with 400', async () => {
    const registrations = [
      { login: '', password: PASSWORD },
      { login: ' a', password: PASSWORD },
      { login: 'x'.repeat(65), password: PASSWORD },
      { login: 'a', password: 'seven77' },
      { login: 'a', password: 'x'.repeat(257) },
      { login: 'a' },
      { login: 'a', password: PASSWORD, email: 'no address' },
      { login: 'a', password: PASSWORD, email: 'a@b@c' },
      { login: 'a', password: PASSWORD, email: 'a@example.com\r\nBcc: b@example.com' },
      { login: 'a', password: PASSWORD, email: 'dotless-ı@example.com' },
      { login: 'a', password: PASSWORD, email: `${'x'.repeat(65)}@example.com` },
    ]
    for (const registration of registrations) {
      expect([registration, answerCode(await api.post('register', registration))]).to.deep.equal([
        registration,
        '400 malformed',
      ])
    }
  })

  it('refuses registration and sign-in with 403 where the game has switched passwords off', async () => {
    const own = await openSignInApi(api.world)
    await own.register({ login: 'before' })
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { password: false } } }), 200)
    const off = '403 sign_in_method_off'
    expect(answerCode(await own.post('register', { login: 'x', password: PASSWORD }))).to.equal(off)
    expect(answerCode(await own.post('password', { login: 'before', password: PASSWORD }))).to.equal(off)
  })
})

describe('refused passwords', () => {
  let api: SignInApi
  before(async () => {
    api = await openSignInApi(await sharedWorld())
  })
  /** Failures of other tests count for this network address, too. */
  beforeEach(() => {
    api.world.clock.nowMs += MINUTE_MS
  })
  after(() => {
    api.world.clock.nowMs += MINUTE_MS
  })

  const signIn = (login: string, password = 'a wrong password') => api.post('password', { login, password })

  it('answers a wrong password and an unknown login alike, byte for byte but the request id', async () => {
    await api.register({ login: 'known' })
    const [wrong, unknown] = [await signIn('known'), await signIn('nobody-has-this')]
    expect(answerCode(wrong)).to.equal(REJECTED)
    expect(comparable(wrong)).to.deep.equal(comparable(unknown))
    expect(wrong.text.length).to.equal(unknown.text.length)
  })

  it('locks a login out for a minute after five wrong passwords, also for the right one and for unknown logins', async () => {
    await api.register({ login: 'locked' })
    for (const login of ['locked', 'nobody']) {
      for (let n = 0; n < 5; n += 1) expect(answerCode(await signIn(login))).to.equal(REJECTED)
      const sixth = await signIn(login, PASSWORD)
      expect(answerCode(sixth)).to.equal('429 rate_limited')
      expect([sixth.headers['retry-after'], sixth.body.policy]).to.deep.equal(['60', 'login'])
    }
    const { clock } = api.world
    clock.nowMs += MINUTE_MS - 1
    expect((await signIn('LOCKED', PASSWORD)).status).to.equal(429)
    clock.nowMs += 1
    expect((await signIn('locked', PASSWORD)).status).to.equal(200)
  })

  it('does not count right passwords', async () => {
    await api.register({ login: 'often' })
    for (let n = 0; n < 8; n += 1) expect((await signIn('often', PASSWORD)).status).to.equal(200)
    for (let n = 0; n < 4; n += 1) expect(answerCode(await signIn('often'))).to.equal(REJECTED)
    for (let n = 0; n < 3; n += 1) expect((await signIn('often', PASSWORD)).status).to.equal(200)
  })

  it('checks at most five of many simultaneous guesses for a login', async () => {
    await api.register({ login: 'guessed' })
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => signIn('guessed', `guess number ${n}`)))
    expect(answers.filter(({ status }) => status === 401)).to.have.length(5)
    expect(answers.filter(({ status }) => status === 429)).to.have.length(27)
    expect((await signIn('guessed', PASSWORD)).status).to.equal(429)
  })

  it('admits many simultaneous sign-ins with the right password', async () => {
    await api.register({ login: 'right' })
    const answers = await Promise.all(Array.from({ length: 24 }, () => signIn('right', PASSWORD)))
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(24).fill(200))
  })

  it('locks a network address out after twenty wrong passwords for any logins', async () => {
    await api.register({ login: 'bystander' })
    for (let n = 0; n < 20; n += 1) expect(answerCode(await signIn(`spread-${n}`))).to.equal(REJECTED)
    const refused = await signIn('bystander', PASSWORD)
    expect([refused.status, refused.body.policy]).to.deep.equal([429, 'login_address'])
    api.world.clock.nowMs += MINUTE_MS
    expect((await signIn('bystander', PASSWORD)).status).to.equal(200)
  })
})
