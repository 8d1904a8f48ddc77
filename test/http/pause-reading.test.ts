// Connections that are not read, and the cost of closing one.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { abortCheaply, pauseReading } from '../../http/connections/http-connection.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { get } from './raw-connection.ts'

/** Long enough for a started read to arrive. */
const TURNS = 50

let close = async () => {}

async function serving(onConnection: (socket: Socket) => void) {
  const requests: IncomingMessage[] = []
  const server = createServer((request) => requests.push(request))
  server.on('connection', onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  close = async () => {
    client.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { requests, client, server }
}

describe('pauseReading', () => {
  afterEach(() => close())

  it('keeps a connection unread that was resumed and paused in one event-loop iteration', async () => {
    let isPaused = true
    let pausedSocket: Socket | undefined
    const { requests, client, server } = await serving((socket) => {
      pausedSocket = socket
      socket.on('resume', () => {
        if (isPaused) pauseReading(socket)
      })
      socket.resume()
      pauseReading(socket)
    })
    client.write(get('/'))
    for (let n = 0; n < TURNS; n++) await yieldToEventLoop()
    expect(pausedSocket?.bytesRead).to.equal(0)
    isPaused = false
    pausedSocket?.resume()
    await once(server, 'request')
    expect(requests).to.have.lengthOf(1)
  })
})

describe('abortCheaply', () => {
  afterEach(() => close())

  it('ends requests of a closed connection with errors without a stack trace, and keeps the stack traces of later errors', async () => {
    const { requests, client, server } = await serving(abortCheaply)
    client.write(get('/').repeat(3))
    while (requests.length < 3) await once(server, 'request')
    const errors: Error[] = []
    for (const request of requests) request.on('error', (error) => errors.push(error))
    const [{ socket } = {}] = requests
    client.destroy()
    await once(socket as Socket, 'close')
    await yieldToEventLoop()
    expect(errors.map(({ stack }) => stack)).to.deep.equal(Array(3).fill('Error: aborted'))
    expect(new Error('later').stack).to.include('pause-reading.test.ts')
  })
})
