// The log on EventStoreDB passes the contract on an empty server and on one with much foreign data, and keeps
// guarantees beyond it. If EVENTSTORE_URL is set, the contract is also checked on that server.

import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Log } from '../../stores/contract/log.ts'
import { NotSent } from '../../stores/contract/log.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { hexOf, parsePosition, positionOf } from '../../stores/eventstoredb/position.ts'
import { appended, everything, idsOf, someEvent, someEvents } from '../contracts/events.ts'
import { logChecks } from '../contracts/log.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import {
  type EventStoreServer,
  type EventStoreOptions as ServerOptions,
  startEventStore,
} from '../servers/eventstoredb/server.ts'
import { openApart } from './eventstoredb-logs.ts'

let server: EventStoreServer
before(async () => {
  server = await startEventStore({ systemEvents: true })
})
after(() => server.stop())

async function openAlone(options: ServerOptions): Promise<Log> {
  const own = await startEventStore(options)
  const log = await openEventStore({ url: own.url, prefixes: ['s-'] })
  const close = async () => {
    await log.close()
    await own.stop()
  }
  return { ...log, close }
}

testContract('the log on EventStoreDB', logChecks, () => openAlone({}))

testContract('the log on an EventStoreDB among records of the system', logChecks, () =>
  openAlone({ systemEvents: true, systemLinks: true }),
)

const given = process.env.EVENTSTORE_URL
if (given !== undefined)
  testContract('the log on the EventStoreDB of EVENTSTORE_URL', logChecks, () => openApart({ url: given }))

describe('the log on an EventStoreDB that others use too', () => {
  let log: Log
  let other: EventStoreDBClient
  const foreign: string[] = []
  const prefix = 'mine-'

  before(async () => {
    other = EventStoreDBClient.connectionString(server.url)
    const onForeign = (stream: string, type: string) => foreign.push(`${stream} ${type}`)
    log = await openEventStore({ url: server.url, prefixes: [prefix, 'ours_'], onForeign })
  })
  after(async () => {
    await log.close()
    await other.dispose()
  })

  const strange = (stream: string, count: number) =>
    other.appendToStream(
      stream,
      Array.from({ length: count }, () => jsonEvent({ type: 'Strange', data: { n: 1 } })),
      { expectedRevision: 'any' },
    )

  it('returns and counts only our events, with any number of foreign events between them', async () => {
    const sent = [someEvent(), someEvent(), someEvent()] as const
    expect(await log.head()).to.equal(null)
    await strange('theirs-1', 50)
    expect(await log.head()).to.equal(null)
    expect(await log.readAll(null, 10)).to.deep.equal([])
    await appended(log, 'mine-1', 'none', [sent[0]])
    await strange('theirs-2', 100)
    await appended(log, 'ours_1', 'none', [sent[1]])
    await strange('theirs-3', 500)
    const { position } = await appended(log, 'mine-2', 'none', [sent[2]])
    await strange('theirs-4', 3_000)
    expect(await log.head()).to.equal(position)
    expect(idsOf(await log.readAll(null, 10))).to.deep.equal(idsOf(sent))
    expect(idsOf(await log.readAll(null, 2))).to.deep.equal(idsOf(sent.slice(0, 2)))
    expect(await log.readAll(position, 10)).to.deep.equal([])
    const stop = new AbortController()
    const followed: string[] = []
    for await (const events of log.subscribe(null, 10, stop.signal)) {
      followed.push(...idsOf(events))
      if (followed.length === 3) stop.abort()
    }
    expect(followed).to.deep.equal(idsOf(sent))
  })

  it('skips and reports events in our streams that are not ours', async () => {
    const prefixed = `${prefix}strange`
    const [first, second] = [someEvent(), someEvent()]
    await appended(log, prefixed, 'none', [first])
    foreign.length = 0
    const bad = { type: 'Strange', contentType: 'application/json' as const, metadata: undefined }
    await other.appendToStream(
      prefixed,
      [
        { ...bad, id: randomUUID(), data: { n: 1 } },
        { ...bad, id: randomUUID(), data: [1], metadata: { ...first.meta } },
        { ...bad, id: randomUUID(), contentType: 'application/octet-stream', data: new Uint8Array([0xff]) },
      ],
      { expectedRevision: 'any' },
    )
    expect(await log.append(prefixed, 0, [second])).to.deep.equal({ kind: 'conflict' })
    await appended(log, prefixed, 3, [second])
    const ours = await log.readStream(prefixed, 0, 2)
    expect(idsOf(ours)).to.deep.equal(idsOf([first, second]))
    expect(ours.map(({ revision }) => revision)).to.deep.equal([0, 4])
    expect(await log.readAll(ours[0]?.position ?? null, 10)).to.deep.equal(ours.slice(1))
    expect(new Set(foreign)).to.deep.equal(new Set([`${prefixed} Strange`]))
    const strangePosition = (await everything(log)).at(-1)?.position
    expect(await log.head()).to.equal(strangePosition)
  })

  it('continues if one of our streams has a tombstone', async () => {
    const event = someEvent()
    await appended(log, `${prefix}dead`, 'none', [event])
    const { position } = (await everything(log)).at(-1) ?? { position: '' }
    await other.tombstoneStream(`${prefix}dead`, { expectedRevision: 'any' })
    expect(idsOf(await log.readAll(null, 1_000))).to.include(event.id)
    expect(await log.head()).to.equal(position)
    const later = someEvent()
    const following = log.subscribe(position, 5, new AbortController().signal)[Symbol.asyncIterator]()
    await appended(log, `${prefix}alive`, 'none', [later])
    expect(idsOf((await following.next()).value ?? [])).to.deep.equal([later.id])
    await following.return?.()
  })
})

describe('the log on EventStoreDB', () => {
  it('acknowledges a repeated prefix of an append, as often as it is sent', async () => {
    const log = await openApart({ url: server.url })
    const events = someEvents(4)
    await appended(log, 's-1', 'none', events)
    const stored = await log.readStream('s-1', 0, 4)
    for (const count of [1, 2, 4, 3]) {
      const again = { kind: 'appended', revision: count - 1, position: stored[count - 1]?.position }
      expect(await log.append('s-1', 'none', events.slice(0, count))).to.deep.equal(again)
    }
    await log.close()
  })

  it('verifies a reported conflict against the stream', async () => {
    const own = await startEventStore()
    const log = await openEventStore({ url: own.url, prefixes: ['s-'] })
    const events = someEvents(2)
    const result = await log.append('s-1', 'none', events)
    own.conflictOnce()
    expect(await log.append('s-1', 'none', events)).to.deep.equal(result)
    own.conflictOnce()
    expect(await log.append('s-1', 1, someEvents(1))).to.deep.equal({ kind: 'conflict' })
    expect(await everything(log)).to.have.length(2)
    await log.close()
    await own.stop()
  })

  it('never sends an event that would make the server answer twice', async () => {
    const log = await openApart({ url: server.url })
    const zero = { ...someEvent(), id: '00000000-0000-0000-0000-000000000000' }
    expect(await log.append('s-1', 'none', [zero]).catch((error: unknown) => error)).to.be.an.instanceOf(NotSent)
    await log.close()
  })

  it('keeps the order of concurrent appends to one stream', async () => {
    const log = await openApart({ url: server.url })
    const events = someEvents(300)
    const results = await Promise.all(events.map((event, n) => log.append('s-1', n === 0 ? 'none' : n - 1, [event])))
    expect(results.map(({ kind }) => kind)).to.deep.equal(Array(300).fill('appended'))
    expect(idsOf(await log.readStream('s-1', 0, 300))).to.deep.equal(idsOf(events))
    await log.close()
  })

  it('completes its appends when another log of the same process is closed during them', async () => {
    const [log, closed] = [await openApart({ url: server.url }), await openApart({ url: server.url })]
    const outcomes: Promise<unknown>[] = []
    for (let n = 0; n < 200; n += 1) {
      outcomes.push(log.append(`s-${n}`, 'none', someEvents(1)))
      closed.append(`s-${n}`, 'none', someEvents(1)).catch(() => {})
      if (n === 100) await closed.close()
    }
    const kinds = (await Promise.all(outcomes)).map((result) => (result as { kind: string }).kind)
    expect(kinds).to.deep.equal(Array(200).fill('appended'))
    await log.close()
  })

  it('finds no event at an invalid position, and reads nothing from there', async () => {
    const log = await openApart({ url: server.url })
    const { position } = await appended(log, 's-1', 'none', someEvents(2))
    const [first] = await log.readAll(null, 1)
    const inside = (BigInt(`0x${first?.position.slice(0, 16)}`) + 1n).toString(16).padStart(16, '0')
    const beyond = (BigInt(`0x${position.slice(0, 16)}`) + 1_000_000n).toString(16).padStart(16, '0')
    for (const none of ['', 'C:1/P:1', '0000000000000002', `${inside}z`, `${beyond}z`, `${inside}${beyond}`]) {
      expect(await log.eventAt(none), none).to.equal(null)
    }
    expect(await log.readAll('C:1/P:1', 1).catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
    expect(await log.readAll(`${inside}z`, 1).catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    await log.close()
  })

  it('rejects a subscription when it is closed', async () => {
    const log = await openApart({ url: server.url })
    const next = log.subscribe(null, 9, new AbortController().signal)[Symbol.asyncIterator]().next()
    await log.close()
    expect(await next.catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    expect(await log.head().catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    expect(await log.append('s-1', 'none', someEvents(1)).catch((error: unknown) => error)).to.be.an.instanceOf(Error)
  })
})

describe('positions of EventStoreDB', () => {
  it('sort as text in the order of their pairs, and decode to the same pairs', () => {
    const word = fc.bigInt({ min: 0n, max: 2n ** 63n - 2n })
    const pair = fc.tuple(word, word).map(([a, b]) => (a < b ? { commit: b, prepare: a } : { commit: a, prepare: b }))
    const near = fc.tuple(word, fc.nat(3), fc.nat(3)).map(([base, up, down]) => {
      const commit = base + BigInt(up)
      return { commit, prepare: commit > BigInt(down) ? commit - BigInt(down) : commit }
    })
    const hex = (n: bigint) => hexOf(Number(n >> 32n), Number(n & 0xffff_ffffn))
    const text = ({ commit, prepare }: { commit: bigint; prepare: bigint }) => positionOf(hex(commit), hex(prepare))
    const either = fc.oneof(pair, near)
    fc.assert(
      fc.property(either, either, (a, b) => {
        expect(parsePosition(text(a))).to.deep.equal({ commit: `${a.commit}`, prepare: `${a.prepare}` })
        const isBefore = a.commit < b.commit || (a.commit === b.commit && a.prepare < b.prepare)
        expect(text(a) < text(b)).to.equal(isBefore)
      }),
    )
  })
})
