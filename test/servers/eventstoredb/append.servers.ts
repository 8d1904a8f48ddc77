// Section a of the observations: appends.

import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import { RawClient } from './raw-client.ts'
import { all, anEvent, events, newStream, PATHS, rejection, revisions, served } from './under-test.ts'

describe('eventstoredb test server: append', () => {
  const test = served()

  it('reports version 23.10.8 and supports the batch append', async () => {
    const raw = new RawClient(test.server.url)
    const { version, methods } = await raw.features()
    expect(version).to.equal('23.10.8')
    const features = (name: string) => methods.filter(([method]) => method === name).map(([, list]) => list)
    expect(features('batchappend')).to.deep.equal([['deadline_duration']])
    expect(features('read')).to.deep.equal([['position', 'events'], ['stream', 'all'], []])
    raw.close()
  })

  for (const [path, options] of PATHS) {
    describe(path, () => {
      const append = (stream: string, list = events(1), more = {}) =>
        test.client.appendToStream(stream, list, { ...options, ...more })

      it('returns the revision, from 0, and the position of the last event', async () => {
        const stream = newStream()
        const first = await append(stream)
        expect(first.success).to.equal(true)
        expect(first.nextExpectedRevision).to.equal(0n)
        expect(first.position?.commit).to.equal(first.position?.prepare)
        const third = await append(stream, events(2))
        expect(third.nextExpectedRevision).to.equal(2n)
        const [last] = await all(
          test.client.readStream(stream, { direction: 'backwards', fromRevision: 'end', maxCount: 1 }),
        )
        expect(last?.event?.position).to.deep.equal(third.position)
        expect(last?.commitPosition).to.equal(third.position?.commit)
      })

      it('gives each of several events an increasing position that reflects their bytes', async () => {
        const stream = newStream()
        await append(stream, [anEvent(), anEvent(), anEvent()])
        const positions = (await all(test.client.readStream(stream))).map(({ event }) => event?.position?.commit ?? 0n)
        const [a = 0n, b = 0n, c = 0n] = positions
        expect(b - a).to.equal(c - b)
        expect(Number(b - a)).to.equal(88 + stream.length + 'Thing'.length + '{"n":0}'.length)
      })

      it('uses any as the default expected revision', async () => {
        const stream = newStream()
        await append(stream)
        expect((await append(stream)).nextExpectedRevision).to.equal(1n)
      })

      it('returns the expected and the current revision in a conflict', async () => {
        const stream = newStream()
        const missing = newStream()
        await append(stream, events(3))
        const conflictOf = async (name: string, expectedRevision: unknown) => {
          const error = (await rejection(append(name, events(1), { expectedRevision }))) as Record<string, unknown>
          const { type, streamName, expectedVersion, actualVersion, message, code } = error
          return { type, streamName, expectedVersion, actualVersion, message, code }
        }
        const same = { type: 'wrong-expected-version', message: '', code: undefined }
        const on = (streamName: string, expectedVersion: unknown, actualVersion: unknown) => ({
          ...same,
          streamName,
          expectedVersion,
          actualVersion,
        })
        expect(await conflictOf(stream, 'no_stream')).to.deep.equal(on(stream, 'no_stream', 2n))
        expect(await conflictOf(stream, 1n)).to.deep.equal(on(stream, 1n, 2n))
        expect(await conflictOf(stream, 7n)).to.deep.equal(on(stream, 7n, 2n))
        expect(await conflictOf(missing, 'stream_exists')).to.deep.equal(on(missing, 'stream_exists', 'no_stream'))
        expect(await conflictOf(missing, 0n)).to.deep.equal(on(missing, 0n, 'no_stream'))
      })

      it('answers an empty append with the last revision, or a conflict for a wrong one', async () => {
        const stream = newStream()
        const missing = newStream()
        await append(stream, events(3))
        expect((await append(stream, [])).nextExpectedRevision).to.equal(2n)
        const before = await append(missing, [])
        expect(before.nextExpectedRevision).to.equal(0n)
        expect(await rejection(all(test.client.readStream(missing)))).to.have.property('type', 'stream-not-found')
        expect((await append(missing, events(1), { expectedRevision: 'no_stream' })).nextExpectedRevision).to.equal(0n)
        const [event] = await all(test.client.readStream(missing))
        expect((event?.commitPosition ?? 0n) - (before.position?.commit ?? 0n)).to.equal(100n)
        const conflict = await rejection(append(stream, [], { expectedRevision: 1n }))
        expect(conflict).to.have.property('type', 'wrong-expected-version')
      })

      it('accepts 20 pipelined appends with exact revisions', async () => {
        const stream = newStream()
        await append(stream)
        const sent = Array.from({ length: 20 }, (_, n) => append(stream, events(1), { expectedRevision: BigInt(n) }))
        const done = path === 'batch' ? await Promise.all(sent) : await Promise.allSettled(sent)
        if (path === 'batch') expect(await revisions(test.client.readStream(stream))).to.have.length(21)
        expect(done).to.have.length(20)
      })

      it('accepts exactly one of 32 concurrent no_stream appends', async () => {
        const stream = newStream()
        const race = Array.from({ length: 32 }, () => append(stream, events(1), { expectedRevision: 'no_stream' }))
        const settled = await Promise.allSettled(race)
        const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.type] : []))
        expect(lost).to.deep.equal(Array(31).fill('wrong-expected-version'))
      })
    })
  }

  it('keeps the order of 300 pipelined batch appends', async () => {
    const stream = newStream()
    await Promise.all(Array.from({ length: 300 }, (_, n) => test.client.appendToStream(stream, anEvent(undefined, n))))
    const order = (await all(test.client.readStream(stream))).map(({ event }) => event?.data)
    expect(order).to.deep.equal(Array.from({ length: 300 }, (_, n) => ({ n })))
  })

  it('returns conflicts as values with throwOnAppendFailure=false', async () => {
    const client = test.connect('&throwOnAppendFailure=false')
    const stream = newStream()
    await client.appendToStream(stream, events(4))
    for (const [path, options] of PATHS) {
      const refused = (name: string, expectedRevision: bigint) =>
        client.appendToStream(name, events(1), { ...options, expectedRevision })
      const revision = path === 'batch' ? 1n : 3n
      expect(await refused(stream, 2n)).to.deep.equal({
        success: false,
        nextExpectedRevision: revision,
        position: undefined,
      })
      expect(await refused(newStream(), 2n)).to.deep.equal({
        success: false,
        nextExpectedRevision: -1n,
        position: undefined,
      })
    }
    await client.dispose()
  })

  it('sends a unary conflict as an OK reply with the current and the expected revision', async () => {
    const raw = new RawClient(test.server.url)
    const stream = newStream()
    await test.client.appendToStream(stream, events(3))
    const reply = await raw.append(stream, 0, ['x'])
    expect(reply.getWrongExpectedVersion()?.toObject()).to.include({ currentRevision: '2', expectedRevision: '0' })
    raw.close()
  })

  it('sends batch failures as replies with a correlation id, possibly before earlier successes', async () => {
    const raw = new RawClient(test.server.url)
    const stream = newStream()
    const call = raw.batchAppend()
    const replies = new Promise<BatchAppendResp[]>((resolve) => {
      const got: BatchAppendResp[] = []
      call.on('data', (reply: BatchAppendResp) => got.push(reply) === 3 && resolve(got))
    })
    const ids = [
      '11111111-1111-4111-8111-111111111111',
      'f2222222-2222-4222-8222-222222222222',
      'a3333333-3333-4333-8333-333333333333',
    ]
    const request = (n: number, expected: 'no_stream' | number): BatchAppendReq =>
      raw.batchRequest(ids[n] ?? '', stream, expected, ['x'])
    call.write(request(0, 'no_stream'))
    call.write(request(1, 5))
    call.write(request(2, 0))
    const got = await replies
    expect(got.map((reply) => raw.correlationOf(reply))).to.deep.equal([ids[1], ids[0], ids[2]])
    const [conflict, first] = got
    const status = conflict?.getError()
    expect([status?.getCode(), status?.getMessage()]).to.deep.equal([6, 'WrongExpectedVersion'])
    expect(status?.getDetails()?.getTypeName()).to.equal('event_store.client.WrongExpectedVersion')
    expect(conflict?.getStreamPosition()).to.equal('0')
    expect(first?.getSuccess()?.getCurrentRevision()).to.equal('0')
    call.end()
    raw.close()
  })

  it('writes a unary append whose client timed out while the node was frozen', async () => {
    const stream = newStream()
    test.server.freeze()
    const [, unary] = PATHS[1] ?? []
    const error = await rejection(test.client.appendToStream(stream, anEvent(), { ...unary, deadline: 60 }))
    expect(error).to.include({ type: 'deadline-exceeded', code: 4 })
    test.server.thaw()
    await test.client.appendToStream(newStream(), anEvent())
    expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
  })

  it('rejects a batch append after its deadline without writing it, and a retry writes it once', async () => {
    const stream = newStream()
    const event = anEvent()
    test.server.freeze()
    let settled = false
    const sent = rejection(
      test.client.appendToStream(stream, event, { deadline: 20, expectedRevision: 'no_stream' }),
    ).finally(() => {
      settled = true
    })
    const bystander = test.client.appendToStream(newStream(), anEvent())
    // The client has a timer for unary calls, so the deadline has passed by now.
    await rejection(test.client.appendToStream(newStream(), anEvent(), { ...PATHS[1]?.[1], deadline: 60 }))
    expect(settled).to.equal(false)
    test.server.thaw()
    const error = await sent
    expect(error).to.include({ type: 'deadline-exceeded', message: '', code: undefined })
    await bystander
    await test.client.appendToStream(stream, event, { expectedRevision: 'no_stream' })
    expect(await revisions(test.client.readStream(stream))).to.deep.equal([0])
  })
})
