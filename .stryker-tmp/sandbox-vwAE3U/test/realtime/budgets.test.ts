// What one cheap client could make a node of rooms hold or do: bodies in one-byte chunks, sockets that belong to nobody
// yet, fragments, frames that never end. Each ends at its bound, and the node goes on.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { EARLY_MOST_BYTES, EARLY_PACKETS_MOST, FRAGMENTS_MOST, POST_CHUNKS_MOST } from '../../realtime/limits.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { pause, until } from '../until.ts'
import { closeVisitors, openParty, type Party } from './party.ts'
import { metricOf } from './readings.ts'

describe('what one client can make a node of rooms hold', () => {
  let world: World
  let party: Party
  before(async () => {
    world = await openWorld()
    party = await openParty(world)
  })
  after(() => world.close())
  const sockets: Socket[] = []
  afterEach(() => {
    closeVisitors()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  const at = (query: string) => `/socket.io/?EIO=4${query}`
  const ticket = async () => party.ticket((await party.guest()).token)
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

  it('ends a posted body of one-byte chunks, and its connection, with 413', async () => {
    const sid = await polling()
    const before = await dropped('post')
    const { socket, text } = await dial(
      `POST ${at(`&transport=polling&sid=${sid}`)} HTTP/1.1`,
      'Host: a',
      'Transfer-Encoding: chunked',
    )
    socket.write('1\r\nx\r\n'.repeat(POST_CHUNKS_MOST + 1))
    await once(socket, 'close')
    expect(text()).to.match(/^HTTP\/1\.1 413 .*Connection: close/s)
    expect(await dropped('post')).to.equal(before + 1)
    const next = await fetch(`http://127.0.0.1:${world.port}${at(`&transport=polling&sid=${sid}`)}`)
    expect(next.status).to.equal(400)
  })

  it('reads a posted body in as many chunks as it may have', async () => {
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

  it('does not wait for the body of a request that names no connection', async () => {
    const { socket, text } = await dial(
      `POST ${at('&transport=polling&sid=none')} HTTP/1.1`,
      'Host: a',
      'Transfer-Encoding: chunked',
    )
    socket.write('1\r\nx\r\n')
    await once(socket, 'close')
    expect(text()).to.match(/^HTTP\/1\.1 400 .*Session ID unknown/s)
  })

  it('goes on where a client resets an upgrade while its ticket is looked at', async () => {
    for (let n = 0; n < 20; n++) {
      const { socket } = await upgrade(`&ticket=${'A'.repeat(43)}`)
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect((await upgrade(`&ticket=${await ticket()}`)).socket.destroyed).to.equal(false)
    expect((await fetch(`http://127.0.0.1:${world.port}/health/ready`)).status).to.equal(200)
  })

  it('drops a WebSocket that sends much before it joins', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    const before = await dropped('early')
    const ping = frame(0x89, 'x'.repeat(125))
    socket.write(Buffer.alloc(EARLY_MOST_BYTES + ping.length, ping))
    await once(socket, 'close')
    expect(await dropped('early')).to.equal(before + 1)
  })

  it('drops a connection that sends many packets before it joins', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    const before = await dropped('early')
    socket.write(Buffer.concat(Array(EARLY_PACKETS_MOST + 1).fill(frame(0x81, '3'))))
    await once(socket, 'close')
    expect(await dropped('early')).to.equal(before + 1)
  })

  it('opens one WebSocket for a connection at a time', async () => {
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
    for (let n = 0; n < FRAGMENTS_MOST; n++) socket.write(frame(0x00, 'x'))
    await once(socket, 'close')
    const POLICY_VIOLATION = '\x88\x02\x03\xf0'
    expect(text().slice(-POLICY_VIOLATION.length)).to.equal(POLICY_VIOLATION)
  })

  it('counts what arrived of a frame that is incomplete until its connection ends', async () => {
    const { socket, text } = await upgrade(`&ticket=${await ticket()}`)
    await until(() => text().includes('"sid"'))
    socket.write(frame(0x81, '40'))
    await until(() => text().includes('40{'))
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0])
    socket.write(Buffer.concat([header, Buffer.alloc(100_000, 'x')]))
    while ((await metricOf(world, 'scorebook_rooms_received_bytes')) < 100_000) await pause(5)
    socket.destroy()
    while ((await metricOf(world, 'scorebook_rooms_received_bytes')) > 0) await pause(5)
  })
})
