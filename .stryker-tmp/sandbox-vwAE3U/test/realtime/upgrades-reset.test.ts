// A client that resets its connection while it is asked whether it may come in: nobody reads the socket then.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { ConnectionAdmission } from '../../realtime/connection-admission.ts'
import { createEarly } from '../../realtime/early.ts'
import { createPosts } from '../../realtime/posts.ts'
import { createReceived } from '../../realtime/received.ts'
import { attachSockets, socketServer } from '../../realtime/sockets.ts'

describe('a client that resets an upgrade while its ticket is looked at', () => {
  it('ends its own socket alone', async () => {
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
    const received = createReceived()
    const [networkOf, dropped] = [() => '192.0.2.1', () => {}]
    const http = createServer()
    const io = socketServer(admission)
    attachSockets(io, http, {
      admission,
      early: createEarly({ received, networkOf, dropped }),
      posts: createPosts(received),
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
