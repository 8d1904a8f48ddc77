// Every fault that can be enabled.

import { expect } from 'chai'
import { until } from '../../until.ts'
import { all, anEvent, events, newStream, PATHS, rejection, revisions, served, Watched } from './under-test.ts'

const UNARY = PATHS[1]?.[1]

/** Parameters that no other client has: within a process, clients with equal parameters share a connection. */
let connections = 0
const ownConnection = (): string => {
  connections += 1
  return `&keepAliveInterval=${11_000 + connections}`
}

describe('eventstoredb test server: faults', () => {
  const test = served()
  const exactly = { expectedRevision: 'no_stream' } as const

  for (const [path, options] of PATHS) {
    it(`${path}: loseAnswers stores an append without an answer, and answers a retry`, async () => {
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

    it(`${path}: loseRequests neither stores nor answers an append`, async () => {
      const stream = newStream()
      test.server.loseRequests(1)
      const { appends } = test.server.counts()
      const lost = rejection(test.client.appendToStream(stream, anEvent(), { ...options, deadline: 300 }))
      await until(() => test.server.counts().appends !== appends)
      const next = await test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(next.nextExpectedRevision).to.equal(0n)
      if (path === 'unary') expect(await lost).to.have.property('type', 'deadline-exceeded')
    })

    it(`${path}: conflictOnce refuses an append once and writes nothing`, async () => {
      const stream = newStream()
      test.server.conflictOnce()
      const append = () => test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(await rejection(append())).to.have.property('type', 'wrong-expected-version')
      expect((await append()).nextExpectedRevision).to.equal(0n)
    })

    it(`${path}: slow delays an append, and writes nothing after its deadline`, async () => {
      const stream = newStream()
      test.server.slow(60)
      const start = Date.now()
      await test.client.appendToStream(stream, anEvent(), { ...options, ...exactly })
      expect(Date.now() - start).to.be.at.least(59)
      const late = test.client.appendToStream(stream, anEvent(), { ...options, deadline: 15 })
      expect(await rejection(late)).to.have.property('type', 'deadline-exceeded')
      // Delayed as long, from a later time, so the one before has completed.
      await test.client.appendToStream(newStream(), anEvent(), options)
      test.server.slow(0)
      expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
    })
  }

  it('cut resets every connection, and the next call opens another', async () => {
    const watched = new Watched(test.client.subscribeToAll({ fromPosition: 'end' }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    test.server.cut()
    await watched.until(({ error }) => error !== null)
    expect(watched.error).to.include({ code: 14, message: '14 UNAVAILABLE: read ECONNRESET' })
    expect((await test.client.appendToStream(newStream(), anEvent())).success).to.equal(true)
  })

  it('freeze stops all answers, also on new connections, until thaw', async () => {
    const stream = newStream()
    const another = test.connect(ownConnection())
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('confirmation'))
    test.server.freeze()
    let answered = 0
    const count = (): number => answered++
    const sent = [test.client, another].map((client) => client.appendToStream(stream, anEvent()).finally(count))
    const late = newStream()
    await rejection(test.client.appendToStream(late, anEvent(), { ...UNARY, deadline: 100 }))
    expect([answered, watched.events.length]).to.deep.equal([0, 0])
    test.server.thaw()
    await Promise.all(sent)
    await watched.until((one) => one.events.length === 2)
    // A unary append that timed out meanwhile is written all the same.
    expect(await revisions(test.client.readStream(late))).to.deep.equal([0])
    await another.dispose()
  })

  it('freeze leaves keep-alive pings unanswered, so that the client closes the connection', async () => {
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

  it('stall silences open subscriptions but not appends or new subscriptions, until unstall', async () => {
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

  it('stall with new subscriptions confirms them, and they are silent until unstall', async () => {
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

  it('refuse rejects new connections and keeps open ones, until accept', async () => {
    const another = test.connect(ownConnection())
    await test.server.refuse()
    expect((await test.client.appendToStream(newStream(), anEvent())).success).to.equal(true)
    expect(await rejection(another.appendToStream(newStream(), anEvent()))).to.include({ code: 14 })
    await test.server.accept()
    expect((await another.appendToStream(newStream(), anEvent())).success).to.equal(true)
    await another.dispose()
  })
})
