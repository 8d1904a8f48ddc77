// Registering, and signing in by login and password.

import { expect } from 'chai'
import { type Door, openDoor, PASSWORD, shown } from './players-at-the-door.ts'
import { makeBoard, makePlayer, signInGuest } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import { outcome } from './tenant.ts'
import { must } from './world.ts'

const MINUTE_MS = 60_000
const REJECTED = { status: 401, code: 'sign_in_rejected' }

describe('registering', () => {
  let door: Door
  before(async () => {
    door = await openDoor(await sharedWorld())
  })

  it('makes a player, who signs in by login and password in exactly these fields', async () => {
    const made = await door.register({ login: 'ada', name: 'Ada' })
    expect(Object.keys(made)).to.deep.equal([
      'token',
      'expires_at',
      'permissions',
      'declined',
      'refresh_token',
      'player',
    ])
    expect(made.player).to.deep.include({ name: 'Ada', guest: false })
    const back = must(await door.post('password', { login: 'ADA', password: PASSWORD }), 200)
    expect(back.player).to.deep.equal(made.player)
    expect(Object.keys(back)).to.deep.equal(Object.keys(made))
    expect(back.refresh_token).to.not.equal(made.refresh_token)
    expect([await door.stands(made.token), await door.stands(back.token)]).to.deep.equal([200, 200])
    const renewed = must(await door.post('refresh', { refresh_token: back.refresh_token }), 200)
    expect(renewed.player).to.deep.equal(made.player)
    const nameless = await door.register({ login: 'nameless' })
    expect(nameless.player.name).to.equal(`Player${nameless.player.id.slice(0, 4)}`)
  })

  it('takes any password in one spelling, and logins without regard to case', async () => {
    await door.register({ login: 'ΌΔΥΣΣΕΥΣ', password: 'Pässwörd✓ 1' })
    const sent = { login: 'όδυσσευς', password: 'Pa\u0308sswo\u0308rd✓ 1' }
    expect((await door.post('password', sent)).status).to.equal(200)
  })

  it('turns a guest into a registered player with everything kept', async () => {
    const { world, game, client } = door
    const board = await makeBoard(world, game)
    const guest = await signInGuest(world, game, client, 'Gus')
    await world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body: { score: '12.5' } })
    const registered = await door.register({ login: 'gus', email: 'gus@example.com' }, guest.token)
    expect(registered.player).to.deep.include({ id: guest.id, name: 'Gus', guest: false })
    const listed = await world.call('GET', `/api/lb/${board}/score/`, { token: registered.token })
    expect(must(listed, 200).scores).to.have.length(1)
    expect(listed.body.scores[0]).to.include({ player: guest.id, score: '12.5', rank: 1 })
    const back = must(await door.post('password', { login: 'gus', password: PASSWORD }), 200)
    expect(back.player.id).to.equal(guest.id)
    expect(must(await door.post('guest', { guest_token: guest.guestToken }), 200).player.guest).to.equal(false)
    expect(await door.stands(guest.token)).to.equal(200)
  })

  it('renames the guest who asks for it, and gives a tenant’s player a login', async () => {
    const { world, game, client } = door
    const guest = await signInGuest(world, game, client, 'Gus')
    const renamed = await door.register({ login: 'renamed', name: 'Gustav' }, guest.token)
    expect(renamed.player.name).to.equal('Gustav')
    const id = await makePlayer(world, game, 'Theirs')
    const session = must(await door.post('ticket/redeem', { ticket: await door.ticket({ player: id }) }), 200)
    expect((await door.register({ login: 'theirs' }, session.token)).player).to.deep.include({ id, name: 'Theirs' })
  })

  it('refuses a login that is taken, in any case, and a player who has one', async () => {
    const made = await door.register({ login: 'taken' })
    const again = await door.post('register', { login: 'TAKEN', password: 'another password' })
    expect(outcome(again)).to.deep.equal({ status: 409, code: 'login_taken' })
    expect(outcome(await door.post('register', { login: 'second', password: PASSWORD }, made.token))).to.deep.equal({
      status: 409,
      code: 'already_registered',
    })
    expect((await door.post('register', { login: 'second', password: PASSWORD })).status).to.equal(201)
    const other = await openDoor(door.world)
    expect((await other.post('register', { login: 'taken', password: PASSWORD })).status).to.equal(201)
  })

  it('has one winner among racers for a login, and for a guest', async () => {
    const racers = Array.from({ length: 8 }, (_, n) =>
      door.post('register', { login: 'raced', password: `${PASSWORD} ${n}` }),
    )
    const answers = await Promise.all(racers)
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1)
    expect(answers.filter(({ body }) => body.code === 'login_taken')).to.have.length(7)
    const winner = answers.findIndex(({ status }) => status === 201)
    const sent = { login: 'raced', password: `${PASSWORD} ${winner}` }
    expect(must(await door.post('password', sent), 200).player.id).to.equal(answers[winner]?.body.player.id)

    const guest = await signInGuest(door.world, door.game, door.client)
    const wishes = Array.from({ length: 4 }, (_, n) => ({ login: `guests-${n}`, password: `${PASSWORD} ${n}` }))
    const outcomes = await Promise.all(wishes.map((wish) => door.post('register', wish, guest.token)))
    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409])
    const theirs = wishes.filter((_, n) => outcomes[n]?.status === 200)
    for (const wish of wishes) {
      const { status } = await door.post('password', wish)
      expect(status).to.equal(theirs.includes(wish) ? 200 : 401)
    }
    // The losers' logins are free again.
    for (const { login } of wishes.filter((wish) => !theirs.includes(wish))) await door.register({ login })
  })

  it('is answered again as it was, and does nothing more', async () => {
    const headers = { 'idempotency-key': 'register-once' }
    const wish = { login: 'repeated', password: PASSWORD, email: 'repeated@example.com' }
    const first = await door.post('register', wish, door.client, headers)
    const second = await door.post('register', wish, door.client, headers)
    expect([first.status, second.status]).to.deep.equal([201, 201])
    expect(second.body.player).to.deep.equal(first.body.player)
    expect(second.body.refresh_token).to.equal(first.body.refresh_token)
    expect([first.headers['idempotent-replay'], second.headers['idempotent-replay']]).to.deep.equal([undefined, 'true'])
    const other = await door.post('register', { ...wish, password: 'something else' }, door.client, headers)
    expect(outcome(other)).to.deep.equal({ status: 422, code: 'idempotency_key_reused' })
    const signIn = { login: 'repeated', password: PASSWORD }
    const [one, two] = [
      await door.post('password', signIn, door.client, { 'idempotency-key': 'in' }),
      await door.post('password', signIn, door.client, { 'idempotency-key': 'in' }),
    ]
    expect(two.body.refresh_token).to.equal(must(one, 200).refresh_token)
    expect(two.headers['idempotent-replay']).to.equal('true')
  })

  it('refuses what is no login, password or address', async () => {
    const wishes = [
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
    for (const wish of wishes) {
      expect([wish, outcome(await door.post('register', wish))]).to.deep.equal([
        wish,
        { status: 400, code: 'malformed' },
      ])
    }
  })

  it('is refused where the game has passwords switched off, like signing in by one', async () => {
    const own = await openDoor(door.world)
    await own.register({ login: 'before' })
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { password: false } } }), 200)
    const off = { status: 403, code: 'sign_in_method_off' }
    expect(outcome(await own.post('register', { login: 'x', password: PASSWORD }))).to.deep.equal(off)
    expect(outcome(await own.post('password', { login: 'before', password: PASSWORD }))).to.deep.equal(off)
  })
})

describe('a password that is refused', () => {
  let door: Door
  before(async () => {
    door = await openDoor(await sharedWorld())
  })
  /** Failures of other tests count for this address too. */
  beforeEach(() => {
    door.world.clock.nowMs += MINUTE_MS
  })
  after(() => {
    door.world.clock.nowMs += MINUTE_MS
  })

  const signIn = (login: string, password = 'a wrong password') => door.post('password', { login, password })

  it('is answered like an unknown login, byte for byte but the request’s id', async () => {
    await door.register({ login: 'known' })
    const [wrong, unknown] = [await signIn('known'), await signIn('nobody-has-this')]
    expect(outcome(wrong)).to.deep.equal(REJECTED)
    expect(shown(wrong)).to.deep.equal(shown(unknown))
    expect(wrong.text.length).to.equal(unknown.text.length)
  })

  it('locks the login out for a minute after five, the right password too, whether or not it is anybody’s', async () => {
    await door.register({ login: 'locked' })
    for (const login of ['locked', 'nobody']) {
      for (let n = 0; n < 5; n += 1) expect(outcome(await signIn(login))).to.deep.equal(REJECTED)
      const sixth = await signIn(login, PASSWORD)
      expect(outcome(sixth)).to.deep.equal({ status: 429, code: 'rate_limited' })
      expect([sixth.headers['retry-after'], sixth.body.policy]).to.deep.equal(['60', 'login'])
    }
    const { clock } = door.world
    clock.nowMs += MINUTE_MS - 1
    expect((await signIn('LOCKED', PASSWORD)).status).to.equal(429)
    clock.nowMs += 1
    expect((await signIn('locked', PASSWORD)).status).to.equal(200)
  })

  it('never counts where it was right', async () => {
    await door.register({ login: 'often' })
    for (let n = 0; n < 8; n += 1) expect((await signIn('often', PASSWORD)).status).to.equal(200)
    for (let n = 0; n < 4; n += 1) expect(outcome(await signIn('often'))).to.deep.equal(REJECTED)
    for (let n = 0; n < 3; n += 1) expect((await signIn('often', PASSWORD)).status).to.equal(200)
  })

  it('is looked at five times at most, however many guess at once', async () => {
    await door.register({ login: 'guessed' })
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => signIn('guessed', `guess number ${n}`)))
    expect(answers.filter(({ status }) => status === 401)).to.have.length(5)
    expect(answers.filter(({ status }) => status === 429)).to.have.length(27)
    expect((await signIn('guessed', PASSWORD)).status).to.equal(429)
  })

  it('does not stand in the way of many who are right at once', async () => {
    await door.register({ login: 'right' })
    const answers = await Promise.all(Array.from({ length: 24 }, () => signIn('right', PASSWORD)))
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(24).fill(200))
  })

  it('locks the address out after twenty, whatever the logins', async () => {
    await door.register({ login: 'bystander' })
    for (let n = 0; n < 20; n += 1) expect(outcome(await signIn(`spread-${n}`))).to.deep.equal(REJECTED)
    const refused = await signIn('bystander', PASSWORD)
    expect([refused.status, refused.body.policy]).to.deep.equal([429, 'login_address'])
    door.world.clock.nowMs += MINUTE_MS
    expect((await signIn('bystander', PASSWORD)).status).to.equal(200)
  })
})
