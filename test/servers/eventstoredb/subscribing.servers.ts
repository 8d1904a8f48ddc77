// Section c of the observations: catch-up subscriptions.

import { eventTypeFilter, excludeSystemEvents, jsonEvent, type Position, streamNameFilter } from '@eventstore/db-client'
import { expect } from 'chai'
import { all, anEvent, events, newStream, served, Watched } from './under-test.ts'

describe('eventstoredb test server: subscriptions to a stream', () => {
  const test = served()

  it('emits confirmation, history, caughtUp and new events, and end and close on unsubscribe', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(2))
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    await test.client.appendToStream(stream, events(1))
    await watched.until(({ seen }) => seen.includes('2'))
    await watched.subscription.unsubscribe()
    await watched.until(({ seen }) => seen.includes('close'))
    expect(watched.seen).to.deep.equal(['confirmation', '0', '1', 'caughtUp', '2', 'end', 'close'])
  })

  it('starts after fromRevision, and from END with new events only', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(5))
    const from = new Watched(test.client.subscribeToStream(stream, { fromRevision: 2n }))
    const end = new Watched(test.client.subscribeToStream(stream, { fromRevision: 'end' }))
    await end.until(({ seen }) => seen.includes('caughtUp'))
    await from.until(({ seen }) => seen.includes('caughtUp'))
    await test.client.appendToStream(stream, events(1))
    for (const watched of [from, end]) await watched.until(({ seen }) => seen.includes('5'))
    expect(from.seen).to.deep.equal(['confirmation', '3', '4', 'caughtUp', '5'])
    expect(end.seen).to.deep.equal(['confirmation', 'caughtUp', '5'])
  })

  it('skips new events up to a start beyond the end', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(2))
    const watched = new Watched(test.client.subscribeToStream(stream, { fromRevision: 4n }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    await test.client.appendToStream(stream, events(4))
    await watched.until(({ seen }) => seen.includes('5'))
    expect(watched.seen).to.deep.equal(['confirmation', 'caughtUp', '5'])
  })

  it('confirms a subscription to a missing stream, and emits caughtUp after its first event', async () => {
    const stream = newStream()
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('confirmation'))
    await test.client.appendToStream(newStream(), anEvent())
    expect(watched.seen).to.deep.equal(['confirmation'])
    await test.client.appendToStream(stream, anEvent())
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    expect(watched.seen).to.deep.equal(['confirmation', '0', 'caughtUp'])
  })

  it('delivers a tombstone before the error, and does not confirm a subscription to a tombstoned stream', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(1))
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    await test.client.tombstoneStream(stream)
    await watched.until(({ error }) => error !== null)
    expect(watched.seen.slice(0, 5)).to.deep.equal(['confirmation', '0', 'caughtUp', '9223372036854775807', 'error'])
    expect(watched.error).to.include({ type: 'stream-deleted', streamName: stream })
    const late = new Watched(test.client.subscribeToStream(stream))
    await late.until(({ error }) => error !== null)
    expect(late.seen[0]).to.equal('error')
  })

  it('emits nothing for a soft deletion, and delivers later events', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(2))
    const watched = new Watched(test.client.subscribeToStream(stream))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    await test.client.deleteStream(stream)
    await test.client.appendToStream(stream, events(1))
    await watched.until(({ seen }) => seen.includes('2'))
    expect(watched.seen).to.deep.equal(['confirmation', '0', '1', 'caughtUp', '2'])
  })
})

describe('eventstoredb test server: subscriptions to $all', () => {
  const test = served({ systemEvents: true })
  const everything = () => all(test.client.readAll())
  const last = async (): Promise<Position> => {
    const position = (await everything()).at(-1)?.event?.position
    if (position === undefined) throw new Error('the log is empty')
    return position
  }

  it('starts after fromPosition, and emits caughtUp right after confirmation from END', async () => {
    await test.client.appendToStream(newStream(), events(3))
    const tail = (await everything()).slice(-3)
    const fromPosition = tail[0]?.event?.position ?? 'start'
    const watched = new Watched(test.client.subscribeToAll({ fromPosition }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    expect(watched.seen).to.deep.equal(['confirmation', '1', '2', 'caughtUp'])
    const end = new Watched(test.client.subscribeToAll({ fromPosition: 'end' }))
    await end.until(({ seen }) => seen.includes('caughtUp'))
    expect(end.seen).to.deep.equal(['confirmation', 'caughtUp'])
  })

  it('confirms a start beyond the end without an error', async () => {
    const fromPosition = { commit: 10n ** 12n, prepare: 10n ** 12n }
    const watched = new Watched(test.client.subscribeToAll({ fromPosition }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    expect(watched.seen).to.deep.equal(['confirmation', 'caughtUp'])
  })

  it('delivers all later events for a start slightly beyond the end', async () => {
    const beyond = (await last()).commit + 1_000n
    const fromPosition = { commit: beyond, prepare: beyond }
    const watched = new Watched(test.client.subscribeToAll({ fromPosition }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    const stream = newStream()
    await test.client.appendToStream(stream, events(30))
    await watched.until((one) => one.events.length >= 30)
    const own = (await all(test.client.readStream(stream))).map(({ event }) => event?.position?.commit ?? 0n)
    expect(own.some((position) => position < beyond)).to.equal(true)
    expect(watched.events.map(({ event }) => event?.position?.commit)).to.deep.equal(own)
  })

  it('answers an invalid position with an exception of the handler', async () => {
    const { commit } = await last()
    for (const fromPosition of [
      { commit: commit - 1n, prepare: commit - 1n },
      { commit, prepare: commit + 1n },
    ]) {
      const watched = new Watched(test.client.subscribeToAll({ fromPosition }))
      await watched.until(({ error }) => error !== null)
      expect(watched.error).to.include({ code: 2, message: '2 UNKNOWN: Exception was thrown by handler.' })
    }
  })

  it('filters by stream prefix, stream regex, type prefix and system events, in history and live', async () => {
    const fromPosition = await last()
    const suffix = newStream()
    const write = async (): Promise<void> => {
      await test.client.appendToStream(`a-${suffix}`, jsonEvent({ type: 'Left', data: {} }))
      await test.client.appendToStream(`b-${suffix}`, jsonEvent({ type: 'Right', data: {} }))
      test.server.writeStats()
    }
    await write()
    const cases = [
      [streamNameFilter({ prefixes: [`a-${suffix}`, 'none'] }), ['Left']],
      [streamNameFilter({ regex: `^b-${suffix}$` }), ['Right']],
      [eventTypeFilter({ prefixes: ['Rig'] }), ['Right']],
      [eventTypeFilter({ regex: 'ef' }), ['Left']],
      [excludeSystemEvents(), ['Left', 'Right']],
    ] as const
    const open = cases.map(([filter, types]) => ({
      types,
      watched: new Watched(test.client.subscribeToAll({ fromPosition, filter })),
    }))
    for (const { watched } of open) await watched.until(({ seen }) => seen.includes('caughtUp'))
    await write()
    for (const { watched, types } of open) {
      await watched.until((one) => one.events.length === 2 * types.length)
      expect(watched.events.map(({ event }) => event?.type)).to.deep.equal([...types, ...types])
    }
  })

  it('sends one checkpoint per interval of scanned records, the first at 0, and none by time', async () => {
    await test.client.appendToStream(newStream(), events(300))
    const scanned = (await everything()).map(({ event }) => event?.position?.commit ?? 0n)
    for (const [maxSearchWindow, checkpointInterval] of [
      [undefined, 1],
      [undefined, 2],
      [100, 1],
    ] as const) {
      const every = (maxSearchWindow ?? 32) * checkpointInterval
      const positions: bigint[] = []
      const filter = streamNameFilter({
        prefixes: ['nothing-of-that-name'],
        checkpointInterval,
        ...(maxSearchWindow === undefined ? {} : { maxSearchWindow }),
        checkpointReached: (_, { commit }) => void positions.push(commit),
      })
      const watched = new Watched(test.client.subscribeToAll({ filter }))
      await watched.until(({ seen }) => seen.includes('caughtUp'))
      const expected = Array.from(
        { length: Math.floor(scanned.length / every) },
        (_, n) => scanned[(n + 1) * every - 1],
      )
      expect(positions).to.deep.equal([0n, ...expected])
      await watched.subscription.unsubscribe()
    }
  })

  it('sends checkpoints while live', async () => {
    const positions: bigint[] = []
    const checkpointReached = (_: unknown, { commit }: Position) => void positions.push(commit)
    const filter = streamNameFilter({ prefixes: ['wanted-'], checkpointReached })
    const watched = new Watched(test.client.subscribeToAll({ fromPosition: 'end', filter }))
    await watched.until(({ seen }) => seen.includes('caughtUp'))
    const stream = newStream()
    for (let n = 0; n < 80; n++) await test.client.appendToStream(stream, anEvent())
    await test.client.appendToStream('wanted-1', anEvent())
    await watched.until((one) => one.events.length === 1)
    const own = (await all(test.client.readStream(stream))).map(({ event }) => event?.position?.commit)
    expect(positions).to.deep.equal([own[31], own[63]])
  })

  it('never gets interval 0, which the client refuses', () => {
    const subscribe = () =>
      test.client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['a'], checkpointInterval: 0 }) })
    expect(subscribe).to.throw('CheckpointInterval must be greater than 0.')
  })

  it('answers an invalid regular expression with an exception of the handler', async () => {
    const watched = new Watched(test.client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) }))
    await watched.until(({ error }) => error !== null)
    expect(watched.error).to.include({ code: 2 })
  })
})
