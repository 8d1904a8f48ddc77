// POSTs of polling clients: read in order, paused like a WebSocket, and limited so that they do not delay other
// clients.

import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { Backpressure } from '../../realtime/backpressure.ts'
import type { EngineSocket } from '../../realtime/engine-internals.ts'
import { FRAMES_PER_TURN, PACKETS_PER_POST_MAX } from '../../realtime/limits.ts'
import { readPolledPackets } from '../../realtime/polling-transport.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { turn, until } from '../until.ts'
import { metricOf } from './metric-of.ts'
import { closeRoomClients, openRoomsFixture } from './rooms-fixture.ts'

describe('the packets of a polling client', () => {
  /** A fake connection that records its packets, and a fake of Engine.IO's polling transport. */
  function opened() {
    const read: unknown[] = []
    const taken: unknown[] = []
    const transport = {
      name: 'polling',
      onData: (_data: string) => {},
      onPacket: (_packet: unknown) => {},
      onError: (reason: string) => taken.push(reason),
      onDataRequest: (request: IncomingMessage, _response: ServerResponse) => taken.push(request),
      headers: (_request: IncomingMessage, headers: Record<string, string>) => headers,
    }
    const conn = Object.assign(new EventEmitter(), { transport, onPacket: (packet: unknown) => read.push(packet) })
    const backpressure = new Backpressure(conn as unknown as EngineSocket)
    const waiting = { account: createUnreadBytes().account('192.0.2.1'), over: () => {} }
    readPolledPackets(conn as unknown as EngineSocket, backpressure, waiting)
    const post = (request: object) => transport.onDataRequest(request as IncomingMessage, {} as ServerResponse)
    return { read, taken, transport, backpressure, post, conn }
  }

  it('are read in order, at most FRAMES_PER_TURN in a turn, before the next request is read', async () => {
    const { read, taken, transport, post } = opened()
    const sent = Array.from({ length: 2 * FRAMES_PER_TURN + 5 }, (_, n) => n)
    for (const one of sent) transport.onPacket(one)
    expect(read).to.have.length(FRAMES_PER_TURN)
    const next = {}
    post(next)
    expect(taken).to.deep.equal([])
    await until(() => taken.length !== 0)
    expect(read).to.deep.equal(sent)
    expect(taken[0]).to.equal(next)
  })

  it('are not read while backpressure is on, and neither is the next request', async () => {
    const { read, taken, transport, backpressure, post } = opened()
    backpressure.pause('resting')
    transport.onPacket('a')
    post({})
    for (let n = 0; n < 5; n++) await turn()
    expect([read, taken]).to.deep.equal([[], []])
    backpressure.release('resting')
    await until(() => taken.length !== 0)
    expect(read).to.deep.equal(['a'])
  })

  it('end when the client aborts a deferred request or disconnects', () => {
    const { taken, backpressure, post, conn } = opened()
    backpressure.pause('resting')
    post({ destroyed: true })
    backpressure.release('resting')
    expect(taken).to.deep.equal(['the request ended too soon'])
    backpressure.pause('resting')
    let isDestroyed = false
    post({ destroy: () => (isDestroyed = true) })
    conn.emit('close')
    expect(isDestroyed).to.equal(true)
  })
})

describe('a POST with far too many packets', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  afterEach(() => closeRoomClients())

  it('gets 413, is counted and closes its connection, while one with fewer packets is accepted', async () => {
    const fixture = await openRoomsFixture(world)
    const at = `http://127.0.0.1:${world.port}/socket.io/?EIO=4&transport=polling`
    const post = (sid: string, body: string) => fetch(`${at}&sid=${sid}`, { method: 'POST', body })
    const answers = async (count: number) => {
      const ticket = await fixture.ticket((await fixture.guest()).token)
      const { sid } = JSON.parse((await (await fetch(`${at}&ticket=${ticket}`)).text()).slice(1))
      const posted = await post(sid, Array(count).fill('3').join('\x1e'))
      return [posted.status, (await post(sid, '3')).status]
    }
    const dropped = () => metricOf(world, 'scorebook_rooms_drops_total', 'reason="post"')
    const before = await dropped()
    expect(await answers(PACKETS_PER_POST_MAX)).to.deep.equal([200, 200])
    expect(await dropped()).to.equal(before)
    expect(await answers(PACKETS_PER_POST_MAX + 1)).to.deep.equal([413, 400])
    expect(await dropped()).to.equal(before + 1)
  })
})
