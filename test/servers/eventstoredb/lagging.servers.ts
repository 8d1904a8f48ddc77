// Sections 0 and c of the observations: subscriptions with slow readers.

import { jsonEvent } from '@eventstore/db-client'
import { expect } from 'chai'
import { anEvent, newStream, served, Watched } from './under-test.ts'

describe('eventstoredb test server: readers that lag', () => {
  const test = served({ liveBuffer: 32 })

  it('drops a live subscription that is too slow, and a new one after the last event delivers every event once', async () => {
    const stream = newStream()
    const watched = new Watched(test.client.subscribeToStream(stream, { fromRevision: 'start' }))
    await test.client.appendToStream(stream, anEvent())
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    watched.subscription.pause()
    const data = { text: 'x'.repeat(1_000) }
    for (let n = 0; n < 30; n++) {
      const list = Array.from({ length: 20 }, () => jsonEvent({ type: 'Thing', data }))
      await test.client.appendToStream(stream, list)
    }
    watched.subscription.resume()
    await watched.until(({ error }) => error !== null)
    const details = 'Consumer too slow to handle event while live. Client resubscription required.'
    expect(watched.error).to.include({ type: 'timeout', code: 10 })
    expect((watched.error as Error).message).to.contain(details)
    // Events in the client's buffer arrive after the error; the real client was observed without them.
    const seen = [...watched.events]
    expect(seen.length).to.be.within(1, 600)
    const again = new Watched(test.client.subscribeToStream(stream, { fromRevision: BigInt(seen.length - 1) }))
    await again.until((one) => one.seen.includes('caughtUp'))
    const got = [...seen, ...again.events].map(({ event }) => Number(event?.revision))
    expect(got).to.deep.equal(Array.from({ length: 601 }, (_, n) => n))
  })

  it('keeps a subscription that pauses while it catches up', async () => {
    const stream = newStream()
    const data = { text: 'x'.repeat(1_000) }
    for (let n = 0; n < 4; n++) {
      await test.client.appendToStream(
        stream,
        Array.from({ length: 200 }, () => jsonEvent({ type: 'Thing', data })),
      )
    }
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until((one) => one.events.length > 0)
    watched.subscription.pause()
    for (let n = 0; n < 100; n++) await test.client.appendToStream(stream, jsonEvent({ type: 'Thing', data }))
    watched.subscription.resume()
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    expect(watched.events.map(({ event }) => Number(event?.revision))).to.deep.equal(
      Array.from({ length: 900 }, (_, n) => n),
    )
  })
})
