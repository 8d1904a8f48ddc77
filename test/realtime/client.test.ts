// The rooms of the client library against the server: every call, received events, and refusals as errors.

import { expect } from 'chai'
import { io } from 'socket.io-client'
import { connectRooms, type RoomMessage, RoomsError } from '../../clients/javascript/rooms.ts'
import type { RoomTicket } from '../../clients/javascript/shapes.ts'
import { createSender } from '../../clients/javascript/transport.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

describe('the client library in the rooms', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    fixture = await openRoomsFixture(world)
  })
  after(() => world.close())

  async function enter() {
    const url = `http://127.0.0.1:${world.port}`
    const { token } = await fixture.guest()
    return connectRooms((at, options) => io(at, options), {
      roomTicket: async () => {
        const path = `/api/gm/${fixture.game.id}/rt/ticket/`
        const headers = { Authorization: `Bearer ${token}` }
        const { body } = await createSender({ baseUrl: url }).send({ method: 'POST', path, headers })
        return { ...(body as RoomTicket), url }
      },
    })
  }

  it('sends events, receives events, and throws refusals as errors', async () => {
    const [ada, bob] = [await enter(), await enter()]
    const { room, member } = await ada.create({ name: 'Den' })
    expect((await bob.list({ search: 'den' })).rooms).to.deep.equal([room])
    const came = new Promise((resolve) => ada.on('member_joined', resolve))
    const joined = await bob.join(room.id)
    expect(await came).to.deep.include({ room: room.id, member: joined.member })
    const heard = new Promise<RoomMessage>((resolve) => ada.on('message', resolve))
    const sent = await bob.send(room.id, { hello: true })
    expect(await heard).to.deep.equal(sent)
    expect((await bob.send(room.id, 1, member)).seq).to.equal(null)
    expect(await bob.leave(room.id)).to.deep.equal({ room: room.id })
    const refused = await bob.send(room.id, 1).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(RoomsError).and.include({ code: 'not_in_room' })
    bob.close()
    expect(await bob.over).to.equal(null)
    expect(await bob.list().catch((error: RoomsError) => error.code)).to.equal('disconnected')
    await fixture.set({ enabled: false })
    expect(await ada.over).to.equal('rooms_off')
  })

  it('rejects the connection for an invalid ticket', async () => {
    const url = `http://127.0.0.1:${world.port}`
    const roomTicket = async () => ({ ticket: 'dead', url, expires_in: 30 })
    const refused = await connectRooms((at, options) => io(at, options), { roomTicket }).then(
      () => 'let in',
      (error: Error) => error.message,
    )
    expect(refused).to.equal('xhr poll error')
  })
})
