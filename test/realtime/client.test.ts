// The rooms of the client library against the server: every call, received events, and refusals as errors.

import { expect } from 'chai'
import { io, type Socket } from 'socket.io-client'
import { connectRooms, type RoomMessage, RoomsError, type RoomsHeard } from '../../clients/javascript/rooms.ts'
import type { RoomTicket } from '../../clients/javascript/shapes.ts'
import { createSender } from '../../clients/javascript/transport.ts'
import { makeBoard } from '../front-door/game-fixtures.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import { openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

describe('the client library in the rooms', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    fixture = await openRoomsFixture(world)
  })
  after(() => world.close())

  /** `opened` hears of each connection. */
  async function enter(opened: (socket: Socket) => void = () => {}) {
    const url = `http://127.0.0.1:${world.port}`
    const { token } = await fixture.guest()
    const dial = (at: string, options: object) => {
      const socket = io(at, options)
      opened(socket)
      return socket
    }
    return connectRooms(dial, {
      roomTicket: async () => {
        const path = `/api/gm/${fixture.game.id}/rt/ticket/`
        const headers = { Authorization: `Bearer ${token}` }
        const { body } = await createSender({ baseUrl: url }).send({ method: 'POST', path, headers })
        return { ...(body as RoomTicket), url }
      },
    })
  }

  it('watches the current season, also on the next connection, until none is open', async () => {
    const seasons = { cron: 'daily', time_zone: 'UTC' }
    const board = await makeBoard(world, fixture.game, { key: 'daily', seasons })
    const sockets: Socket[] = []
    const rooms = await enter((socket) => sockets.push(socket))
    const next = <Event extends 'board' | 'refused' | 'unwatched'>(event: Event) =>
      new Promise<RoomsHeard[Event]>((resolve) => {
        const stop = rooms.on(event, (body) => {
          stop()
          resolve(body)
        })
      })
    const first = next('board')
    const expected = { leaderboard: board, season: 1, scores: [], seq: 0 }
    expect(await rooms.watch('daily', 3, { season: 'current' })).to.deep.equal(expected)
    expect(await first).to.deep.equal(expected)
    const again = next('board')
    sockets[0]?.io.engine.close()
    expect(await again).to.deep.equal(expected)
    expect(sockets).to.have.length(2)
    const over = Promise.all([next('refused'), next('unwatched')])
    const body = { seasons: null }
    must(await world.call('PUT', `/api/lb/${board}/`, { token: fixture.game.token, body }), 200)
    const [refused, unwatched] = await over
    expect([refused.event, refused.code, unwatched]).to.deep.equal(['watch', 'no_seasons', { leaderboard: board }])
    const failure = await rooms.watch('daily', 3, { season: 'current' }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(RoomsError).and.include({ code: 'no_seasons' })
    rooms.close()
  })

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
