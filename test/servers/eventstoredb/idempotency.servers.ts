// Section b of the observations: the id of an event is its key within its stream.

import { randomUUID } from 'node:crypto'
import { type AppendToStreamOptions, EventStoreDBClient } from '@eventstore/db-client'
import { expect } from 'chai'
import { startEventStore } from './server.ts'
import { anEvent, events, newStream, PATHS, rejection, revisions, served } from './under-test.ts'

type Expected = AppendToStreamOptions['expectedRevision']

describe('eventstoredb test server: idempotency', () => {
  const test = served({ rememberedIds: 1_000, duplicateBatchMs: 40, duplicateUnaryMs: 60 })

  for (const [path, options] of PATHS) {
    describe(path, () => {
      const append = (stream: string, list = events(1), expectedRevision: Expected = 'any') =>
        test.client.appendToStream(stream, list, { ...options, expectedRevision })
      const conflict = async (sent: Promise<unknown>) =>
        expect(await rejection(sent)).to.have.property('type', 'wrong-expected-version')
      const stored = (stream: string) => revisions(test.client.readStream(stream))

      it('answers a repeat with the same ids and expectation with the original result, and writes nothing', async () => {
        const stream = newStream()
        const first = events(2)
        const second = events(2)
        const one = await append(stream, first, 'no_stream')
        expect(await append(stream, first, 'no_stream')).to.deep.equal(one)
        const two = await append(stream, second, 1n)
        expect(await append(stream, second, 1n)).to.deep.equal(two)
        await append(stream, events(20))
        expect(await append(stream, first, 'no_stream')).to.deep.equal(one)
        expect(await append(stream, second, 1n)).to.deep.equal(two)
        expect(await stored(stream)).to.have.length(24)
      })

      it('answers a recent repeat with any or stream_exists with the original result, and writes nothing', async () => {
        const stream = newStream()
        const list = events(2)
        const one = await append(stream, list)
        await append(stream, events(3))
        expect(await append(stream, list)).to.deep.equal(one)
        expect(await append(stream, list, 'stream_exists')).to.deep.equal(one)
        expect(await stored(stream)).to.have.length(5)
      })

      it('writes a repeat with any again once its ids are no longer remembered, but not an exact one', async () => {
        const stream = newStream()
        const list = events(1)
        const one = await append(stream, list, 'no_stream')
        await append(newStream(), events(1_000))
        expect(await append(stream, list, 'no_stream')).to.deep.equal(one)
        expect((await append(stream, list)).nextExpectedRevision).to.equal(1n)
      })

      it('writes a repeat with any again after a restart, but not an exact one', async () => {
        const stream = newStream()
        const list = events(2)
        const one = await append(stream, list, 'no_stream')
        await test.server.restart({ by: 'stop' })
        expect(await append(stream, list, 'no_stream')).to.deep.equal(one)
        expect((await append(stream, list)).nextExpectedRevision).to.equal(3n)
        expect(await stored(stream)).to.deep.equal([0, 1, 2, 3])
      })

      it('writes an id again with any if it was appended to another stream', async () => {
        const list = events(1)
        const other = newStream()
        await append(newStream(), list)
        expect((await append(other, list)).nextExpectedRevision).to.equal(0n)
        expect((await append(other, list)).nextExpectedRevision).to.equal(1n)
      })

      it('writes old ids again at the current revision', async () => {
        const stream = newStream()
        const list = events(2)
        await append(stream, list, 'no_stream')
        expect((await append(stream, list, 1n)).nextExpectedRevision).to.equal(3n)
      })

      it('rejects the same ids at another wrong revision with a conflict', async () => {
        const stream = newStream()
        const list = events(2)
        await append(stream, list, 'no_stream')
        await append(stream, events(2))
        await conflict(append(stream, list, 0n))
        await conflict(append(stream, list, 9n))
      })

      it('answers a prefix of an earlier append with the revision and position of its last event', async () => {
        const stream = newStream()
        const list = events(3)
        await append(stream, list, 'no_stream')
        const exact = await append(stream, list.slice(0, 2), 'no_stream')
        expect(exact.nextExpectedRevision).to.equal(1n)
        expect(await append(stream, list.slice(0, 2))).to.deep.equal(exact)
        expect(await stored(stream)).to.have.length(3)
      })

      it('rejects old ids before new ids with a conflict, and writes nothing', async () => {
        const stream = newStream()
        const list = events(2)
        await append(stream, list, 'no_stream')
        const error = await rejection(append(stream, [...list, anEvent()]))
        expect(error).to.include({ type: 'wrong-expected-version', expectedVersion: 'any' })
        await conflict(append(stream, [...list, anEvent()], 'no_stream'))
        expect(await stored(stream)).to.have.length(2)
      })

      it('writes new ids before old ids with any, and rejects them at an exact revision', async () => {
        const stream = newStream()
        const list = events(1)
        await append(stream, list, 'no_stream')
        await conflict(append(stream, [anEvent(), ...list], 'no_stream'))
        expect((await append(stream, [anEvent(), ...list])).nextExpectedRevision).to.equal(2n)
      })

      it('never answers old ids in another order with any, and rejects them at an exact revision', async () => {
        const stream = newStream()
        const [a = anEvent(), b = anEvent(), c = anEvent()] = events(3)
        await append(stream, [a, b, c], 'no_stream')
        let isAnswered = false
        void append(stream, [c, a]).then(
          () => (isAnswered = true),
          () => {},
        )
        await conflict(append(stream, [c, a], 'no_stream'))
        expect(isAnswered).to.equal(false)
      })

      it('writes the same id twice in one append, and answers a repeat with any with revision 0', async () => {
        const stream = newStream()
        const id = randomUUID()
        expect((await append(stream, [anEvent(id), anEvent(id)])).nextExpectedRevision).to.equal(1n)
        expect((await append(stream, [anEvent(id), anEvent(id)])).nextExpectedRevision).to.equal(0n)
        expect(await stored(stream)).to.have.length(2)
      })

      it('accepts the same id with other data, and keeps the original', async () => {
        const stream = newStream()
        const id = randomUUID()
        await append(stream, [anEvent(id, 1)], 'no_stream')
        expect((await append(stream, [anEvent(id, 2)], 'no_stream')).nextExpectedRevision).to.equal(0n)
        for await (const { event } of test.client.readStream(stream)) expect(event?.data).to.deep.equal({ n: 1 })
      })

      it('answers a repeat with any after a soft delete with the old revision, and writes nothing', async () => {
        const stream = newStream()
        const list = events(2)
        await append(stream, list)
        await test.client.deleteStream(stream)
        expect(await append(stream, list)).to.deep.equal({
          success: true,
          nextExpectedRevision: 1n,
          position: undefined,
        })
        expect(await rejection(stored(stream))).to.have.property('type', 'stream-not-found')
      })
    })
  }
})

describe('eventstoredb test server: duplicates in flight', () => {
  const test = served({ flushMs: 30, duplicateBatchMs: 40, duplicateUnaryMs: 60 })

  for (const [path, options] of PATHS) {
    for (const expectedRevision of ['no_stream', 'any'] as const) {
      it(`${path}, ${expectedRevision}: answers one of three concurrent copies and a later repeat`, async () => {
        const stream = newStream()
        const event = anEvent()
        const send = () => test.client.appendToStream(stream, event, { ...options, expectedRevision })
        const settled = await Promise.allSettled([send(), send(), send()])
        const outcomes = settled.map((one) =>
          one.status === 'fulfilled' ? ['ok'] : [one.reason.type, one.reason.code, one.reason.message],
        )
        const timeout =
          path === 'batch'
            ? ['deadline-exceeded', undefined, '']
            : ['timeout', 10, '10 ABORTED: Operation timed out: Commit phase timeout.']
        expect(outcomes.sort((a, b) => b.length - a.length)).to.deep.equal([timeout, timeout, ['ok']])
        expect((await send()).nextExpectedRevision).to.equal(0n)
        expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
      })
    }
  }

  it('may answer two of three concurrent copies', async () => {
    const server = await startEventStore({ flushMs: 30, duplicateBatchMs: 40, copiesAnswered: 1 })
    const client = EventStoreDBClient.connectionString(server.url)
    await client.appendToStream(newStream(), anEvent())
    const [stream, event] = [newStream(), anEvent()]
    const send = () => client.appendToStream(stream, event, { expectedRevision: 'no_stream' })
    const settled = await Promise.allSettled([send(), send(), send()])
    expect(settled.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'fulfilled', 'rejected'])
    expect(await revisions(client.readStream(stream))).to.deep.equal([0])
    await client.dispose()
    await server.stop()
  })

  it('answers a second copy just after the first answer with the same result', async () => {
    const stream = newStream()
    const event = anEvent()
    const first = await test.client.appendToStream(stream, event, { expectedRevision: 'no_stream' })
    expect(await test.client.appendToStream(stream, event, { expectedRevision: 'no_stream' })).to.deep.equal(first)
  })
})
