// Section e of the observations, and those of section h about starts and stops.

import { randomUUID } from 'node:crypto'
import { jsonEvent } from '@eventstore/db-client'
import { expect } from 'chai'
import { until } from '../../until.ts'
import { all, anEvent, newStream, PATHS, rejection, revisions, served, Watched } from './under-test.ts'

const UNARY = PATHS[1]?.[1]

describe('eventstoredb test server: kill and restart', () => {
  const test = served()

  it('fails appends, reads and subscriptions as unavailable when killed, and no subscription resumes', async () => {
    const stream = newStream()
    const data = { text: 'x'.repeat(1_000) }
    for (let n = 0; n < 8; n++) {
      await test.client.appendToStream(
        stream,
        Array.from({ length: 200 }, () => jsonEvent({ type: 'Thing', data })),
      )
    }
    const watched = new Watched(test.client.subscribeToStream(stream, { fromRevision: 'end' }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    const read = test.client.readStream(stream)[Symbol.asyncIterator]()
    await read.next()
    test.server.freeze()
    const append = rejection(test.client.appendToStream(stream, anEvent()))
    await test.server.restart()
    const reset = { type: 'unavailable', code: 14, message: '14 UNAVAILABLE: read ECONNRESET' }
    expect(await append).to.include(reset)
    const rest = async (): Promise<void> => {
      while (!(await read.next()).done);
    }
    expect(await rejection(rest())).to.include({ type: 'unavailable', code: 14 })
    await watched.until(({ error }) => error !== null)
    expect(watched.error).to.include(reset)
    const seen = [...watched.seen]
    await test.client.appendToStream(stream, anEvent())
    expect(watched.seen).to.deep.equal(seen)
  })

  it('fails appends while it is down, and the same client recovers', async () => {
    const stream = newStream()
    const client = test.connect()
    await client.appendToStream(stream, anEvent(), { expectedRevision: 'no_stream' })
    await test.server.stop()
    await rejection(client.appendToStream(stream, anEvent()))
    const batch = await rejection(client.appendToStream(stream, anEvent()))
    expect(batch).to.include({ code: 14 })
    expect(batch).to.not.have.property('type')
    expect(await rejection(client.appendToStream(stream, anEvent(), UNARY))).to.include({
      type: 'unavailable',
      code: 14,
    })
    await test.server.restart()
    expect((await client.appendToStream(stream, anEvent(), { expectedRevision: 0n })).nextExpectedRevision).to.equal(1n)
    expect(await revisions(client.readStream(stream))).to.deep.equal([0, 1])
    await client.dispose()
  })

  it('fails calls while it starts, batch appends with an unknown message', async () => {
    const client = test.connect()
    const stream = newStream()
    await test.server.restart({ notReadyMs: 60_000 })
    expect(await rejection(client.appendToStream(stream, anEvent()))).to.include({
      type: 'unknown',
      message: 'Could not recognize Server Is Not Ready',
      code: undefined,
    })
    const unavailable = { type: 'unavailable', code: 14, message: '14 UNAVAILABLE: Server Is Not Ready' }
    expect(await rejection(client.appendToStream(stream, anEvent(), UNARY))).to.include(unavailable)
    expect(await rejection(all(client.readAll()))).to.include(unavailable)
    await client.dispose()
    await test.server.restart()
    expect((await test.client.appendToStream(stream, anEvent())).nextExpectedRevision).to.equal(0n)
  })

  it('ends subscriptions and running reads without a status on an orderly stop', async () => {
    const stream = newStream()
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('confirmation'))
    await test.server.restart({ by: 'stop' })
    await watched.until(({ error }) => error !== null)
    const message = '13 INTERNAL: Received RST_STREAM with code 0 (Call ended without gRPC status)'
    expect(watched.error).to.include({ type: 'unknown', code: 13, message })
  })

  it('keeps every acknowledged append at its revision over many kills', async () => {
    const acknowledged: { readonly stream: string; readonly revision: bigint; readonly id: string }[] = []
    let stopped = false
    const work = async (): Promise<void> => {
      const client = test.connect()
      const stream = newStream()
      while (!stopped) {
        const id = randomUUID()
        const sent = client.appendToStream(stream, anEvent(id))
        await sent.then(
          ({ nextExpectedRevision: revision }) => acknowledged.push({ stream, revision, id }),
          () => {},
        )
      }
      await client.dispose()
    }
    const workers = Array.from({ length: 4 }, work)
    for (const enough of [200, 400, 600]) {
      await until(() => acknowledged.length >= enough)
      await test.server.restart()
    }
    stopped = true
    await Promise.all(workers)
    const stored = new Map<string, bigint>()
    for await (const { event } of test.client.readAll()) {
      if (event !== undefined) stored.set(`${event.streamId} ${event.id}`, event.revision)
    }
    const wrong = acknowledged.filter(({ stream, id, revision }) => stored.get(`${stream} ${id}`) !== revision)
    expect(acknowledged.length).to.be.at.least(600)
    expect(wrong).to.deep.equal([])
  })
})
