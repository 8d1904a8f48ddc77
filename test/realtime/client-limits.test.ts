// Limits on what one client can make a rooms node store or do: bodies in one-byte chunks, sockets before they join,
// fragments, endless frames. Each attempt ends at its limit, and the node keeps serving.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { ConnectionAdmission } from '../../realtime/connection-admission.ts'
import { EARLY_MAX_BYTES, EARLY_PACKETS_MAX, FRAGMENTS_MAX, POST_CHUNKS_MAX } from '../../realtime/limits.ts'
import { createPostBodyReader } from '../../realtime/polling-transport.ts'
import { createPreJoinLimits } from '../../realtime/pre-join-limits.ts'
import { attachSockets, socketServer } from '../../realtime/sockets.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { eventually, until } from '../until.ts'
import { metricOf } from './metric-of.ts'
import { closeRoomClients, openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

describe('a rooms node with a client that exceeds its limits', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    fixture = await openRoomsFixture(world)
  })
  after(() => world.close())
  const sockets: Socket[] = []
  afterEach(() => {
    closeRoomClients()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  const at = (query: string) => `/socket.io/?EIO=4${query}`
  const ticket = async () => fixture.ticket((await fixture.guest()).token)
  const dropped = (reason: string) => metricOf(world, 'scorebook_rooms_drops_total', `reason="${reason}"`)

  async function dial(...lines: readonly string[]): Promise<{ socket: Socket; text(): string }> {
    const socket = connect(world.port, '127.0.0.1')
    sockets.push(socket)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return { socket, text: () => text }
  }

  const upgrade = (query: string) =>
    dial(
      `GET ${at(`&transport=websocket${query}`)} HTTP/1.1`,
      'Host: a',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    )

  async function polling(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${world.port}${at(`&transport=polling&ticket=${await ticket()}`)}`)
    return (JSON.parse((await answer.text()).slice(1)) as { sid: string }).sid
  }

  /** A masked frame with a key of zeros. */
  const frame = (first: number, payload: string) =>
    Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])

  it('rejects a POST body of one-byte chunks with 413 and closes its connection', async () => {
    const sid = await polling()
    const before = await dropped('post')
    const { socket, text } = await dial(
      `POST ${at(`&transport=polling&sid=${sid}`)} HTTP/1.1`,
      'Host: a',
      'Transfer-Encoding: chunked',
    )
    socket.write('1\r\nx\r\n'.repeat(POST_CHUNKS_MAX + 1))
    await once(socket, 'close')
    expect(text()).to.match(/^HTTP\/1\.1 413 .*Connection: close/s)
    expect(await dropped('post')).to.equal(before + 1)
    const next = await fetch(`http://127.0.0.1:${world.port}${at(`&transport=polling&sid=${sid}`)}`)
    expect(next.status).to.equal(400)
  })

  it('accepts a POST body with the maximum number of chunks', async () => {
    const sid = await polling()
    const { socket, text } = await dial(
      `POST ${at(`&transport=polling&sid=${sid}`)} HTTP/1.1`,
      'Host: a',
      'Transfer-Encoding: chunked',
    )
    socket.write('1\r\n4\r\n1\r\n0\r\n0\r\n\r\n')
    await until(() => text().endsWith('ok'))
    expect(text()).to.match(/^HTTP\/1\.1 200 /)
  })

  it('does not wait for the body of a request that names no live connection', async () => {
    const { socket, text } = await dial(
      `POST ${at('&transport=polling&sid=none')} HTTP/1.1`,
      'Host: a',
      'Transfer-Encoding: chunked',
    )
    socket.write('1\r\nx\r\n')
    await once(socket, 'close')
    expect(text()).to.match(/^HTTP\/1\.1 400 .*Session ID unknown/s)
  })

  it('keeps running when a client resets an upgrade while its ticket is redeemed', async () => {
    for (let n = 0; n < 20; n++) {
      const { socket } = await upgrade(`&ticket=${'A'.repeat(43)}`)
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect((await upgrade(`&ticket=${await ticket()}`)).socket.destroyed).to.equal(false)
    expect((await fetch(`http://127.0.0.1:${world.port}/health/ready`)).status).to.equal(200)
  })

  it('drops a WebSocket that sends too many bytes before it joins', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    const before = await dropped('early')
    const ping = frame(0x89, 'x'.repeat(125))
    socket.write(Buffer.alloc(EARLY_MAX_BYTES + ping.length, ping))
    await once(socket, 'close')
    expect(await dropped('early')).to.equal(before + 1)
  })

  it('drops a connection that sends too many packets before it joins', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    const before = await dropped('early')
    socket.write(Buffer.concat(Array(EARLY_PACKETS_MAX + 1).fill(frame(0x81, '3'))))
    await once(socket, 'close')
    expect(await dropped('early')).to.equal(before + 1)
  })

  it('allows one WebSocket per connection at a time', async () => {
    const sid = await polling()
    const first = await upgrade(`&sid=${sid}`)
    await until(() => first.text().startsWith('HTTP/1.1 101'))
    const before = await dropped('upgrade')
    const second = await upgrade(`&sid=${sid}`)
    await once(second.socket, 'close')
    expect(second.text()).to.match(/^HTTP\/1\.1 400 .*already_upgraded/s)
    expect(await dropped('upgrade')).to.equal(before + 1)
    expect(first.socket.destroyed).to.equal(false)
  })

  it('closes a WebSocket that sends a message in too many fragments', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    socket.write(frame(0x81, '40'))
    await until(() => text().includes('40{'))
    socket.write(frame(0x01, '4'))
    for (let n = 0; n < FRAGMENTS_MAX; n++) socket.write(frame(0x00, 'x'))
    await once(socket, 'close')
    const POLICY_VIOLATION = '\x88\x02\x03\xf0'
    expect(text().slice(-POLICY_VIOLATION.length)).to.equal(POLICY_VIOLATION)
  })

  it('counts the bytes of an incomplete frame until its connection ends', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    socket.write(frame(0x81, '40'))
    await until(() => text().includes('40{'))
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0])
    socket.write(Buffer.concat([header, Buffer.alloc(100_000, 'x')]))
    await eventually(async () => (await metricOf(world, 'scorebook_rooms_received_bytes')) >= 100_000)
    socket.destroy()
    await eventually(async () => (await metricOf(world, 'scorebook_rooms_received_bytes')) <= 0)
  })
})

describe('a client that resets an upgrade while its ticket is redeemed', () => {
  it('closes only its own socket', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const admission: ConnectionAdmission = {
      allowRequest: () => asked(),
      entered: () => {},
      admitted: () => null,
      cors: (_request, decided) => decided(null, { origin: false }),
    }
    const unread = createUnreadBytes()
    const [networkOf, dropped] = [() => '192.0.2.1', () => {}]
    const http = createServer()
    const io = socketServer(admission)
    attachSockets(io, http, {
      admission,
      preJoin: createPreJoinLimits({ unread, networkOf, dropped }),
      bodyReader: createPostBodyReader(unread),
      networkOf,
      admits: async () => true,
      dropped,
      rejected: () => {},
      unupgraded: () => {},
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const accepted = once(http, 'connection')
    const client = connect((http.address() as AddressInfo).port, '127.0.0.1')
    client.write(
      [
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
        'Host: a',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        '\r\n',
      ].join('\r\n'),
    )
    const [socket] = (await accepted) as [Socket]
    await isAsked
    const failed = new Promise((resolve) => socket.on('close', resolve))
    client.resetAndDestroy()
    expect(await failed).to.equal(true)
    await io.close()
  })
})
