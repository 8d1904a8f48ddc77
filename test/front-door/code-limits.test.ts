// Limits on mailed codes: wrong tries per network address and in total, wrong codes and mails per network address,
// mails per game; and which of them RATE_LIMITS=off disables.

import { expect } from 'chai'
import { CODE_TRIES, CODE_TRIES_PER_NETWORK } from '../../commands/sign-in/code.ts'
import { trustedProxies } from '../../runtime/network.ts'
import { DEFAULT_ADDRESS_LIMITS, DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openSignInApi, type SignInApi } from './sign-in-api.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const { max: WRONG_CODES_MAX } = DEFAULT_ADDRESS_LIMITS.code_address
const { max: MAILS_MAX } = DEFAULT_ADDRESS_LIMITS.mail_address
const QUARTER_MS = 15 * 60_000
const REJECTED = '401 sign_in_rejected'
const LIMITED = '429 rate_limited'

/** Another code than this one. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

let emails = 0
const freshEmail = () => `limits-${++emails}@example.com`

const calls = (api: () => SignInApi) => {
  const from = (network: string) => ({ 'x-forwarded-for': network })
  return {
    verify: async (email: string, code: string, network = '192.0.2.1') => {
      const { status, body } = await api().post('code/verify', { email, code }, api().client, from(network))
      return `${status} ${body.code ?? ''}`
    },
    requestCode: (email: string, network = '192.0.2.1') => api().post('code', { email }, api().client, from(network)),
  }
}

describe('mailed codes with limits on', () => {
  let world: World
  let api: SignInApi
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    await world.restart({ trustedProxies: trustedProxies('127.0.0.1') })
  })
  after(() => world.close())
  // Each test has its own rate windows.
  beforeEach(async () => {
    world.clock.nowMs += QUARTER_MS
    api = await openSignInApi(world)
  })
  const { verify, requestCode } = calls(() => api)

  it('voids a code for one network address (a /64 in IPv6) after five wrong tries from it, and for no other', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    for (let n = 0; n < CODE_TRIES_PER_NETWORK; n++) {
      expect(await verify(email, wrong(code), `2001:db8:0:1::${n}`)).to.equal(REJECTED)
    }
    expect(await verify(email, code, '2001:db8:0:1:a::1'), 'the same /64').to.equal(REJECTED)
    expect(await verify(email, code, '2001:db8:0:2::1'), 'another /64').to.equal('201 ')
  })

  it('voids a code for everybody after fifty wrong tries, not counting those of a blocked address', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    const tryFrom = async (network: string, times: number) => {
      for (let n = 0; n < times; n++) expect(await verify(email, wrong(code), network)).to.equal(REJECTED)
    }
    await tryFrom('192.0.2.1', 15)
    for (let n = 1; n < 9; n++) await tryFrom(`198.51.100.${n}`, CODE_TRIES_PER_NETWORK)
    await tryFrom('198.51.100.9', CODE_TRIES_PER_NETWORK - 1)
    const again = freshEmail()
    const second = await api.code(again)
    expect(await verify(email, wrong(code), '198.51.100.9'), `the ${CODE_TRIES}th`).to.equal(REJECTED)
    expect(await verify(email, code, '203.0.113.1'), 'void').to.equal(REJECTED)
    expect(await verify(again, second, '203.0.113.1'), 'another code').to.equal('201 ')
  })

  it('refuses every code, also a right one, from a network address that sent 20 wrong ones in 15 minutes', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    const answers = await Promise.all(
      Array.from({ length: WRONG_CODES_MAX + 12 }, () => verify(freshEmail(), '000000')),
    )
    expect(answers.filter((one) => one === REJECTED)).to.have.length(WRONG_CODES_MAX)
    expect(answers.filter((one) => one === LIMITED)).to.have.length(12)
    expect(await verify(email, code)).to.equal(LIMITED)
    const { body, headers } = await api.post('code/verify', { email, code }, api.client, {
      'x-forwarded-for': '192.0.2.1',
    })
    expect([body.policy, headers['retry-after']]).to.deep.equal(['code_address', '900'])
    expect(await verify(email, code, '198.51.100.1'), 'from elsewhere').to.equal('201 ')
    world.clock.nowMs += QUARTER_MS
    api = await api.withNewToken()
    const later = freshEmail()
    expect(await verify(later, await api.code(later))).to.equal('201 ')
  })

  it('takes as many wrong codes and mails as many codes for an address as the operator sets', async () => {
    const changed = { code_address: { max: 2, perSeconds: 60 }, mail_address: { max: 3, perSeconds: 120 } }
    await world.restart({ addressLimits: { ...DEFAULT_ADDRESS_LIMITS, ...changed } })
    const tries = [0, 1, 2].map(() => verify(freshEmail(), '000000', '203.0.113.5'))
    expect((await Promise.all(tries)).sort()).to.deep.equal([REJECTED, REJECTED, LIMITED])
    const mails = [0, 1, 2, 3].map(() => requestCode(freshEmail(), '203.0.113.5'))
    expect((await Promise.all(mails)).map(({ status }) => status).sort()).to.deep.equal([202, 202, 202, 429])
    world.clock.nowMs += 60_000
    expect(await verify(freshEmail(), '000000', '203.0.113.5')).to.equal(REJECTED)
    expect((await requestCode(freshEmail(), '203.0.113.5')).status).to.equal(429)
    world.clock.nowMs += 60_000
    expect((await requestCode(freshEmail(), '203.0.113.5')).status).to.equal(202)
    await world.restart({ addressLimits: DEFAULT_ADDRESS_LIMITS })
  })

  it('does not count right codes towards the 20 wrong ones of a network address', async () => {
    for (let n = 0; n < WRONG_CODES_MAX - 1; n++) await verify(freshEmail(), '000000')
    for (let n = 0; n < 3; n++) {
      const email = freshEmail()
      expect(await verify(email, await api.code(email))).to.equal('201 ')
    }
    expect(await verify(freshEmail(), '000000')).to.equal(REJECTED)
    expect(await verify(freshEmail(), '000000')).to.equal(LIMITED)
  })

  it('mails at most 30 codes in 15 minutes for one network address, over all mail addresses and games', async () => {
    const other = await openSignInApi(world)
    const from = (one: SignInApi, network: string) =>
      one.post('code', { email: freshEmail() }, one.client, { 'x-forwarded-for': network })
    const answers = await Promise.all(
      Array.from({ length: MAILS_MAX + 4 }, (_, n) => from(n % 2 ? api : other, '192.0.2.1')),
    )
    expect(answers.filter(({ status }) => status === 202)).to.have.length(MAILS_MAX)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ body }) => body.policy)).to.deep.equal(Array(4).fill('mail_address'))
    expect((await from(api, '192.0.2.2')).status).to.equal(202)
    const email = freshEmail()
    expect((await requestCode(email)).status).to.equal(429)
    for (let n = 0; n < 3; n++) must(await requestCode(email, '192.0.2.3'), 202)
  })
})

describe('mailed codes with RATE_LIMITS=off', () => {
  let world: World
  let api: SignInApi
  before(async () => {
    world = await openWorld({ rateLimits: 'off' })
    api = await openSignInApi(world)
  })
  after(() => world.close())
  const { verify, requestCode } = calls(() => api)

  it('takes any number of wrong codes from one network address, and mails it any number', async () => {
    for (let n = 0; n <= WRONG_CODES_MAX; n++) expect(await verify(freshEmail(), '000000')).to.equal(REJECTED)
    for (let n = 0; n <= MAILS_MAX; n++) must(await requestCode(freshEmail()), 202)
    const email = freshEmail()
    expect(await verify(email, await api.code(email))).to.equal('201 ')
  })

  it('mails as many codes for a game as the operator sets, 3,000 in 15 minutes by default, not counting confirmed addresses', async () => {
    const token = await tokenOf(world, world.operator)
    const path = `/api/gm/${api.game.id}/limits/`
    const limits = must(await world.call('GET', path, { token }), 200)
    expect(limits.mails_per_quarter_hour).to.equal(3_000)
    for (const mails of [0, 100_001, 1.5, null, '5']) {
      const refused = await world.call('PUT', path, { token, body: { mails_per_quarter_hour: mails } })
      expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/mails_per_quarter_hour'])
    }
    const theirs = await world.call('PUT', path, { token: api.game.token, body: { mails_per_quarter_hour: 9 } })
    expect(theirs.status).to.equal(403)
    const own = await openSignInApi(world)
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
    expect(refused.map(({ body: answer }) => answer.policy)).to.deep.equal(Array(5).fill('mail_game'))
    must(await own.post('code', { email: confirmed }), 202)
    must(await api.post('code', { email: freshEmail() }), 202)
  })

  it('still voids a code after five wrong tries from one network address, and mails three to one mail address', async () => {
    const email = freshEmail()
    const code = await api.code(email)
    for (let n = 0; n < CODE_TRIES_PER_NETWORK; n++) expect(await verify(email, wrong(code))).to.equal(REJECTED)
    expect(await verify(email, code)).to.equal(REJECTED)
    for (let n = 1; n < 3; n++) must(await requestCode(email), 202)
    expect((await requestCode(email)).body.policy).to.equal('mail')
  })
})
