// A rooms process without the API redeems tickets over HTTP with the shared secret, and takes the holder from the
// shared store, which may fail.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { takeRoomTicket } from '../../commands/room-ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import type { RouteDeps } from '../../http/routes/deps.ts'
import { roomRoutes } from '../../http/routes/rooms.ts'
import { redeemApart } from '../../realtime/redeem.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

const SECRET = 'shared-by-the-rooms-and-the-api-0'
const SETTINGS = { settings: {} as never, fixedRooms: [], corsOrigins: ['https://play.example.com'] }

describe('a rooms process without the API', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    await world.restart({ realtimeSecret: SECRET })
    fixture = await openRoomsFixture(world)
  })
  after(() => world.close())

  const apart = (changes: object = {}) =>
    redeemApart({
      transient: createTransient(),
      now: () => world.clock.nowMs,
      enter: async () => null,
      apiUrl: `http://127.0.0.1:${world.port}`,
      secret: SECRET,
      roomGame: async () => SETTINGS,
      ...changes,
    })

  it('admits nobody if the API accepts the ticket but the shared store has no holder', async () => {
    const ticket = await fixture.ticket((await fixture.guest()).token)
    expect(await apart()(ticket)).to.equal(null)
    expect(await apart()(ticket), 'and the ticket is gone').to.equal(null)
  })

  it('takes the holder from the shared store once', async () => {
    const { token, id } = await fixture.guest('Ada')
    const ticket = await fixture.ticket(token)
    const holder = { game: fixture.game.id, player: id, key: 'ck_1', session: 's', permissions: ['lb:*:scores'] }
    const left = new Map([['rt-holder', JSON.stringify(holder)]])
    const transient = {
      ...createTransient(),
      take: async (key: string) => {
        const kind = key.split(':')[0] ?? ''
        const value = left.get(kind) ?? null
        left.delete(kind)
        return value
      },
    }
    const admission = await apart({ transient })(ticket)
    expect(admission?.holder).to.deep.equal(holder)
    expect(admission?.entry.player).to.deep.equal({ id, name: 'Ada' })
    expect(admission?.entry.corsOrigins).to.deep.equal(SETTINGS.corsOrigins)
    expect(admission?.entry.settings.max_rooms).to.equal(100)
    expect(await takeRoomTicket(transient, ticket, 0)).to.equal(null)
  })

  it('reports a wrong secret, and an API that does not answer', async () => {
    const ticket = await fixture.ticket((await fixture.guest()).token)
    const failing = async (changes: object) => apart(changes)(ticket).catch((error: unknown) => error)
    const refused = await failing({ secret: `${SECRET}-not` })
    expect(refused).to.be.instanceOf(StoreUnavailable)
    expect((refused as Error).message).to.contain('REALTIME_SECRET')
    expect(await failing({ apiUrl: 'http://127.0.0.1:9' })).to.be.instanceOf(StoreUnavailable)
  })

  it('does not blame the secret if the API answers 429 or 503', async () => {
    const ticket = 'A'.repeat(43)
    for (const [status, hint] of [
      [429, 'RATE_LIMITS'],
      [503, 'which store'],
    ] as const) {
      const api = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1')
      await once(api, 'listening')
      const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
      const error: unknown = await apart({ apiUrl })(ticket).catch((failure: unknown) => failure)
      expect(error).to.be.instanceOf(StoreUnavailable)
      expect((error as Error).message)
        .to.contain(`answers ${status}`)
        .and.to.contain(hint)
      expect((error as Error).message).not.to.contain('SECRET')
      api.close()
      api.closeAllConnections()
    }
  })

  it('rejects a malformed ticket without calling the API', async () => {
    const nobody = { apiUrl: 'http://127.0.0.1:9', transient: { take: () => Promise.reject(new Error('asked')) } }
    for (const text of ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}+`]) {
      expect(await apart(nobody)(text), text).to.equal(null)
    }
  })
})

const HOLDER = { game: 'g', player: null, key: 'ck_1', session: null, permissions: [] }
const away = () => Promise.reject(new StoreUnavailable('the store at db.example'))

describe('the redemption of a ticket while a store is unavailable', () => {
  const redeemed = async (transient: object) => {
    const statuses = { cached: () => null, readAll: away }
    const rooms = { secret: 'shared', url: '', transient: { ...createTransient(), ...transient } }
    const deps = { rooms, statuses, queries: {} } as unknown as RouteDeps
    const route = roomRoutes(deps).find(({ path }) => path === '/api/rt/redeem/')
    const call = { body: { ticket: 'A'.repeat(43) }, context: { nowMs: 0 } }
    return route?.handle(call as never).catch((error: unknown) => error)
  }

  for (const [when, transient] of Object.entries({
    'while it takes the ticket': { take: away },
    'once the ticket is taken': { take: async () => JSON.stringify(HOLDER) },
  })) {
    it(`tells the client to get a new ticket if the store fails ${when}, and reports the cause`, async () => {
      const error = await redeemed(transient)
      if (!(error instanceof Refusal)) throw new Error(`answered ${error}`)
      expect([error.kind, error.code]).to.deep.equal(['unavailable', 'store_away'])
      expect(error.message).to.contain('Do not send it again')
      expect(error.cause).to.be.instanceOf(StoreUnavailable)
    })
  }
})
