// Internals of Engine.IO and ws that the rooms use: a version that changes them fails here.

import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, Socket as TcpSocket } from 'node:net'
import { expect } from 'chai'
import { Server, type Socket as ServerSocket } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { Backpressure } from '../../realtime/backpressure.ts'
import { type Arrival, arrivalParser } from '../../realtime/decoder.ts'
import { engineQueue, tcpOf, webSocketOf } from '../../realtime/engine-internals.ts'
import { parseEventFrame, readFrames } from '../../realtime/frame-reader.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'
import { until } from '../until.ts'

describe('direct access to a WebSocket', () => {
  let http: HttpServer
  let server: Server
  let client: Socket
  beforeEach(() => {
    http = createServer()
    server = new Server(http, { parser: arrivalParser, perMessageDeflate: false })
  })
  afterEach(async () => {
    client.disconnect()
    await server.close()
  })

  async function connected(transports: readonly string[]): Promise<ServerSocket> {
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    const accepted = new Promise<ServerSocket>((resolve) => server.once('connection', resolve))
    client = io(`http://127.0.0.1:${port}`, { transports: [...transports], forceNew: true, reconnection: false })
    return accepted
  }

  /** Records events read directly and through Engine.IO, in order, and counts the other frames. */
  function hearing(socket: ServerSocket): { readonly short: Arrival[]; readonly long: Arrival[]; other: number } {
    const heard = { short: [] as Arrival[], long: [] as Arrival[], other: 0 }
    readFrames(socket.conn, new Backpressure(socket.conn), {
      skips: () => false,
      heard: (arrival) => heard.short.push(arrival),
      other: () => {
        heard.other++
      },
      isAsked: () => false,
      complete: () => {},
      waiting: { account: createUnreadBytes().account('192.0.2.1'), over: () => {} },
    })
    socket.use(([, arrival]) => heard.long.push(arrival as Arrival))
    return heard
  }

  it('finds the TCP socket, its state, pause and resume, and the empty queue of Engine.IO', async () => {
    const { conn } = await connected(['websocket'])
    expect(tcpOf(conn)).to.be.instanceOf(TcpSocket)
    const webSocket = webSocketOf(conn)
    expect(webSocket?.readyState).to.equal(1)
    expect([typeof webSocket?.pause, typeof webSocket?.resume]).to.deep.equal(['function', 'function'])
    expect(webSocket?.listeners('message')).to.have.length(1)
    await until(() => engineQueue(conn) === 0)
    conn.write('2["event",1]')
    conn.write('2["event",2]')
    expect(engineQueue(conn), 'what is behind the one under way is queued').to.be.greaterThan(0)
  })

  it('writes frames to the TCP socket in order with those of Engine.IO', async () => {
    const { conn } = await connected(['websocket'])
    const received: number[] = []
    client.on('event', (n) => received.push(n))
    conn.write('2["event",1]')
    await until(() => engineQueue(conn) === 0)
    const text = '42["event",2]'
    tcpOf(conn)?.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]))
    conn.write('2["event",3]')
    await until(() => received.length === 3)
    expect(received).to.deep.equal([1, 2, 3])
  })

  it('reads plain events, and leaves all other frames to Socket.IO', async () => {
    const heard = hearing(await connected(['websocket']))
    client.emit('send', { room: 'x' })
    client.emit('send', { data: 'ä ✓' }, () => {})
    client.emit('send', { data: Buffer.from('x') })
    client.emit('last')
    await until(() => heard.short.length === 3 && heard.long.length === 1)
    expect(heard.short).to.deep.equal([
      { event: 'send', args: [{ room: 'x' }], ackId: null, isBinary: false },
      { event: 'send', args: [{ data: 'ä ✓' }], ackId: 0, isBinary: false },
      { event: 'last', args: [], ackId: null, isBinary: false },
    ])
    expect(heard.long).to.deep.equal([{ event: 'send', args: [], ackId: null, isBinary: true }])
  })

  it('reports every other frame, also pings and pongs that ws answers by itself', async () => {
    const heard = hearing(await connected(['websocket']))
    const { transport } = client.io.engine
    if (!('ws' in transport)) throw new Error('the transport is not a WebSocket')
    const raw = transport.ws as { send(data: string): void; ping(): void; pong(): void }
    raw.send('3')
    raw.ping()
    raw.pong()
    // Two frames: the header of a binary packet and its data.
    client.emit('send', { data: Buffer.from('x') })
    client.emit('last')
    await until(() => heard.short.length === 1)
    expect(heard.other).to.equal(5)
  })

  it('reports each packet of a polling client', async () => {
    const heard = hearing(await connected(['polling']))
    client.emit('send', 1)
    client.emit('send', 2)
    await until(() => heard.long.length === 2)
    expect([heard.other, heard.short]).to.deep.equal([2, []])
  })

  it('is absent while a client polls, and starts with its upgrade', async () => {
    const socket = await connected(['polling', 'websocket'])
    const heard = hearing(socket)
    const { conn } = socket
    if (conn.transport.name === 'polling') {
      expect([webSocketOf(conn), tcpOf(conn)]).to.deep.equal([undefined, null])
      await once(conn as unknown as NodeJS.EventEmitter, 'upgrade')
    }
    client.emit('send', 1)
    await until(() => heard.short.length + heard.long.length === 1)
    expect(tcpOf(conn)).to.be.instanceOf(TcpSocket)
    client.emit('send', 2)
    await until(() => heard.short.some(({ args }) => args[0] === 2))
  })

  it('parses exactly the events that Socket.IO’s parser accepts', () => {
    const read = (text: string) => parseEventFrame(Buffer.from(text))
    expect(read('42["a"]')).to.deep.equal({ event: 'a', args: [], ackId: null, isBinary: false })
    expect(read('420["a",null]')).to.deep.equal({ event: 'a', args: [null], ackId: 0, isBinary: false })
    expect(read('42123["a",1,2]')?.ackId).to.equal(123)
    const others = [
      '',
      '4',
      '42',
      '42{}',
      '42[]',
      '42[7]',
      '42["a"',
      '42/x,["a"]',
      '43["a"]',
      '2["a"]',
      '42["connect"]',
    ]
    for (const text of [...others, '42 ["a"]', '4299999999999999999999["a"]', '42["disconnect",1]', '42-1["a"]']) {
      expect(read(text), text).to.equal(null)
    }
  })
})
