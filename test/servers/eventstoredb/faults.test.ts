// Section e of the observations, the rows of h on starting and stopping, and each fault that can be switched on.

import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { expect } from 'chai'
import { startEventStore } from './server.ts'
import { all, anEvent, events, newStream, PATHS, rejection, revisions, served, Watched } from './under-test.ts'

const UNARY = PATHS[1]?.[1]

/** Parameters that no other client has: those with the same ones share a connection within a process. */
let connections = 0
const ownConnection = (): string => {
  connections += 1
  return `&keepAliveInterval=${11_000 + connections}`
}

describe('eventstoredb test server: kill and restart', () => {
  const test = served()

  it('kill: appends in flight, reads and subscriptions fail as unavailable; a subscription never resumes', async () => {
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

  it('down: unary unavailable; batch a plain error with code 14; both recover on the same client', async () => {
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

  it('start-up window: unary and reads unavailable, batch a message nobody recognizes', async () => {
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

  it('clean stop: subscriptions and a running read end without a status', async () => {
    const stream = newStream()
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('confirmation'))
    await test.server.restart({ by: 'stop' })
    await watched.until(({ error }) => error !== null)
    const message = '13 INTERNAL: Received RST_STREAM with code 0 (Call ended without gRPC status)'
    expect(watched.error).to.include({ type: 'unknown', code: 13, message })
  })

  it('many appends around kills: none that was acknowledged is lost or has another revision', async () => {
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
      while (acknowledged.length < enough) await new Promise((resolve) => setImmediate(resolve))
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

describe('eventstoredb test server: faults', () => {
  const test = served()
  const exactly = { expectedRevision: 'no_stream' } as const

  for (const [path, options] of PATHS) {
    it(`${path}: loseAnswers: stored and never answered; a retry is`, async () => {
      const stream = newStream()
      const event = anEvent()
      test.server.loseAnswers(1)
      const lost = test.client.appendToStream(stream, event, { ...options, ...exactly, deadline: 300 })
      let settled = false
      lost.then(
        () => (settled = true),
        () => (settled = true),
      )
      while ((await revisions(test.client.readStream(stream)).catch(() => [])).length === 0);
      expect(settled).to.equal(false)
      const again = await test.client.appendToStream(stream, event, { ...options, ...exactly })
      expect(again.nextExpectedRevision).to.equal(0n)
      expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
      if (path === 'unary') expect(await rejection(lost)).to.have.property('type', 'deadline-exceeded')
    })

    it(`${path}: loseRequests: neither stored nor answered`, async () => {
      const stream = newStream()
      test.server.loseRequests(1)
      const { appends } = test.server.counts()
      const lost = rejection(test.client.appendToStream(stream, anEvent(), { ...options, deadline: 300 }))
      while (test.server.counts().appends === appends) await new Promise((resolve) => setImmediate(resolve))
      const next = await test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(next.nextExpectedRevision).to.equal(0n)
      if (path === 'unary') expect(await lost).to.have.property('type', 'deadline-exceeded')
    })

    it(`${path}: conflictOnce: refused once, nothing written`, async () => {
      const stream = newStream()
      test.server.conflictOnce()
      const append = () => test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(await rejection(append())).to.have.property('type', 'wrong-expected-version')
      expect((await append()).nextExpectedRevision).to.equal(0n)
    })

    it(`${path}: slow: held; a deadline that passes meanwhile is kept, and nothing is written`, async () => {
      const stream = newStream()
      test.server.slow(60)
      const start = Date.now()
      await test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(Date.now() - start).to.be.at.least(59)
      const late = test.client.appendToStream(stream, anEvent(), { ...options, deadline: 15 })
      expect(await rejection(late)).to.have.property('type', 'deadline-exceeded')
      // Held as long, from later on: so the one before has been let go.
      await test.client.appendToStream(newStream(), anEvent(), options)
      test.server.slow(0)
      expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
    })
  }

  it('cut: every connection is reset, and made anew at the next call', async () => {
    const watched = new Watched(test.client.subscribeToAll({ fromPosition: 'end' }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    test.server.cut()
    await watched.until(({ error }) => error !== null)
    expect(watched.error).to.include({ code: 14, message: '14 UNAVAILABLE: read ECONNRESET' })
    expect((await test.client.appendToStream(newStream(), anEvent())).success).to.equal(true)
  })

  it('freeze: nothing is answered, not even on new connections; thaw: all goes on', async () => {
    const stream = newStream()
    const another = test.connect(ownConnection())
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('confirmation'))
    test.server.freeze()
    let answered = 0
    const count = (): number => answered++
    const sent = [test.client, another].map((client) => client.appendToStream(stream, anEvent()).finally(count))
    await rejection(test.client.appendToStream(newStream(), anEvent(), { ...UNARY, deadline: 100 }))
    expect([answered, watched.events.length]).to.deep.equal([0, 0])
    test.server.thaw()
    await Promise.all(sent)
    await watched.until((one) => one.events.length === 2)
    await another.dispose()
  })

  it('freeze: keep-alive pings go unanswered, so that the client gives the connection up', async () => {
    const warn = console.warn
    console.warn = () => {}
    const client = test.connect('&keepAliveInterval=100&keepAliveTimeout=100')
    console.warn = warn
    const watched = new Watched(client.subscribeToAll({ fromPosition: 'end' }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    test.server.freeze()
    await watched.until(({ error }) => error !== null)
    expect(watched.error).to.include({ type: 'unavailable', code: 14 })
    test.server.thaw()
    await client.dispose()
  })

  it('stall: subscriptions fall silent while appends work, new ones do not; unstall: they go on', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, anEvent())
    const silent = new Watched(test.client.subscribeToStream(stream))
    await silent.until(({ seen }) => seen.includes('caughtUp'))
    test.server.stall()
    await test.client.appendToStream(stream, events(2))
    const fresh = new Watched(test.client.subscribeToStream(stream))
    await fresh.until(({ seen }) => seen.includes('caughtUp'))
    expect(fresh.seen).to.deep.equal(['confirmation', '0', '1', '2', 'caughtUp'])
    expect(silent.seen).to.deep.equal(['confirmation', '0', 'caughtUp'])
    test.server.unstall()
    await silent.until(({ seen }) => seen.includes('2'))
    expect(silent.seen).to.deep.equal(['confirmation', '0', 'caughtUp', '1', '2'])
    await fresh.subscription.unsubscribe()
  })

  it('stall of new ones too: confirmed, and silent until unstall', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, anEvent())
    test.server.stall('new')
    const silent = new Watched(test.client.subscribeToStream(stream))
    await silent.until(({ seen }) => seen.includes('confirmation'))
    await all(test.client.readStream(stream))
    expect(silent.seen).to.deep.equal(['confirmation'])
    test.server.unstall()
    await silent.until(({ seen }) => seen.includes('caughtUp'))
    expect(silent.seen).to.deep.equal(['confirmation', '0', 'caughtUp'])
  })

  it('refuse: no new connection, those there go on; accept: again', async () => {
    const another = test.connect(ownConnection())
    await test.server.refuse()
    expect((await test.client.appendToStream(newStream(), anEvent())).success).to.equal(true)
    expect(await rejection(another.appendToStream(newStream(), anEvent()))).to.include({ code: 14 })
    await test.server.accept()
    expect((await another.appendToStream(newStream(), anEvent())).success).to.equal(true)
    await another.dispose()
  })
})

describe('eventstoredb test server: where its log is kept', () => {
  const isInMemory = async (port: number): Promise<unknown> => {
    const options = (await (await fetch(`http://127.0.0.1:${port}/info/options`)).json()) as {
      name: string
      value: string
    }[]
    return options.find(({ name }) => name === 'MemDb')?.value
  }

  describe('in memory only', () => {
    const test = served({ inMemory: true })

    it('loses everything at a restart, and says so', async () => {
      const stream = newStream()
      await test.client.appendToStream(stream, events(2))
      expect(await isInMemory(test.server.port)).to.equal('True')
      await test.server.restart({ by: 'stop' })
      const { nextExpectedRevision } = await test.client.appendToStream(stream, anEvent(), {
        expectedRevision: 'no_stream',
      })
      expect(nextExpectedRevision).to.equal(0n)
    })
  })

  it('in a file: another server over it has the same log; a line cut off counts as never written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eventstore-'))
    const dataFile = join(folder, 'log')
    const first = await startEventStore({ dataFile })
    const client = EventStoreDBClient.connectionString(first.url)
    const stream = newStream()
    const list = events(2)
    const one = await client.appendToStream(stream, list, { expectedRevision: 'no_stream' })
    await client.appendToStream(stream, [])
    await client.appendToStream(stream, anEvent())
    const before = await all(client.readAll())
    await first.stop()
    appendFileSync(dataFile, '{"at":99,"stream":"cut')
    const second = await startEventStore({ dataFile })
    const other = EventStoreDBClient.connectionString(second.url)
    expect(await all(other.readAll())).to.deep.equal(before)
    expect(await other.appendToStream(stream, list, { expectedRevision: 'no_stream' })).to.deep.equal(one)
    await other.appendToStream(stream, anEvent(), { expectedRevision: 2n })
    await second.restart()
    expect(await revisions(other.readStream(stream))).to.deep.equal([0, 1, 2, 3])
    expect(await isInMemory(second.port)).to.equal('False')
    await second.stop()
    rmSync(folder, { recursive: true })
  })
})
