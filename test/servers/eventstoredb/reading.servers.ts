// Section c of the observations: reads of streams and of $all.

import { randomUUID } from 'node:crypto'
import { binaryEvent, jsonEvent, type ReadRevision } from '@eventstore/db-client'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import { identifier, RawClient } from './raw-client.ts'
import { all, anEvent, events, newStream, rejection, revisions, served } from './under-test.ts'

describe('eventstoredb test server: reading a stream', () => {
  const test = served()
  const filled = async (count = 10): Promise<string> => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(count))
    return stream
  }
  const unknown = (message: string) => ({ type: 'unknown', code: 2, message: `2 UNKNOWN: ${message}` })

  it('returns events in the recorded shape', async () => {
    const stream = newStream()
    const id = randomUUID()
    const before = Date.now()
    const data = { text: 'größer', list: [1, 2] }
    const { position } = await test.client.appendToStream(stream, [
      jsonEvent({ id: id.toUpperCase(), type: 'Thing', data, metadata: { by: 'me' } }),
    ])
    const [read] = await all(test.client.readStream(stream))
    const created = read?.event?.created ?? new Date(0)
    const event = { streamId: stream, id, revision: 0n, type: 'Thing', data, metadata: { by: 'me' }, isJson: true }
    expect(read).to.deep.equal({ event: { ...event, created, position }, commitPosition: position?.commit })
    expect(created.getTime()).to.be.within(before, Date.now())
  })

  it('returns binary events without metadata in the recorded shape', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, binaryEvent({ type: 'Bytes', data: Uint8Array.of(0, 255, 7) }))
    const [read] = await all(test.client.readStream(stream))
    expect([read?.event?.isJson, read?.event?.metadata]).to.deep.equal([false, undefined])
    expect(read?.event?.data).to.deep.equal(Uint8Array.of(0, 255, 7))
  })

  it('gives all events of one append the same timestamp', async () => {
    const read = await all(test.client.readStream(await filled(1_000)))
    expect(new Set(read.map(({ event }) => event?.created.getTime())).size).to.equal(1)
  })

  it('reads forwards from a revision inclusively, up to a count, and returns nothing beyond the end', async () => {
    const stream = await filled()
    const read = (fromRevision: ReadRevision, maxCount = 100) =>
      revisions(test.client.readStream(stream, { fromRevision, maxCount }))
    expect(await read('start')).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await read(4n, 3)).to.deep.equal([4, 5, 6])
    expect(await read(50n)).to.deep.equal([])
  })

  it('answers a forward read from END, or with maxCount 0, with an unexpected result', async () => {
    const stream = await filled()
    for (const options of [{ fromRevision: 'end' }, { maxCount: 0 }] as const) {
      const error = await rejection(all(test.client.readStream(stream, options)))
      expect(error).to.include(unknown('Unexpected ReadStreamResult: Error'))
    }
  })

  it('reads backwards from END, from a revision, and from beyond the end, and by default only revision 0', async () => {
    const stream = await filled()
    const read = (options: object) => revisions(test.client.readStream(stream, { direction: 'backwards', ...options }))
    expect(await read({ fromRevision: 'end', maxCount: 2 })).to.deep.equal([9, 8])
    expect(await read({ fromRevision: 2n })).to.deep.equal([2, 1, 0])
    expect(await read({ fromRevision: 100n, maxCount: 1 })).to.deep.equal([9])
    expect(await read({})).to.deep.equal([0])
  })

  it('answers a read of a missing stream with a not-found reply', async () => {
    const stream = newStream()
    for (const direction of ['forwards', 'backwards'] as const) {
      const error = await rejection(all(test.client.readStream(stream, { direction })))
      const message = `${stream} not found`
      expect(error).to.include({ type: 'stream-not-found', message, streamName: stream })
    }
    const raw = new RawClient(test.server.url)
    const replies = await raw.read((options) => {
      const ofStream = new streams.ReadReq.Options.StreamOptions()
      ofStream.setStreamIdentifier(identifier(stream))
      ofStream.setStart(new shared.Empty())
      options.setStream(ofStream)
    })
    const [reply] = replies
    expect(replies).to.have.length(1)
    expect(
      Buffer.from(reply?.getStreamNotFound()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    ).to.equal(stream)
    raw.close()
  })

  it('returns ids as two numbers if requested', async () => {
    const stream = newStream()
    const id = 'ffeeddcc-bbaa-4988-b766-554433221100'
    await test.client.appendToStream(stream, anEvent(id))
    const raw = new RawClient(test.server.url)
    const [reply] = await raw.read((options) => {
      const ofStream = new streams.ReadReq.Options.StreamOptions()
      ofStream.setStreamIdentifier(identifier(stream))
      ofStream.setStart(new shared.Empty())
      options.setStream(ofStream)
      const uuids = new streams.ReadReq.Options.UUIDOption()
      uuids.setStructured(new shared.Empty())
      options.setUuidOption(uuids)
    })
    const bits = reply?.getEvent()?.getEvent()?.getId()?.getStructured()
    expect(BigInt.asUintN(64, BigInt(bits?.getMostSignificantBits() ?? 0)).toString(16)).to.equal('ffeeddccbbaa4988')
    expect(BigInt.asUintN(64, BigInt(bits?.getLeastSignificantBits() ?? 0)).toString(16)).to.equal('b766554433221100')
    raw.close()
  })

  it('accepts any stream name that is not empty', async () => {
    for (const name of ['$x', '$$y', '$all', 'a b', 'a/b', 'größer 🎲', 'n'.repeat(5_000)]) {
      const stream = name.length === 5_000 ? name : `${name}`
      await test.client.appendToStream(stream, anEvent())
      const [read] = await all(test.client.readStream(stream))
      expect(read?.event?.streamId).to.equal(stream)
    }
  })

  it('answers an empty stream name with an exception of the handler', async () => {
    const error = await rejection(all(test.client.readStream('')))
    expect(error).to.include(unknown('Exception was thrown by handler.'))
  })
})

describe('eventstoredb test server: reading $all', () => {
  const test = served()
  const positions: bigint[] = []
  const at = (n: number) => ({ commit: positions[n] ?? 0n, prepare: positions[n] ?? 0n })
  const read = async (options: object) =>
    (await all(test.client.readAll(options))).map(({ event }) => positions.indexOf(event?.position?.commit ?? -1n))

  before(async () => {
    await test.client.appendToStream('one', events(3))
    await test.client.appendToStream('two', events(3))
    for await (const { event } of test.client.readAll()) positions.push(event?.position?.commit ?? 0n)
  })

  it('reads forwards from a position inclusively', async () => {
    expect(positions).to.have.length(7)
    expect(await read({ fromPosition: at(2), maxCount: 3 })).to.deep.equal([2, 3, 4])
    expect(await read({})).to.deep.equal([0, 1, 2, 3, 4, 5, 6])
  })

  it('reads backwards from a position exclusively', async () => {
    expect(await read({ direction: 'backwards', fromPosition: at(2) })).to.deep.equal([1, 0])
    expect(await read({ direction: 'backwards', fromPosition: 'end', maxCount: 2 })).to.deep.equal([6, 5])
  })

  it('refuses an invalid position, and returns nothing beyond the end', async () => {
    const inside = { commit: at(2).commit + 1n, prepare: at(2).commit + 1n }
    const wrong = { commit: at(2).commit, prepare: at(3).commit }
    const message = (fromPosition: object) =>
      rejection(read({ fromPosition })).then((error) => (error as Error).message)
    expect(await message(inside)).to.equal('2 UNKNOWN: Unexpected ReadAllResult: Error')
    expect(await message(wrong)).to.equal('2 UNKNOWN: Exception was thrown by handler.')
    expect(await read({ fromPosition: { commit: 10n ** 9n, prepare: 10n ** 9n } })).to.deep.equal([])
  })

  it('ignores a filter that is a plain JavaScript object', async () => {
    expect(await read({ filter: { filterOn: 'streamName', prefixes: ['two'] } })).to.have.length(7)
  })
})

describe('eventstoredb test server: system events', () => {
  const test = served({ systemEvents: true, systemLinks: true })

  it('are in $all between events of clients', async () => {
    await test.client.appendToStream('board-1', anEvent())
    test.server.writeStats()
    await test.client.appendToStream('board-2', anEvent())
    const types = (await all(test.client.readAll())).map(
      ({ event }) => `${event?.streamId.split(':')[0]} ${event?.type}`,
    )
    expect(types.slice(0, 2)).to.deep.equal(['$$$scavenges $metadata', '$epoch-information $epoch-information'])
    expect(types).to.include.members([
      '$stats-127.0.0.1 $statsCollected',
      '$ce-board $>',
      '$et-Thing $>',
      'board-1 Thing',
    ])
  })

  it('are resolved if requested, except links to a tombstoned stream', async () => {
    const [first] = await all(test.client.readStream('$ce-board', { resolveLinkTos: true }))
    expect([first?.event?.streamId, first?.event?.type]).to.deep.equal(['board-1', 'Thing'])
    expect([first?.link?.streamId, first?.link?.type]).to.deep.equal(['$ce-board', '$>'])
    expect(first?.commitPosition).to.equal(first?.link?.position?.commit)
    await test.client.tombstoneStream('board-1')
    const [again] = await all(test.client.readStream('$ce-board', { resolveLinkTos: true }))
    expect(again).to.have.property('link')
    expect(again).to.not.have.property('event')
  })
})
