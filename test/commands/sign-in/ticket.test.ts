// The tenant's tickets: for players of external ids, redeemed once within two minutes and in their own game only.

import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import { deletePlayer } from '../../../commands/forget.ts'
import { ban, externalDigest, makePlayer } from '../../../commands/player.ts'
import { makeTicket, playerOfExternalId, redeemTicket } from '../../../commands/sign-in/ticket.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { externalStream } from '../../../domain/player.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { contextAt, GAME, LONG_AGO_MS, signInRig } from './sign-in-rig.ts'

const KNOWN = { externalId: 'steam:1', name: 'Ada' }

describe('commands: a sign-in ticket', () => {
  let rig: ReturnType<typeof signInRig>
  beforeEach(() => {
    rig = signInRig()
  })
  const types = async () => (await rig.log.readAll(null, 100)).map(({ type }) => type)
  const playerOf = async (known: Parameters<typeof playerOfExternalId>[2], context = contextAt()) => {
    const holder = await playerOfExternalId(rig.deps, GAME, known, context)
    if (holder === null) throw new Error('no player was found or made')
    return holder
  }
  const ticketOf = async (id: string, context = contextAt()) => makeTicket(rig.deps, GAME, { id, made: null }, context)

  it('makes the player of a new external id, and finds them again', async () => {
    const first = await playerOf(KNOWN)
    expect(first.made?.written?.game).to.equal(GAME)
    expect(await types()).to.deep.equal(['ExternalClaimed', 'PlayerCreated'])
    const again = await playerOf({ ...KNOWN, name: 'Eve' })
    expect(again).to.deep.equal({ id: first.id, made: null })
    expect(await types()).to.have.length(2)
  })

  it('gives a new player without a name one of their own', async () => {
    const { id } = await playerOf({ ...KNOWN, name: null })
    const created = (await rig.log.readStream(`player-${id}`, 0, 1))[0]
    expect(created?.data.name).to.be.a('string').and.include(id.slice(0, 4))
    expect(created?.data.externalId).to.equal('steam:1')
  })

  it('makes the player whose claim a call did not come to the end of', async () => {
    const { id } = await makePlayer(rig.deps, GAME, KNOWN, contextAt())
    const half = signInRig()
    const stream = externalStream(GAME, externalDigest(rig.deps, GAME, KNOWN.externalId))
    const [claim] = await rig.log.readStream(stream, 0, 1)
    if (claim === undefined) throw new Error('there is no claim')
    const { id: eventId, type, data, meta } = claim
    await half.log.append(stream, 'none', [{ id: eventId, type, data, meta }])
    expect(await playerOfExternalId(half.deps, GAME, KNOWN, contextAt())).to.deep.equal({ id, made: null })
    expect((await half.log.readStream(`player-${id}`, 0, 1))[0]?.data).to.deep.equal({ ...KNOWN, guest: false })
  })

  it('signs its player in once', async () => {
    const { id } = await playerOf(KNOWN)
    const { ticket, written, replayed } = await ticketOf(id)
    expect([ticket.length, written, replayed]).to.deep.equal([43, null, false])
    const proven = await redeemTicket(rig.deps, GAME, ticket, contextAt(LONG_AGO_MS + 119_999))
    expect([proven.id, proven.state.name, proven.made]).to.deep.equal([id, 'Ada', false])
    expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, ticket, contextAt()))).to.equal('sign_in_rejected')
  })

  it('is rejected after two minutes, in another game, and in any other form', async () => {
    const { id } = await playerOf(KNOWN)
    const late = contextAt(LONG_AGO_MS + 120_000)
    expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, (await ticketOf(id)).ticket, late))).to.equal(
      'sign_in_rejected',
    )
    const { ticket } = await ticketOf(id)
    for (const wrong of ['', 'x', `${ticket}A`, ticket.slice(1)]) {
      expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, wrong, contextAt()))).to.equal('sign_in_rejected')
    }
    expect(await refusalCodeOf(redeemTicket(rig.deps, 'other', ticket, contextAt()))).to.equal('sign_in_rejected')
  })

  it('does not let a banned player in', async () => {
    const { id } = await playerOf(KNOWN)
    const { ticket } = await ticketOf(id)
    await ban(rig.deps, { game: GAME, player: id }, { until: null, reason: null }, contextAt())
    expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, ticket, contextAt()))).to.equal('player_banned')
  })

  it('of a repeated call is the same one, and is not made valid again', async () => {
    const { id } = await playerOf(KNOWN)
    const context = { ...contextAt(), call: 'the call' }
    const first = await ticketOf(id, context)
    expect([first.written?.game, first.replayed]).to.deep.equal([GAME, false])
    await redeemTicket(rig.deps, GAME, first.ticket, contextAt())
    const again = await ticketOf(id, { ...context, repeated: true })
    expect(again).to.deep.equal({ ...first, replayed: true })
    expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, again.ticket, contextAt()))).to.equal('sign_in_rejected')
  })
  describe('of a repeated call whose player was deleted since', () => {
    let context: CommandContext
    let ticket: string

    beforeEach(async () => {
      context = { ...contextAt(), ...keyedIds(new Uint8Array(32), 'sk_x', null, 'key'), call: 'the call' }
      const { id } = await playerOf(KNOWN)
      ;({ ticket } = await ticketOf(id, context))
      await redeemTicket(rig.deps, GAME, ticket, contextAt())
      await deletePlayer({ ...rig.deps, publish: async () => {} }, GAME, id, contextAt())
      context = { ...context, repeated: true }
    })

    it('is the same one, creates no second player and lets nobody in', async () => {
      const events = await types()
      const holder = await playerOfExternalId(rig.deps, GAME, KNOWN, context)
      expect(holder).to.equal(null)
      expect(await makeTicket(rig.deps, GAME, holder, context)).to.deep.equal({ ticket, written: null, replayed: true })
      expect(await types()).to.deep.equal(events)
      expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, ticket, contextAt()))).to.equal('sign_in_rejected')
    })

    it('does not let in another player who has the external id now', async () => {
      const other = await playerOf(KNOWN)
      const again = await makeTicket(rig.deps, GAME, await playerOf(KNOWN, context), context)
      expect([again.ticket, again.replayed]).to.deep.equal([ticket, true])
      expect(other.made).to.not.equal(null)
      expect(await refusalCodeOf(redeemTicket(rig.deps, GAME, ticket, contextAt()))).to.equal('sign_in_rejected')
    })
  })

  it('is valid if the repeated call died while it created the player', async () => {
    const context = { ...contextAt(), ...keyedIds(new Uint8Array(32), 'sk_x', null, 'key'), call: 'the call' }
    await playerOf(KNOWN, context)
    const repeated = { ...context, repeated: true }
    const half = signInRig()
    const [claim] = await rig.log.readAll(null, 1)
    if (claim === undefined) throw new Error('there is no claim')
    const { stream, id: eventId, type, data, meta } = claim
    await half.log.append(stream, 'none', [{ id: eventId, type, data, meta }])
    const holder = await playerOfExternalId(half.deps, GAME, KNOWN, repeated)
    const { ticket, replayed } = await makeTicket(half.deps, GAME, holder, repeated)
    expect(replayed).to.equal(false)
    expect((await redeemTicket(half.deps, GAME, ticket, contextAt())).id).to.equal(context.generator.id('player'))
  })
})
