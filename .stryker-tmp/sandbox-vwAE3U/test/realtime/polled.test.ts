// What a client posts where it polls: read in turn, held like a WebSocket, and never so
// much that all others wait for it.

import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { Backpressure } from '../../realtime/backpressure.ts'
import type { EngineSocket } from '../../realtime/direct.ts'
import { FRAMES_A_TURN, POSTED_MOST } from '../../realtime/limits.ts'
import { hearPolled } from '../../realtime/polled.ts'
import { createReceived } from '../../realtime/received.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, openParty } from './party.ts'
import { metricOf } from './readings.ts'

const turn = () => new Promise((next) => setImmediate(next))

describe('what a polling client posts', () => {
  /** A connection that notes what it was given, and what Engine.IO's transport was asked to take. */
  function opened() {
    const read: unknown[] = []
    const taken: unknown[] = []
    const transport = {
      name: 'polling',
      onData: (_data: string) => {},
      onPacket: (_packet: unknown) => {},
      onError: (why: string) => taken.push(why),
      onDataRequest: (request: IncomingMessage, _response: ServerResponse) => taken.push(request),
      headers: (_request: IncomingMessage, headers: Record<string, string>) => headers,
    }
    const conn = Object.assign(new EventEmitter(), { transport, onPacket: (packet: unknown) => read.push(packet) })
    const backpressure = new Backpressure(conn as unknown as EngineSocket)
    const waiting = { account: createReceived().account('192.0.2.1'), over: () => {} }
    hearPolled(conn as unknown as EngineSocket, backpressure, waiting)
    const post = (request: object) => transport.onDataRequest(request as IncomingMessage, {} as ServerResponse)
    return { read, taken, transport, backpressure, post, conn }
  }

  it('is read so many packets a turn, in order, and no next request before', async () => {
    const { read, taken, transport, post } = opened()
    const sent = Array.from({ length: 2 * FRAMES_A_TURN + 5 }, (_, n) => n)
    for (const one of sent) transport.onPacket(one)
    expect(read).to.have.length(FRAMES_A_TURN)
    const next = {}
    post(next)
    expect(taken).to.deep.equal([])
    while (taken.length === 0) await turn()
    expect(read).to.deep.equal(sent)
    expect(taken[0]).to.equal(next)
  })

  it('is read no further while there is a reason against it, nor is its next request', async () => {
    const { read, taken, transport, backpressure, post } = opened()
    backpressure.hold('resting')
    transport.onPacket('a')
    post({})
    for (let n = 0; n < 5; n++) await turn()
    expect([read, taken]).to.deep.equal([[], []])
    backpressure.release('resting')
    while (taken.length === 0) await turn()
    expect(read).to.deep.equal(['a'])
  })

  it('is no more where the client gave up a request that was held, or went', () => {
    const { taken, backpressure, post, conn } = opened()
    backpressure.hold('resting')
    post({ destroyed: true })
    backpressure.release('resting')
    expect(taken).to.deep.equal(['the request ended too soon'])
    backpressure.hold('resting')
    let isDestroyed = false
    post({ destroy: () => (isDestroyed = true) })
    conn.emit('close')
    expect(isDestroyed).to.equal(true)
  })
})

describe('a request with far too many packets', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  afterEach(() => closeVisitors())

  it('is answered with 413, counted, and ends its connection, where one with fewer packets does not', async () => {
    const party = await openParty(world)
    const at = `http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling`
    const post = (sid: string, body: string) => fetch(`${at}&sid=${sid}`, { method: 'POST', body })
    const answers = async (count: number) => {
      const ticket = await party.ticket((await party.guest()).token)
      const { sid } = JSON.parse((await (await fetch(`${at}&ticket=${ticket}`)).text()).slice(1))
      const posted = await post(sid, Array(count).fill('3').join('\x1e'))
      return [posted.status, (await post(sid, '3')).status]
    }
    const dropped = () => metricOf(world, 'scorebook_rooms_drops_total', 'reason="post"')
    const before = await dropped()
    expect(await answers(POSTED_MOST)).to.deep.equal([200, 200])
    expect(await dropped()).to.equal(before)
    expect(await answers(POSTED_MOST + 1)).to.deep.equal([413, 400])
    expect(await dropped()).to.equal(before + 1)
  })
})
