// Limits on mailed codes: wrong tries of one network address and of all, wrong codes and mails of one network address, mails
// of one game. What RATE_LIMITS=off lifts of it, and what stays.

import { expect } from 'chai'
import { CODE_TRIES, CODE_TRIES_PER_NETWORK } from '../../commands/sign-in/code.ts'
import { WRONG_CODES_PER_NETWORK } from '../../commands/sign-in/lock-out.ts'
import { MAILS_PER_NETWORK } from '../../commands/sign-in/mail-code.ts'
import { trustedProxies } from '../../http/pipeline/network.ts'
import { DEFAULT_RATE_LIMITS } from '../../http/pipeline/rates.ts'
import { type Door, openDoor } from './players-at-the-door.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const QUARTER_MS = 15 * 60_000
const REJECTED = '401 sign_in_rejected'
const LIMITED = '429 rate_limited'

/** Another code than this. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

let emails = 0
const freshEmail = () => `limits-${++emails}@example.com`

const calls = (door: () => Door) => {
  const from = (network: string) => ({ 'x-forwarded-for': network })
  return {
    verify: async (email: string, code: string, network = '192.0.2.1') => {
      const { status, body } = await door().post('code/verify', { email, code }, door().client, from(network))
      return `${status} ${body.code ?? ''}`
    },
    ask: (email: string, network = '192.0.2.1') => door().post('code', { email }, door().client, from(network)),
  }
}

describe('a code by mail, where limits are on', () => {
  let world: World
  let door: Door
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    await world.restart({ trustedProxies: trustedProxies('127.0.0.1') })
  })
  after(() => world.close())
  // Each test has windows of its own.
  beforeEach(async () => {
    world.clock.nowMs += QUARTER_MS
    door = await openDoor(world)
  })
  const { verify, ask } = calls(() => door)

  it('is void for a network address after five wrong tries from there, where one /64 is one address, and for no other', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    for (let n = 0; n < CODE_TRIES_PER_NETWORK; n++) {
      expect(await verify(email, wrong(code), `2001:db8:0:1::${n}`)).to.equal(REJECTED)
    }
    expect(await verify(email, code, '2001:db8:0:1:a::1'), 'the same /64').to.equal(REJECTED)
    expect(await verify(email, code, '2001:db8:0:2::1'), 'another /64').to.equal('201 ')
  })

  it('is void for all after fifty wrong tries, of which those of a blocked address are none', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const tryFrom = async (network: string, times: number) => {
      for (let n = 0; n < times; n++) expect(await verify(email, wrong(code), network)).to.equal(REJECTED)
    }
    await tryFrom('192.0.2.1', 15)
    for (let n = 1; n < 9; n++) await tryFrom(`198.51.100.${n}`, CODE_TRIES_PER_NETWORK)
    await tryFrom('198.51.100.9', CODE_TRIES_PER_NETWORK - 1)
    const again = freshEmail()
    const second = await door.code(again)
    expect(await verify(email, wrong(code), '198.51.100.9'), `the ${CODE_TRIES}th`).to.equal(REJECTED)
    expect(await verify(email, code, '203.0.113.1'), 'void').to.equal(REJECTED)
    expect(await verify(again, second, '203.0.113.1'), 'another code').to.equal('201 ')
  })

  it('is not looked at after 20 wrong ones from a network address in 15 minutes, over all mailboxes, also the right one', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    const answers = await Promise.all(
      Array.from({ length: WRONG_CODES_PER_NETWORK + 12 }, () => verify(freshEmail(), '000000')),
    )
    expect(answers.filter((one) => one === REJECTED)).to.have.length(WRONG_CODES_PER_NETWORK)
    expect(answers.filter((one) => one === LIMITED)).to.have.length(12)
    expect(await verify(email, code)).to.equal(LIMITED)
    const { body, headers } = await door.post('code/verify', { email, code }, door.client, {
      'x-forwarded-for': '192.0.2.1',
    })
    expect([body.policy, headers['retry-after']]).to.deep.equal(['code_address', '900'])
    expect(await verify(email, code, '198.51.100.1'), 'from elsewhere').to.equal('201 ')
    world.clock.nowMs += QUARTER_MS
    door = await door.renewed()
    const later = freshEmail()
    expect(await verify(later, await door.code(later))).to.equal('201 ')
  })

  it('that is right takes no place among the wrong ones', async () => {
    for (let n = 0; n < WRONG_CODES_PER_NETWORK - 1; n++) await verify(freshEmail(), '000000')
    for (let n = 0; n < 3; n++) {
      const email = freshEmail()
      expect(await verify(email, await door.code(email))).to.equal('201 ')
    }
    expect(await verify(freshEmail(), '000000')).to.equal(REJECTED)
    expect(await verify(freshEmail(), '000000')).to.equal(LIMITED)
  })

  it('is mailed 30 times in 15 minutes for one network address, whatever the mail address and the game', async () => {
    const other = await openDoor(world)
    const from = (one: Door, network: string) =>
      one.post('code', { email: freshEmail() }, one.client, { 'x-forwarded-for': network })
    const answers = await Promise.all(
      Array.from({ length: MAILS_PER_NETWORK + 4 }, (_, n) => from(n % 2 ? door : other, '192.0.2.1')),
    )
    expect(answers.filter(({ status }) => status === 202)).to.have.length(MAILS_PER_NETWORK)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ body }) => body.policy)).to.deep.equal(Array(4).fill('mail_address'))
    expect((await from(door, '192.0.2.2')).status).to.equal(202)
    const email = freshEmail()
    expect((await ask(email)).status).to.equal(429)
    for (let n = 0; n < 3; n++) must(await ask(email, '192.0.2.3'), 202)
  })
})

describe('a code by mail, with RATE_LIMITS=off', () => {
  let world: World
  let door: Door
  before(async () => {
    world = await openWorld({ rateLimits: 'off' })
    door = await openDoor(world)
  })
  after(() => world.close())
  const { verify, ask } = calls(() => door)

  it('may be wrong and mailed as often as one network address likes', async () => {
    for (let n = 0; n <= WRONG_CODES_PER_NETWORK; n++) expect(await verify(freshEmail(), '000000')).to.equal(REJECTED)
    for (let n = 0; n <= MAILS_PER_NETWORK; n++) must(await ask(freshEmail()), 202)
    const email = freshEmail()
    expect(await verify(email, await door.code(email))).to.equal('201 ')
  })

  it('is mailed as often in a game as the operator sets, 3,000 times in 15 minutes by default, confirmed addresses aside', async () => {
    const token = await tokenOf(world, world.operator)
    const path = `/api/gm/${door.game.id}/limits/`
    const limits = must(await world.call('GET', path, { token }), 200)
    expect(limits.mails_per_quarter_hour).to.equal(3_000)
    for (const mails of [0, 100_001, 1.5, null, '5']) {
      const refused = await world.call('PUT', path, { token, body: { mails_per_quarter_hour: mails } })
      expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/mails_per_quarter_hour'])
    }
    const theirs = await world.call('PUT', path, { token: door.game.token, body: { mails_per_quarter_hour: 9 } })
    expect(theirs.status).to.equal(403)
    const own = await openDoor(world)
    const confirmed = freshEmail()
    must(await own.post('code/verify', { email: confirmed, code: await own.code(confirmed) }), 201)
    const body = { mails_per_quarter_hour: 4 }
    const set = must(await world.call('PUT', `/api/gm/${own.game.id}/limits/`, { token, body }), 200)
    expect(set).to.deep.equal({ ...limits, game: own.game.id, ...body })
    const answers = await Promise.all(Array.from({ length: 8 }, () => own.post('code', { email: freshEmail() })))
    expect(
      answers.filter(({ status }) => status === 202),
      'one was mailed before',
    ).to.have.length(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ body: said }) => said.policy)).to.deep.equal(Array(5).fill('mail_game'))
    must(await own.post('code', { email: confirmed }), 202)
    must(await door.post('code', { email: freshEmail() }), 202)
  })

  it('bears five wrong tries from one network address and three mails to one mail address', async () => {
    const email = freshEmail()
    const code = await door.code(email)
    for (let n = 0; n < CODE_TRIES_PER_NETWORK; n++) expect(await verify(email, wrong(code))).to.equal(REJECTED)
    expect(await verify(email, code)).to.equal(REJECTED)
    for (let n = 1; n < 3; n++) must(await ask(email), 202)
    expect((await ask(email)).body.policy).to.equal('mail')
  })
})
