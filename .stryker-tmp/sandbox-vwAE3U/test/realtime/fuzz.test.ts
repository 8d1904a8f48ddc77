// Frames that no client would send: whatever comes, the server goes on, and nobody else notices.

import { expect } from 'chai'
import { openWorld, type World } from '../front-door/world.ts'
import { nonsense } from './nonsense.ts'
import { closeVisitors, openParty, type Party, type Visitor } from './party.ts'

const FRAMES = 400
describe('the rooms, sent nonsense,', () => {
  let world: World
  let party: Party
  let bystander: Visitor
  before(async () => {
    world = await openWorld({ logLevel: 'error' })
    party = await openParty(world, { require_player: false })
    bystander = await party.enter()
  })
  after(async () => {
    closeVisitors()
    await world.close()
  })

  it('answer, refuse or close, and go on', async () => {
    const next = nonsense(7)
    let visitor = await party.enter({ token: party.client })
    for (let sent = 0; sent < FRAMES; sent++) {
      if (!visitor.socket.connected) visitor = await party.enter({ token: party.client })
      const { transport } = visitor.socket.io.engine
      if (!('ws' in transport)) throw new Error('this is no WebSocket')
      const frame = next()
      ;(transport.ws as { send(data: string | Buffer): void }).send(sent % 17 === 0 ? Buffer.from(frame) : frame)
    }
    expect((await bystander.ask('rooms', {})).ok).to.equal(true)
    expect(world.lines).to.deep.equal([])
  }).timeout(60_000)
})
