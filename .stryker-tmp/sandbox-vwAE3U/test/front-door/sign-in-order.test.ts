// In what order sign-in refuses: the rate of the network address, the common checks, a method that is switched off, limits,
// credentials, a ban, a conflict. Each row breaks one rule more than the next, and must meet the refusal of the first.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { WRONG_CODES_PER_NETWORK } from '../../commands/sign-in/lock-out.ts'
import { MAILS_PER_EMAIL } from '../../commands/sign-in/mail-code.ts'
import { DEFAULT_RATE_LIMITS } from '../../http/pipeline/rates.ts'
import { type Door, openDoor, PASSWORD } from './players-at-the-door.ts'
import { makePlayer } from './scenery.ts'
import { must, openWorld, type World } from './world.ts'

const fresh = () => randomUUID().slice(0, 13)

/** What somebody sends to sign in, once right, once wrong, and once malformed. */
interface Credentials {
  readonly way: string
  readonly right: object
  readonly wrong: object
  readonly malformed: object
}

type Prepare = (door: Door) => Promise<Credentials & { readonly player: string }>

const byPassword: Prepare = async (door) => {
  const login = fresh()
  const { player } = await door.register({ login })
  const right = { login, password: PASSWORD }
  return { way: 'password', right, wrong: { login, password: 'x' }, malformed: { login }, player: player.id }
}

const byCode: Prepare = async (door) => {
  const email = `${fresh()}@example.com`
  const { player } = must(await door.post('code/verify', { email, code: await door.code(email) }), 201)
  const right = { email, code: await door.code(email) }
  const code = right.code === '000000' ? '000001' : '000000'
  return { way: 'code/verify', right, wrong: { email, code }, malformed: { email, code: 'x' }, player: player.id }
}

const byTicket: Prepare = async (door) => {
  const player = await makePlayer(door.world, door.game)
  const right = { ticket: await door.ticket({ player }) }
  return { way: 'ticket/redeem', right, wrong: { ticket: 'A'.repeat(43) }, malformed: { ticket: '' }, player }
}

const byGuestToken: Prepare = async (door) => {
  const { guest_token: token, player } = must(await door.post('guest', {}), 201)
  const right = { guest_token: token }
  return {
    way: 'guest',
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

  const switchOff = (door: Door, method: string) =>
    world.call('PUT', `/api/gm/${door.game.id}/`, { token: door.game.token, body: { sign_in: { [method]: false } } })
  const ban = (door: Door, player: string) =>
    world.call('POST', `/api/gm/${door.game.id}/players/${player}/ban/`, { token: door.game.token, body: {} })
  const answerOf = async (door: Door, way: string, body: object, token?: string) => {
    const { status, body: said } = await door.post(way, body, token)
    return `${status} ${said.code ?? ''}`
  }

  /** Uses up the limit of this method for all callers from here, until the clock is set forward. */
  const lockOut: Readonly<Partial<Record<Method, (door: Door, wrong: object) => Promise<void>>>> = {
    password: async (door, wrong) => {
      for (let n = 0; n < 5; n++) await door.post('password', wrong)
    },
    code: async (door) => {
      for (let n = 0; n < WRONG_CODES_PER_NETWORK; n++) {
        await door.post('code/verify', { email: `${fresh()}@example.com`, code: '123456' })
      }
    },
  }

  for (const method of Object.keys(METHODS) as Method[]) {
    it(`of a ${method}: 401, 400, method off, limits, credentials, ban`, async () => {
      world.clock.nowMs += 16 * 60_000
      const door = await openDoor(world)
      const { way, right, wrong, malformed, player } = await METHODS[method](door)
      must(await ban(door, player), 200)
      expect(await answerOf(door, way, wrong), 'wrong, and banned').to.equal('401 sign_in_rejected')
      expect(await answerOf(door, way, right), 'right, and banned').to.equal('403 player_banned')
      const lock = lockOut[method]
      if (lock !== undefined) {
        await lock(door, wrong)
        expect(await answerOf(door, way, wrong), 'wrong, and locked out').to.equal('429 rate_limited')
        expect(await answerOf(door, way, right), 'right, and locked out').to.equal('429 rate_limited')
      }
      must(await switchOff(door, method), 200)
      expect(await answerOf(door, way, right), 'off, and all of it').to.equal('403 sign_in_method_off')
      expect(await answerOf(door, way, malformed), 'malformed, and off').to.equal('400 malformed')
      expect(await answerOf(door, way, malformed, 'x'), 'a bad token, and malformed').to.equal('401 token_rejected')
    })
  }

  it('of asking for a code: 400, method off, mails to one address', async () => {
    const door = await openDoor(world)
    const email = `${fresh()}@example.com`
    for (let n = 0; n < MAILS_PER_EMAIL; n++) must(await door.post('code', { email }), 202)
    expect(await answerOf(door, 'code', { email })).to.equal('429 rate_limited')
    must(await switchOff(door, 'code'), 200)
    expect(await answerOf(door, 'code', { email })).to.equal('403 sign_in_method_off')
    expect(await answerOf(door, 'code', { email: 'x' })).to.equal('400 malformed')
  })

  it('of registering: a banned caller, 400, method off, a login that is taken', async () => {
    const door = await openDoor(world)
    const login = fresh()
    await door.register({ login })
    const body = { login, password: PASSWORD }
    expect(await answerOf(door, 'register', body)).to.equal('409 login_taken')
    must(await switchOff(door, 'password'), 200)
    expect(await answerOf(door, 'register', body)).to.equal('403 sign_in_method_off')
    expect(await answerOf(door, 'register', { login })).to.equal('400 malformed')
    const guest = must(await door.post('guest', {}), 201)
    must(await ban(door, guest.player.id), 200)
    expect(await answerOf(door, 'register', { login }, guest.token)).to.equal('403 player_banned')
  })
})

describe('a network address that is over its rate of sign-ins', () => {
  let world: World
  let door: Door
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    door = await openDoor(world)
    const one = { perSecond: 0.001, burst: 1 }
    await world.restart({ rateLimits: { ...DEFAULT_RATE_LIMITS, handshake: one, guest: one } })
    for (const way of ['password', 'guest']) await door.post(way, {}, 'x')
  })
  after(() => world.close())

  const WAYS = ['password', 'code', 'code/verify', 'ticket/redeem', 'guest', 'register']
  for (const way of WAYS) {
    it(`is refused with 429 at ${way}, before its token and its body are looked at`, async () => {
      const { status, body } = await door.post(way, {}, 'x')
      expect([status, body.code]).to.deep.equal([429, 'rate_limited'])
    })
  }
})
