// Signing in by a code that is mailed.

import { expect } from 'chai'
import { codeIn, mailsTo } from './mails.ts'
import { type Door, openDoor, PASSWORD, shown } from './players-at-the-door.ts'
import { signInGuest } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import { outcome } from './tenant.ts'
import { must } from './world.ts'

const QUARTER_MS = 15 * 60_000
const REJECTED = { status: 401, code: 'sign_in_rejected' }

/** Another code than this. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a code by mail', () => {
  let door: Door
  let count = 0
  // Tests set the clock forward, past what a token lives: each has its own.
  beforeEach(async () => {
    door = await openDoor(await sharedWorld())
  })

  const freshEmail = () => {
    count += 1
    return `code-${count}@example.com`
  }
  const verify = (email: string, code: string, token?: string) => door.post('code/verify', { email, code }, token)

  it('makes a player of an unknown address, and finds them again', async () => {
    const email = freshEmail()
    const asked = await door.post('code', { email: freshEmail() })
    expect([asked.status, asked.body]).to.deep.equal([202, { expires_in: 900 }])
    const made = must(await verify(email, await door.code(email)), 201)
    expect(made.player).to.deep.include({ guest: false, name: `Player${made.player.id.slice(0, 4)}` })
    const back = must(await verify(email.toUpperCase(), await door.code(email)), 200)
    expect(back.player).to.deep.equal(made.player)
    expect(await door.stands(back.token)).to.equal(200)
    const other = await openDoor(door.world)
    door.world.clock.nowMs += QUARTER_MS
    expect((await other.post('code/verify', { email, code: await other.code(email) })).status).to.equal(201)
  })

  it('says in its mail whose game it is for', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const [mail = ''] = await mailsTo(door.world, email)
    expect(mail).to.include(`Subject: ${code} is your code for Quest\r\n`)
    expect(mail).to.include(`\r\n\r\n${code} is your code to sign in to Quest.`)
  })

  it('is asked for alike, whosever address it is', async () => {
    const [known, unknown] = [freshEmail(), freshEmail()]
    await verify(known, await door.code(known))
    const answers = [await door.post('code', { email: known }), await door.post('code', { email: unknown })]
    expect(shown(answers[0] as never)).to.deep.equal(shown(answers[1] as never))
    const refusals = [await verify(known, '000000'), await verify(freshEmail(), '000000')]
    expect(refusals.map(outcome)).to.deep.equal([REJECTED, REJECTED])
    expect(shown(refusals[0] as never)).to.deep.equal(shown(refusals[1] as never))
  })

  it('works once, for its own address and game', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const other = await openDoor(door.world)
    expect(outcome(await other.post('code/verify', { email, code }))).to.deep.equal(REJECTED)
    expect(outcome(await verify(freshEmail(), code))).to.deep.equal(REJECTED)
    expect((await verify(email, code)).status).to.equal(201)
    expect(outcome(await verify(email, code))).to.deep.equal(REJECTED)
  })

  it('has one winner among 32 who send it', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const answers = await Promise.all(Array.from({ length: 32 }, () => verify(email, code)))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1)
    expect(answers.filter(({ status }) => status === 401)).to.have.length(31)
  })

  it('bears four wrong tries and not five, also at once', async () => {
    const email = freshEmail()
    const first = await door.code(email)
    for (let n = 0; n < 4; n += 1) expect(outcome(await verify(email, wrong(first)))).to.deep.equal(REJECTED)
    expect((await verify(email, first)).status).to.equal(201)
    const second = await door.code(email)
    await Promise.all(Array.from({ length: 5 }, () => verify(email, wrong(second))))
    expect(outcome(await verify(email, second))).to.deep.equal(REJECTED)
  })

  it('lasts 15 minutes, and ends with a newer one', async () => {
    const email = freshEmail()
    const { clock } = door.world
    const old = await door.code(email)
    clock.nowMs += QUARTER_MS - 1
    const code = await door.code(email)
    expect(outcome(await verify(email, old))).to.deep.equal(REJECTED)
    clock.nowMs += QUARTER_MS - 1
    expect((await verify(email, code)).status).to.equal(201)
    const late = await door.code(email)
    clock.nowMs += QUARTER_MS
    expect(outcome(await verify(email, late))).to.deep.equal(REJECTED)
  })

  it('is mailed three times in 15 minutes to one address, over all games', async () => {
    const email = freshEmail()
    const { clock } = door.world
    const other = await openDoor(door.world)
    await door.code(email)
    clock.nowMs += 60_000
    await other.code(email)
    await door.code(email)
    for (const one of [door, other]) {
      const refused = await one.post('code', { email: email.toUpperCase() })
      expect(outcome(refused)).to.deep.equal({ status: 429, code: 'rate_limited' })
      expect([refused.headers['retry-after'], refused.body.policy]).to.deep.equal(['840', 'mail'])
    }
    expect(await mailsTo(door.world, email)).to.have.length(3)
    clock.nowMs += QUARTER_MS - 60_000
    expect((await door.post('code', { email })).status).to.equal(202)
  })

  it('is answered again as it was where the call is repeated', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const headers = { 'idempotency-key': 'verify-once' }
    const [first, second] = [
      await door.post('code/verify', { email, code }, door.client, headers),
      await door.post('code/verify', { email, code }, door.client, headers),
    ]
    expect(second.body).to.deep.equal({ ...must(first, 201), token: second.body.token })
    expect([second.status, second.headers['idempotent-replay']]).to.deep.equal([201, 'true'])
  })

  it('is refused where it is malformed or switched off', async () => {
    const email = freshEmail()
    for (const body of [{ email, code: '12345' }, { email, code: 123456 }, { email: 'x', code: '123456' }, { email }]) {
      expect(outcome(await door.post('code/verify', body))).to.deep.equal({ status: 400, code: 'malformed' })
    }
    const own = await openDoor(door.world)
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { code: false } } }), 200)
    const off = { status: 403, code: 'sign_in_method_off' }
    expect(outcome(await own.post('code', { email }))).to.deep.equal(off)
    expect(outcome(await own.post('code/verify', { email, code: '123456' }))).to.deep.equal(off)
  })

  it('of an address given at registration lets its owner take the player over', async () => {
    const email = freshEmail()
    const guest = await signInGuest(door.world, door.game, door.client)
    const squatter = await door.register({ login: 'squatter', email }, guest.token)
    const another = must(await door.post('password', { login: 'squatter', password: PASSWORD }), 200)
    const owner = must(await verify(email, await door.code(email)), 200)
    expect(owner.player.id).to.equal(guest.id)
    expect(await door.stands(owner.token)).to.equal(200)
    for (const token of [guest.token, squatter.token, another.token]) expect(await door.stands(token)).to.equal(401)
    for (const { refresh_token: refreshToken } of [squatter, another]) {
      expect(outcome(await door.post('refresh', { refresh_token: refreshToken }))).to.deep.equal(REJECTED)
    }
    expect(outcome(await door.post('password', { login: 'squatter', password: PASSWORD }))).to.deep.equal(REJECTED)
    expect(outcome(await door.post('guest', { guest_token: guest.guestToken }))).to.deep.equal(REJECTED)
    // Confirmed now: another code ends nothing, and the owner may choose a login.
    door.world.clock.nowMs++
    const again = must(await verify(email, await door.code(email)), 200)
    expect([await door.stands(owner.token), await door.stands(again.token)]).to.deep.equal([200, 200])
    await door.register({ login: 'squatter', password: 'the owner’s own' }, again.token)
    expect((await door.post('password', { login: 'squatter', password: 'the owner’s own' })).status).to.equal(200)
  })

  it('confirms the address of who is signed in, and leaves the rest as it is', async () => {
    const email = freshEmail()
    const made = await door.register({ login: 'confirming', email })
    const confirmed = must(await verify(email, await door.code(email), made.token), 200)
    expect(confirmed.player).to.deep.equal(made.player)
    expect(await door.stands(made.token)).to.equal(200)
    expect((await door.post('password', { login: 'confirming', password: PASSWORD })).status).to.equal(200)
    must(await verify(email, await door.code(email)), 200)
    expect(await door.stands(made.token)).to.equal(200)
  })

  it('of an address that has an owner stays theirs, even when somebody registers with it', async () => {
    const email = freshEmail()
    const owner = must(await verify(email, await door.code(email)), 201)
    const later = await door.register({ login: 'later', email })
    expect(later.player.id).to.not.equal(owner.player.id)
    expect(must(await verify(email, await door.code(email)), 200).player.id).to.equal(owner.player.id)
    expect(await door.stands(later.token)).to.equal(200)
    expect(codeIn((await mailsTo(door.world, email))[0] ?? '')).to.match(/^\d{6}$/)
  })
})
