// A client that resets its connection during admission, while nobody reads the socket.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { ConnectionAdmission } from '../../realtime/connection-admission.ts'
import { createPostBodyReader } from '../../realtime/polling-transport.ts'
import { createPreJoinLimits } from '../../realtime/pre-join-limits.ts'
import { attachSockets, socketServer } from '../../realtime/sockets.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'

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
