// A redemption while a store is unavailable: the ticket may already be taken, so the answer must not suggest sending it
// again.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import type { RouteDeps } from '../../http/routes/deps.ts'
import { roomRoutes } from '../../http/routes/rooms.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { createTransient } from '../../stores/embedded/transient.ts'

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
