// A redemption for which a store was away: the ticket may be taken, so the answer must not
// say that it can be sent again.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import type { RouteDeps } from '../../http/routes/deps.ts'
import { roomRoutes } from '../../http/routes/rooms.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { createTransient } from '../../stores/embedded/transient.ts'

const HOLDER = { game: 'g', player: null, key: 'ck_1', session: null, permissions: [] }
const away = () => Promise.reject(new StoreUnavailable('the store at db.example'))

describe('a redemption with a store away', () => {
  const redeemed = async (transient: object) => {
    const statuses = { remembered: () => null, readAll: away }
    const rooms = { secret: 'shared', url: '', transient: { ...createTransient(), ...transient } }
    const deps = { rooms, statuses, queries: {} } as unknown as RouteDeps
    const route = roomRoutes(deps).find(({ path }) => path === '/api/rt/redeem/')
    const call = { body: { ticket: 'A'.repeat(43) }, context: { nowMs: 0 } }
    return route?.handle(call as never).catch((why: unknown) => why)
  }

  for (const [when, transient] of Object.entries({
    'as the ticket is taken': { take: away },
    'once it was taken': { take: async () => JSON.stringify(HOLDER) },
  })) {
    it(`${when}, asks for a new ticket and tells the operator`, async () => {
      const why = await redeemed(transient)
      if (!(why instanceof Refusal)) throw new Error(`answered ${why}`)
      expect([why.kind, why.code]).to.deep.equal(['unavailable', 'store_away'])
      expect(why.message).to.contain('Do not send it again')
      expect(why.cause).to.be.instanceOf(StoreUnavailable)
    })
  }
})
