// Section c of the observations: deletion, tombstones and stream metadata.

import type { EventStoreDBClient, StreamMetadata } from '@eventstore/db-client'
import { expect } from 'chai'
import { all, anEvent, events, newStream, PATHS, rejection, revisions, served } from './under-test.ts'

describe('eventstoredb test server: soft deletion', () => {
  const test = served()
  const deleted = async (count = 3): Promise<string> => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(count))
    await test.client.deleteStream(stream)
    return stream
  }

  it('reads a deleted stream as missing, with the largest integer in its metadata, and accepts a second deletion', async () => {
    const stream = await deleted()
    expect(await rejection(all(test.client.readStream(stream)))).to.include({ type: 'stream-not-found' })
    const { metadata, metastreamRevision } = await test.client.getStreamMetadata(stream)
    expect(metadata).to.deep.equal({ truncateBefore: 2 ** 63 })
    const [record] = await all(test.client.readStream(`$$${stream}`))
    expect(metastreamRevision).to.equal(record?.event?.position?.commit)
    const { position } = await test.client.deleteStream(stream)
    expect(position?.commit).to.equal(position?.prepare)
  })

  it('appends after the old last revision, also with no_stream and at exactly that revision', async () => {
    for (const expectedRevision of ['any', 'no_stream', 2n] as const) {
      const stream = await deleted()
      const { nextExpectedRevision } = await test.client.appendToStream(stream, events(2), { expectedRevision })
      expect(nextExpectedRevision).to.equal(4n)
      expect(await revisions(test.client.readStream(stream))).to.deep.equal([3, 4])
      expect((await test.client.getStreamMetadata(stream)).metadata).to.deep.equal({ truncateBefore: 3 })
    }
  })

  it('rejects an append with stream_exists as deleted', async () => {
    const stream = await deleted()
    for (const [path, options] of PATHS) {
      const sent = test.client.appendToStream(stream, anEvent(), { ...options, expectedRevision: 'stream_exists' })
      expect(await rejection(sent), path).to.include({ type: 'stream-deleted', streamName: stream })
    }
  })

  it('rejects deleteStream on a missing stream with a numeric conflict', async () => {
    const stream = newStream()
    const error = await rejection(test.client.deleteStream(stream))
    const expected = {
      type: 'wrong-expected-version',
      code: 9,
      streamName: stream,
      expectedVersion: -2n,
      actualVersion: -1n,
    }
    expect(error).to.include(expected)
  })

  it('rejects deleteStream at another revision with a conflict', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(3))
    const error = await rejection(test.client.deleteStream(stream, { expectedRevision: 0n }))
    expect(error).to.include({ type: 'wrong-expected-version', expectedVersion: 0n, actualVersion: 2n })
    await test.client.deleteStream(stream, { expectedRevision: 2n })
  })

  it('keeps deleted and truncated events in $all', async () => {
    const stream = await deleted()
    const found = (await all(test.client.readAll())).filter(({ event }) => event?.streamId === stream)
    expect(found).to.have.length(3)
  })
})

describe('eventstoredb test server: tombstones', () => {
  const test = served()

  it('rejects every call on the stream with StreamDeletedError', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(2))
    await test.client.tombstoneStream(stream)
    const calls: ((client: EventStoreDBClient) => Promise<unknown>)[] = [
      (client) => all(client.readStream(stream)),
      (client) => client.deleteStream(stream),
      (client) => client.tombstoneStream(stream),
      (client) => client.appendToStream(stream, anEvent(), PATHS[1]?.[1]),
    ]
    for (const call of calls) {
      expect(await rejection(call(test.client))).to.include({ type: 'stream-deleted', code: 9, streamName: stream })
    }
    expect(await rejection(test.client.getStreamMetadata(stream))).to.include({ type: 'stream-deleted' })
    const batch = await rejection(test.client.appendToStream(stream, anEvent()))
    expect(batch).to.include({ type: 'stream-deleted', message: '', code: undefined, streamName: stream })
  })

  it('shows a $streamDeleted event at the largest revision in $all', async () => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(2))
    await test.client.tombstoneStream(stream)
    const last = (await all(test.client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 })))[0]
    expect([last?.event?.type, last?.event?.revision]).to.deep.equal(['$streamDeleted', 9223372036854775807n])
  })
})

describe('eventstoredb test server: metadata', () => {
  const test = served()
  const filled = async (metadata: StreamMetadata): Promise<string> => {
    const stream = newStream()
    await test.client.appendToStream(stream, events(10))
    await test.client.setStreamMetadata(stream, metadata)
    return stream
  }

  it('returns events 7, 8 and 9 of 10 with $maxCount 3, and skipped events do not count towards the limit', async () => {
    const stream = await filled({ maxCount: 3 })
    expect(await revisions(test.client.readStream(stream))).to.deep.equal([7, 8, 9])
    const some = await revisions(test.client.readStream(stream, { fromRevision: 2n, maxCount: 2 }))
    expect(some).to.deep.equal([7, 8])
  })

  it('returns no events and no error with $tb beyond the last revision, which does not change', async () => {
    const stream = await filled({ truncateBefore: 50 })
    for (const options of [{}, { direction: 'backwards', fromRevision: 'end' }] as const) {
      expect(await revisions(test.client.readStream(stream, options))).to.deep.equal([])
    }
    const { nextExpectedRevision } = await test.client.appendToStream(stream, anEvent(), { expectedRevision: 9n })
    expect(nextExpectedRevision).to.equal(10n)
  })

  it('filters by $maxAge on reads, and hides nothing with 0', async () => {
    const stream = await filled({ maxAge: 1 })
    expect(await revisions(test.client.readStream(stream))).to.have.length(10)
    while ((await revisions(test.client.readStream(stream))).length > 0);
    await test.client.setStreamMetadata(stream, { maxAge: 0 })
    expect(await revisions(test.client.readStream(stream))).to.have.length(10)
  })

  it('appends metadata to their own stream, and uses only the newest', async () => {
    const stream = await filled({ maxCount: 3, own: 1 })
    await test.client.setStreamMetadata(stream, { truncateBefore: 4 })
    expect((await test.client.getStreamMetadata(stream)).metadata).to.deep.equal({ truncateBefore: 4 })
    const read = await all(test.client.readStream(`$$${stream}`))
    expect(read.map(({ event }) => [event?.type, event?.isJson, event?.data])).to.deep.equal([
      ['$metadata', true, { $tb: 4 }],
    ])
    expect(await test.client.getStreamMetadata(newStream())).to.not.have.property('metadata')
  })
})
