// The order in which sign-in refuses: rate of the network address, common checks, a method that is switched off,
// limits, credentials, a ban, a conflict. Each call breaks one more rule than the one before, and must meet the
// earliest refusal.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { MAILS_PER_EMAIL } from '../../commands/sign-in/mail-code.ts'
import { DEFAULT_ADDRESS_LIMITS, DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { makePlayer } from './game-fixtures.ts'
import { openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { must, openWorld, type World } from './world.ts'

const { max: WRONG_CODES_MAX } = DEFAULT_ADDRESS_LIMITS.code_address

const fresh = () => randomUUID().slice(0, 13)

/** What a caller sends to sign in: valid, wrong, and malformed. */
interface Credentials {
  readonly path: string
  readonly right: object
  readonly wrong: object
  readonly malformed: object
}

type Prepare = (api: SignInApi) => Promise<Credentials & { readonly player: string }>

const byPassword: Prepare = async (api) => {
  const login = fresh()
  const { player } = await api.register({ login })
  const right = { login, password: PASSWORD }
  return { path: 'password', right, wrong: { login, password: 'x' }, malformed: { login }, player: player.id }
}

const byCode: Prepare = async (api) => {
  const email = `${fresh()}@example.com`
  const { player } = must(await api.post('code/verify', { email, code: await api.code(email) }), 201)
  const right = { email, code: await api.code(email) }
  const code = right.code === '000000' ? '000001' : '000000'
  return { path: 'code/verify', right, wrong: { email, code }, malformed: { email, code: 'x' }, player: player.id }
}

const byTicket: Prepare = async (api) => {
  const player = await makePlayer(api.world, api.game)
  const right = { ticket: await api.ticket({ player }) }
  return { path: 'ticket/redeem', right, wrong: { ticket: 'A'.repeat(43) }, malformed: { ticket: '' }, player }
}

const byGuestToken: Prepare = async (api) => {
  const { guest_token: token, player } = must(await api.post('guest', {}), 201)
  const right = { guest_token: token }
  return {
    path: 'guest',
    right,
    wrong: { guest_token: 'A'.repeat(43) },
    malformed: { guest_token: 1 },
    player: player.id,
  }
}

const METHODS = { password: byPassword, code: byCode, ticket: byTicket, guest: byGuestToken } as const
type Method = keyof typeof METHODS

describe('the order of refusals at sign-in', () => {
  let world: World
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
  })
  after(() => world.close())

  const switchOff = (api: SignInApi, method: string) =>
    world.call('PUT', `/api/gm/${api.game.id}/`, { token: api.game.token, body: { sign_in: { [method]: false } } })
  const ban = (api: SignInApi, player: string) =>
    world.call('POST', `/api/gm/${api.game.id}/players/${player}/ban/`, { token: api.game.token, body: {} })
  const answerOf = async (api: SignInApi, path: string, body: object, token?: string) => {
    const { status, body: answer } = await api.post(path, body, token)
    return `${status} ${answer.code ?? ''}`
  }

  /** Uses up the limit of this method for all callers of this address, until the clock is set forward. */
  const lockOut: Readonly<Partial<Record<Method, (api: SignInApi, wrong: object) => Promise<void>>>> = {
    password: async (api, wrong) => {
      for (let n = 0; n < 5; n++) await api.post('password', wrong)
    },
    code: async (api) => {
      for (let n = 0; n < WRONG_CODES_MAX; n++) {
        await api.post('code/verify', { email: `${fresh()}@example.com`, code: '123456' })
      }
    },
  }

  for (const method of Object.keys(METHODS) as Method[]) {
    it(`checks a ${method} in the order 401, 400, method off, limits, credentials, ban`, async () => {
      world.clock.nowMs += 16 * 60_000
      const api = await openSignInApi(world)
      const { path, right, wrong, malformed, player } = await METHODS[method](api)
      must(await ban(api, player), 200)
      expect(await answerOf(api, path, wrong), 'wrong, and banned').to.equal('401 sign_in_rejected')
      expect(await answerOf(api, path, right), 'right, and banned').to.equal('403 player_banned')
      const lock = lockOut[method]
      if (lock !== undefined) {
        await lock(api, wrong)
        expect(await answerOf(api, path, wrong), 'wrong, and locked out').to.equal('429 rate_limited')
        expect(await answerOf(api, path, right), 'right, and locked out').to.equal('429 rate_limited')
      }
      must(await switchOff(api, method), 200)
      expect(await answerOf(api, path, right), 'off, and all of it').to.equal('403 sign_in_method_off')
      expect(await answerOf(api, path, malformed), 'malformed, and off').to.equal('400 malformed')
      expect(await answerOf(api, path, malformed, 'x'), 'a bad token, and malformed').to.equal('401 token_rejected')
    })
  }

  it('checks a request for a code in the order 400, method off, mails to one address', async () => {
    const api = await openSignInApi(world)
    const email = `${fresh()}@example.com`
    for (let n = 0; n < MAILS_PER_EMAIL; n++) must(await api.post('code', { email }), 202)
    expect(await answerOf(api, 'code', { email })).to.equal('429 rate_limited')
    must(await switchOff(api, 'code'), 200)
    expect(await answerOf(api, 'code', { email })).to.equal('403 sign_in_method_off')
    expect(await answerOf(api, 'code', { email: 'x' })).to.equal('400 malformed')
  })

  it('checks a registration in the order banned caller, 400, method off, taken login', async () => {
    const api = await openSignInApi(world)
    const login = fresh()
    await api.register({ login })
    const body = { login, password: PASSWORD }
    expect(await answerOf(api, 'register', body)).to.equal('409 login_taken')
    must(await switchOff(api, 'password'), 200)
    expect(await answerOf(api, 'register', body)).to.equal('403 sign_in_method_off')
    expect(await answerOf(api, 'register', { login })).to.equal('400 malformed')
    const guest = must(await api.post('guest', {}), 201)
    must(await ban(api, guest.player.id), 200)
    expect(await answerOf(api, 'register', { login }, guest.token)).to.equal('403 player_banned')
  })
})

describe('a network address above its rate of sign-ins', () => {
  let world: World
  let api: SignInApi
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    api = await openSignInApi(world)
    const one = { perSecond: 0.001, burst: 1 }
    await world.restart({ rateLimits: { ...DEFAULT_RATE_LIMITS, handshake: one, guest: one } })
    for (const path of ['password', 'guest']) await api.post(path, {}, 'x')
  })
  after(() => world.close())

  const PATHS = ['password', 'code', 'code/verify', 'ticket/redeem', 'guest', 'register']
  for (const path of PATHS) {
    it(`is refused with 429 at ${path} before its token and its body are checked`, async () => {
      const { status, body } = await api.post(path, {}, 'x')
      expect([status, body.code]).to.deep.equal([429, 'rate_limited'])
    })
  }
})
