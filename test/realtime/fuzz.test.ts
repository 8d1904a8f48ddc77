// Frames that no client would send: whatever comes, the server goes on, and nobody else notices.

import { expect } from 'chai'
import { openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, openParty, type Party, type Visitor } from './party.ts'

const FRAMES = 400
const PIECES = [
  '4',
  '2',
  '3',
  '0',
  '1',
  '5',
  '42',
  '451-',
  '43',
  '["send"',
  ']',
  '{',
  '}',
  ',',
  '"',
  '[',
  'null',
  '7',
  '-',
]
const WHOLE = [
  '42["send",{"room":"x","data":1}]',
  '42["join",{"room":{}}]',
  '42["create",{"name":7}]',
  '42["rooms",null,null]',
  '42["__proto__",{}]',
  '42["constructor",{"__proto__":{"x":1}}]',
  '42[7,{}]',
  '42[]',
  '42',
  '4299999999999999999999["rooms",{}]',
  `42["send",{"room":"x","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`,
  '42["error",{}]',
  '42["connect",{}]',
  '40/other,',
  '44{"message":"no"}',
  '451-["send",{"room":"x","data":{"_placeholder":true,"num":0}}]',
  '2probe',
  '6',
  '1',
]

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

  /** The same from one run to the next. */
  function pieces(seed: number): () => string {
    let state = seed
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % below
    }
    return () => {
      if (next(3) === 0) return WHOLE[next(WHOLE.length)] ?? ''
      return Array.from({ length: 1 + next(8) }, () => PIECES[next(PIECES.length)]).join('')
    }
  }

  it('answer, refuse or close, and go on', async () => {
    const nonsense = pieces(7)
    let visitor = await party.enter({ token: party.client })
    for (let sent = 0; sent < FRAMES; sent++) {
      if (!visitor.socket.connected) visitor = await party.enter({ token: party.client })
      const { transport } = visitor.socket.io.engine
      if (!('ws' in transport)) throw new Error('this is no WebSocket')
      const frame = nonsense()
      ;(transport.ws as { send(data: string | Buffer): void }).send(sent % 17 === 0 ? Buffer.from(frame) : frame)
    }
    expect((await bystander.ask('rooms', {})).ok).to.equal(true)
    expect(world.lines).to.deep.equal([])
  }).timeout(60_000)
})
