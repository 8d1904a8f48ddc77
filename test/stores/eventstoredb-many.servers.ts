// As many subscriptions to one log as a node has, and more: none blocks another, and none leaves anything behind.

import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import type { Log } from '../../stores/contract/log.ts'
import { createDecoder } from '../../stores/eventstoredb/decode.ts'
import { createLine } from '../../stores/eventstoredb/line.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { parseServer } from '../../stores/eventstoredb/server.ts'
import { follow } from '../../stores/eventstoredb/subscription.ts'
import { appended, someEvents } from '../contracts/events.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { turn } from '../until.ts'

const MANY = 24
const REOPENED = 3

describe('many subscriptions to one log on EventStoreDB', () => {
  let server: EventStoreServer
  let log: Log
  const warned: string[] = []
  const hear = ({ name, message }: Error) => void warned.push(`${name}: ${message}`)

  before(async () => {
    server = await startEventStore({})
    log = await openEventStore({ url: server.url, prefixes: ['s-'] })
    process.on('warning', hear)
  })
  after(async () => {
    process.off('warning', hear)
    await log.close()
    await server.stop()
  })

  it('run side by side, are reopened, and cause no leak warning of Node', async () => {
    await appended(log, 's-1', 'none', someEvents(3))
    for (let round = 0; round < REOPENED; round += 1) {
      const stop = new AbortController()
      let arrived = 0
      const followers = Array.from({ length: MANY }, async () => {
        const own = AbortSignal.any([stop.signal])
        for await (const events of log.subscribe(null, 10, own)) {
          arrived += events.length
          // All of them are open at the same time.
          if (arrived === MANY * 3) stop.abort()
        }
      })
      await Promise.all(followers)
      expect(arrived).to.equal(MANY * 3)
    }
    // Warnings are emitted in a later turn of the event loop.
    await turn()
    expect(warned).to.deep.equal([])
  })

  it('listen for the end of the log only while they are open', async () => {
    const line = createLine(parseServer(server.url), { graceMs: 1_000 })
    const decode = createDecoder({ prefixes: ['s-'], onForeign: () => {} })
    const times = { deadlineMs: 5_000, heartbeatMs: 5_000, keptEvents: 100 }
    const [closed, stop] = [new AbortController().signal, new AbortController().signal]
    const handlers = { dropped: () => {}, failed: () => {} }
    const deps = { line, decode, prefixes: ['s-'], ...times, closed, head: log.head, ...handlers }
    const listening = () => [closed, stop].map((signal) => getEventListeners(signal, 'abort').length)
    for (let round = 0; round < REOPENED; round += 1) {
      for await (const _ of follow(deps, null, 10, stop)) {
        expect(listening()).to.deep.equal([1, 1])
        break
      }
      expect(listening()).to.deep.equal([0, 0])
    }
    await line.close()
  })
})
