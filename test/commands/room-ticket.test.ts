// Room tickets: each is redeemed once within half a minute, and one network can hold only so many.

import { expect } from 'chai'
import {
  isRoomTicket,
  makeRoomTicket,
  ROOM_TICKETS_PER_NETWORK,
  storeHolderForRooms,
  takeHolder,
  takeRoomTicket,
} from '../../commands/room-ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { contextAt, GAME, LONG_AGO_MS, NETWORK } from './sign-in/sign-in-rig.ts'

const HOLDER = { game: GAME, player: 'ada', key: 'ck_x', session: 's1', permissions: ['gm:agame:realtime'] }
/** The last millisecond of a ticket's life. */
const LAST_MS = LONG_AGO_MS + 29_999

describe('commands: a room ticket', () => {
  it('has a form that other texts do not have, and these let nobody in', async () => {
    const transient = createTransient()
    const ticket = await makeRoomTicket(transient, HOLDER, null, contextAt())
    const others = ['', 'x', ticket.slice(1), `${ticket}A`, `${ticket.slice(0, 42)}!`]
    expect([isRoomTicket(ticket), ...others.map(isRoomTicket)]).to.deep.equal([true, ...others.map(() => false)])
    for (const other of others) expect(await takeRoomTicket(transient, other, LONG_AGO_MS)).to.equal(null)
    expect(await takeRoomTicket(transient, ticket, LONG_AGO_MS)).to.deep.equal(HOLDER)
  })

  it('shares its key with no holder that is left for rooms that run apart', async () => {
    const transient = createTransient()
    const ticket = await makeRoomTicket(transient, HOLDER, null, contextAt())
    expect(await takeHolder(transient, ticket, LONG_AGO_MS)).to.equal(null)
    const holder = { ...HOLDER, player: null, session: null }
    await storeHolderForRooms(transient, ticket, holder, LONG_AGO_MS)
    expect(await takeHolder(transient, ticket, LAST_MS)).to.deep.equal(holder)
    expect(await takeHolder(transient, ticket, LAST_MS)).to.equal(null)
    expect(await takeRoomTicket(transient, ticket, LAST_MS)).to.deep.equal(HOLDER)
  })

  it('is refused with 429 beyond the share of a network, and for no caller whose network is not counted', async () => {
    const transient = createTransient()
    for (let n = 0; n < ROOM_TICKETS_PER_NETWORK; n++) await makeRoomTicket(transient, HOLDER, NETWORK, contextAt())
    const error = await makeRoomTicket(transient, HOLDER, NETWORK, contextAt()).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Refusal)
    expect(error).to.include({ kind: 'too_many', code: 'rate_limited' })
    expect((error as Refusal).fields).to.deep.equal({ retry_after: 5, policy: 'waiting' })
    expect(await makeRoomTicket(transient, HOLDER, null, contextAt())).to.have.length(43)
    expect(await makeRoomTicket(transient, HOLDER, '192.0.2.2', contextAt())).to.have.length(43)
  })
})
