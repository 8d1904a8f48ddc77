// Frames that no client would send: the server keeps running and other clients notice nothing.

import { expect } from 'chai'
import { openWorld, type World } from '../front-door/world.ts'
import { nonsense } from './nonsense.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'

const FRAMES = 400
describe('the rooms server, sent malformed input,', () => {
  let world: World
  let fixture: RoomsFixture
  let bystander: RoomClient
  before(async () => {
    world = await openWorld({ logLevel: 'error' })
    fixture = await openRoomsFixture(world, { require_player: false })
    bystander = await fixture.enter()
  })
  after(async () => {
    closeRoomClients()
    await world.close()
  })

  it('answers, refuses or closes each connection, and keeps serving others', async () => {
    const next = nonsense(7)
    let roomClient = await fixture.enter({ token: fixture.client })
    for (let sent = 0; sent < FRAMES; sent++) {
      if (!roomClient.socket.connected) roomClient = await fixture.enter({ token: fixture.client })
      const { transport } = roomClient.socket.io.engine
      if (!('ws' in transport)) throw new Error('the transport is not a WebSocket')
      const frame = next()
      ;(transport.ws as { send(data: string | Buffer): void }).send(sent % 17 === 0 ? Buffer.from(frame) : frame)
    }
    expect((await bystander.ask('rooms', {})).ok).to.equal(true)
    expect(world.lines).to.deep.equal([])
  }).timeout(60_000)
})
