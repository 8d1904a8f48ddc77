// Section d of the observations: sizes, and malformed requests.

import { type BinaryEventData, binaryEvent, EventStoreDBClient } from '@eventstore/db-client'
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Client, credentials } from '@grpc/grpc-js'
import { expect } from 'chai'
import { RawClient } from './raw-client.ts'
import { all, anEvent, events, newStream, PATHS, rejection, revisions, served } from './under-test.ts'

const LIMIT = 1_048_576
const bytes = (length: number, metadata?: Uint8Array): BinaryEventData =>
  binaryEvent({ type: 'Bytes', data: new Uint8Array(length), ...(metadata === undefined ? {} : { metadata }) })

describe('eventstoredb test server: limits', () => {
  const test = served({ secondReplyMs: 30 })

  for (const [path, options] of PATHS) {
    it(`${path}: accepts 1,048,576 bytes of data in one append and no more, without counting metadata`, async () => {
      const stream = newStream()
      const append = (list: BinaryEventData[]) => test.client.appendToStream(stream, list, options)
      await append([bytes(LIMIT - 10, new Uint8Array(1_000)), bytes(10)])
      const error = await rejection(append([bytes(LIMIT - 10), bytes(11)]))
      expect(error).to.include({ type: 'maximum-append-size-exceeded', maxAppendSize: LIMIT })
      expect((error as { code?: number }).code).to.equal(path === 'batch' ? undefined : 3)
      if (path === 'batch') expect((error as Error).message).to.equal('')
      expect(await revisions(test.client.readStream(stream))).to.deep.equal([0, 1])
    })

    it(`${path}: rejects more bytes also with throwOnAppendFailure=false`, async () => {
      const client = test.connect('&throwOnAppendFailure=false')
      const error = await rejection(client.appendToStream(newStream(), bytes(LIMIT + 1), options))
      expect(error).to.have.property('type', 'maximum-append-size-exceeded')
      await client.dispose()
    })

    it(`${path}: accepts 5,000 events in one append with consecutive revisions`, async () => {
      const stream = newStream()
      const { nextExpectedRevision } = await test.client.appendToStream(stream, events(5_000), options)
      expect(nextExpectedRevision).to.equal(4_999n)
    })

    it(`${path}: rejects an empty name, and $$`, async () => {
      for (const name of ['', '$$']) {
        const error = await rejection(test.client.appendToStream(name, anEvent(), options))
        const message =
          path === 'batch' ? 'Could not recognize BadRequest' : '2 UNKNOWN: Exception was thrown by handler.'
        expect(error).to.include({ type: 'unknown', message })
      }
    })
  }

  it('ends the shared call for an append of 17 MB, and the next append opens another call', async () => {
    const client = test.connect()
    const stream = newStream()
    await client.appendToStream(stream, anEvent())
    const error = await rejection(client.appendToStream(stream, bytes(17_000_000), { batchAppendSize: 20_000_000 }))
    expect(error).to.include({ type: 'unknown', code: 8 })
    expect((await client.appendToStream(stream, anEvent())).nextExpectedRevision).to.equal(1n)
    await client.dispose()
  })

  it('accepts several messages of one append with batchAppendSize 1,000', async () => {
    const stream = newStream()
    const { nextExpectedRevision } = await test.client.appendToStream(stream, events(100), { batchAppendSize: 1_000 })
    expect(nextExpectedRevision).to.equal(99n)
    const read = await all(test.client.readStream(stream))
    expect(new Set(read.map(({ event }) => event?.created.getTime())).size).to.equal(1)
  })

  it('rejects a unary append with an empty type, an invalid id or the zero id', async () => {
    const unary = PATHS[1]?.[1]
    for (const wrong of [{ type: '' }, { id: 'no-uuid' }, { id: '00000000-0000-0000-0000-000000000000' }]) {
      const error = await rejection(test.client.appendToStream(newStream(), { ...anEvent(), ...wrong }, unary))
      expect(error).to.include({ type: 'unknown', code: 2, message: '2 UNKNOWN: Exception was thrown by handler.' })
    }
  })

  it('refuses a malformed batch event at once, with a second reply later', async () => {
    const raw = new RawClient(test.server.url)
    const call = raw.batchAppend()
    const got: BatchAppendResp[] = []
    const three = new Promise<void>((resolve) => {
      call.on('data', (reply: BatchAppendResp) => void (got.push(reply) === 3 && resolve()))
    })
    const malformed = '11111111-1111-4111-8111-111111111111'
    const nameless = '22222222-2222-4222-8222-222222222222'
    call.write(raw.batchRequest(malformed, newStream(), 'no_stream', ['']))
    call.write(raw.batchRequest(nameless, '', 'no_stream', ['x']))
    await three
    const replies = got.map((reply) => [
      raw.correlationOf(reply),
      reply.getError()?.getCode(),
      reply.getError()?.getMessage(),
    ])
    expect(replies).to.deep.equal([
      [malformed, 3, 'BadRequest'],
      [nameless, 3, 'BadRequest'],
      [malformed, 4, 'Timeout'],
    ])
    call.end()
    raw.close()
  })

  it('answers an unknown call as unimplemented', async () => {
    const client = new Client(`127.0.0.1:${test.server.port}`, credentials.createInsecure())
    const encode = (): Buffer => Buffer.alloc(0)
    const path = '/event_store.client.streams.Streams/Unheard'
    const code = await new Promise((resolve) => {
      client.makeUnaryRequest(path, encode, encode, null, (error) => resolve(error?.code))
    })
    expect(code).to.equal(12)
    client.close()
  })

  it('answers a read without options with an exception of the handler', async () => {
    const raw = new RawClient(test.server.url)
    const error = await rejection(
      raw.read((options) => void options.setFilter(new streams.ReadReq.Options.FilterOptions())),
    )
    expect(error).to.include({ code: 2, details: 'Exception was thrown by handler.' })
    raw.close()
  })

  it('reports by gossip a cluster of one node, which is the leader', async () => {
    const client = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${test.server.port}?tls=false`)
    expect((await client.appendToStream(newStream(), anEvent())).success).to.equal(true)
    await client.dispose()
  })
})
