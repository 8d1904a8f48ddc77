// Requests under `/socket.io/` that name no live connection, above the rate of their network address.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { ConnectionAdmission } from '../../realtime/connection-admission.ts'
import { UPGRADE_MAX_MS } from '../../realtime/limits.ts'
import { roomsMetrics } from '../../realtime/metrics.ts'
import { createPostBodyReader } from '../../realtime/polling-transport.ts'
import { createPreJoinLimits } from '../../realtime/pre-join-limits.ts'
import { attachSockets, socketServer } from '../../realtime/sockets.ts'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'

const admission: ConnectionAdmission = {
  allowRequest: (_request, decided) => decided(null, true),
  entered: () => {},
  admitted: () => null,
  cors: (_request, decided) => decided(null, { origin: false }),
}

describe('a request that names no live connection', () => {
  it('is counted as rejected only if its network address is over its rate', async () => {
    const registry = new Registry()
    const { dropped, rejected } = roomsMetrics(registry, () => ({ sockets: 0, rooms: 0, maxUnsentBytes: 0, unread: 0 }))
    const unread = createUnreadBytes()
    const networkOf = () => '192.0.2.1'
    let isAdmitted = true
    const http = createServer()
    const io = socketServer(admission)
    attachSockets(io, http, {
      admission,
      preJoin: createPreJoinLimits({ unread, networkOf, dropped }),
      bodyReader: createPostBodyReader(unread),
      networkOf,
      admits: async () => isAdmitted,
      dropped,
      rejected,
      unupgraded: () => {},
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const { port } = http.address() as AddressInfo
    const requestUnknown = async () =>
      (await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling&sid=none`)).status
    const count = async () =>
      (await registry.getSingleMetric('scorebook_rooms_rejected_total')?.get())?.values[0]?.value

    try {
      expect([await requestUnknown(), await count()]).to.deep.equal([400, 0])
      isAdmitted = false
      expect([await requestUnknown(), await count()]).to.deep.equal([429, 1])
    } finally {
      await io.close()
    }
  })
})

describe('the upgrade of a polling connection', () => {
  it('times out after UPGRADE_MAX_MS', async () => {
    const io = socketServer(admission)
    const http = createServer()
    io.attach(http)
    expect(Reflect.get(io.engine.opts, 'upgradeTimeout')).to.equal(UPGRADE_MAX_MS)
    await io.close()
  })
})
