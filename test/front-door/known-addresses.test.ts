// The lock of a network address after wrong passwords: set by the operator, and not for logins that have signed in from
// there within 30 days.

import { expect } from 'chai'
import { KNOWN_ADDRESSES_MAX } from '../../commands/sign-in/known-addresses.ts'
import { trustedProxies } from '../../runtime/network.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../runtime/rate-limits.ts'
import { openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, type World } from './world.ts'

const DAY_MS = 24 * 3_600_000
const { max: FAILURES_MAX } = DEFAULT_ADDRESS_LIMITS.login_address
const SCHOOL = '192.0.2.1'
const HOME = '198.51.100.1'
const LOCKED = '429 rate_limited'

describe('the lock of an address after wrong passwords', () => {
  let world: World
  let api: SignInApi
  let logins = 0
  let nobodies = 0

  before(async () => {
    world = await openWorld()
    await world.restart({ trustedProxies: trustedProxies('127.0.0.1') })
  })
  after(() => world.close())
  beforeEach(async () => {
    world.clock.nowMs += DAY_MS
    api = await openSignInApi(world)
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const signIn = async (login: string, address = SCHOOL, password = PASSWORD) =>
    answerCode(await api.post('password', { login, password }, api.client, from(address)))
  async function register(address: string): Promise<string> {
    const login = `pupil-${++logins}`
    must(await api.post('register', { login, password: PASSWORD }, api.client, from(address)), 201)
    return login
  }
  /** A login that has signed in from this address. */
  async function pupilAt(address: string): Promise<string> {
    const login = await register(HOME)
    expect(await signIn(login, address)).to.equal('200')
    return login
  }
  /** With logins that nobody has. */
  async function lock(address = SCHOOL, failures = FAILURES_MAX) {
    for (let n = 0; n < failures; n++) {
      expect(await signIn(`nobody-${++nobodies}`, address, 'mistyped')).to.equal('401 sign_in_rejected')
    }
  }
  async function later(ms: number) {
    world.clock.nowMs += ms
    api = await api.withNewToken()
  }

  it('holds for logins that never signed in from there, also with the right password', async () => {
    const pupil = await register(HOME)
    await lock()
    const refused = await api.post('password', { login: pupil, password: PASSWORD }, api.client, from(SCHOOL))
    expect([answerCode(refused), refused.body.policy]).to.deep.equal([LOCKED, 'login_address'])
    expect(await signIn(`nobody-${++nobodies}`)).to.equal(LOCKED)
    expect(await signIn(pupil, HOME), 'from elsewhere').to.equal('200')
  })

  it('does not hold for a login that signed in there, also after a restart, but for one that only registered there', async () => {
    const [registered, visitor] = [await register(SCHOOL), await pupilAt(SCHOOL)]
    await later(60_000)
    await world.restart()
    await lock()
    expect([await signIn(registered), await signIn(visitor)]).to.deep.equal([LOCKED, '200'])
  })

  it('lets a known login mistype five times in a minute, and no more', async () => {
    const pupil = await pupilAt(SCHOOL)
    await lock()
    for (let n = 0; n < 5; n++) expect(await signIn(pupil, SCHOOL, 'mistyped')).to.equal('401 sign_in_rejected')
    const refused = await api.post('password', { login: pupil, password: PASSWORD }, api.client, from(SCHOOL))
    expect([answerCode(refused), refused.body.policy]).to.deep.equal([LOCKED, 'login'])
  })

  it('counts the failures of known logins for the others', async () => {
    const pupils = await Promise.all(Array.from({ length: FAILURES_MAX }, () => pupilAt(SCHOOL)))
    for (const pupil of pupils) expect(await signIn(pupil, SCHOOL, 'mistyped')).to.equal('401 sign_in_rejected')
    expect(await signIn(`nobody-${++nobodies}`)).to.equal(LOCKED)
    for (const pupil of pupils) expect(await signIn(pupil)).to.equal('200')
  })

  it('holds again 30 days after the last sign-in from there, and a sign-in renews them', async () => {
    const [once, twice] = [await pupilAt(SCHOOL), await pupilAt(SCHOOL)]
    await later(20 * DAY_MS)
    expect(await signIn(twice)).to.equal('200')
    await later(10 * DAY_MS - 60_000)
    await lock()
    expect(await signIn(once), 'just within 30 days').to.equal('200')
    await later(20 * DAY_MS + 60_000)
    await lock()
    expect(await signIn(twice)).to.equal(LOCKED)
    expect(await signIn(once)).to.equal('200')
  })

  it(`knows the last ${KNOWN_ADDRESSES_MAX} addresses of a login`, async () => {
    const pupil = await pupilAt(SCHOOL)
    for (let n = 1; n <= KNOWN_ADDRESSES_MAX; n++) {
      world.clock.nowMs += 1
      expect(await signIn(pupil, `203.0.113.${n}`)).to.equal('200')
    }
    await lock()
    await lock('203.0.113.1')
    expect([await signIn(pupil), await signIn(pupil, '203.0.113.1')]).to.deep.equal([LOCKED, '200'])
  })

  it('holds for another player with the same login, in the same game or another one', async () => {
    const pupil = await pupilAt(SCHOOL)
    const other = await openSignInApi(world)
    must(await other.post('register', { login: pupil, password: PASSWORD }, other.client, from(HOME)), 201)
    await lock()
    const elsewhere = await other.post('password', { login: pupil, password: PASSWORD }, other.client, from(SCHOOL))
    expect(answerCode(elsewhere)).to.equal(LOCKED)

    const { players } = must(await world.call('GET', `/api/gm/${api.game.id}/players/`, { token: api.game.token }), 200)
    for (const { id } of players) {
      must(await world.call('DELETE', `/api/gm/${api.game.id}/players/${id}/`, { token: api.game.token }), 200)
    }
    must(await api.post('register', { login: pupil, password: PASSWORD }, api.client, from(HOME)), 201)
    expect(await signIn(pupil)).to.equal(LOCKED)
  })

  it('is set by the operator, for any number of seconds, and stays with the rates off', async () => {
    const address_limits = { ...DEFAULT_ADDRESS_LIMITS, login_address: { max: 3, perSeconds: 600 } }
    await world.restart({ addressLimits: address_limits, rateLimits: 'off' })
    await lock('192.0.2.3', 3)
    const pupil = await register(HOME)
    await later(599_000)
    expect(await signIn(pupil, '192.0.2.3')).to.equal(LOCKED)
    await later(1_000)
    expect(await signIn(pupil, '192.0.2.3')).to.equal('200')
    await world.restart({ addressLimits: DEFAULT_ADDRESS_LIMITS })
  })
})
