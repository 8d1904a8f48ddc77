// The checks before the first use of an EventStoreDB: each failure has its own message, and none shows a password.

import featureCalls from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import statusMessages from '@eventstore/db-client/generated/status_pb.js'
import streamsCalls from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { expect } from 'chai'
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js'
import { StoresFault } from '../../stores/contract/faults.ts'
import { checkEventStore } from '../../stores/eventstoredb/check.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'

const prefixes = ['s-']

async function fault(checking: Promise<unknown>): Promise<string> {
  const error = await checking.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).to.be.an.instanceOf(StoresFault)
  return (error as StoresFault).message
}

describe('the check of an EventStoreDB', () => {
  let server: EventStoreServer
  before(async () => {
    server = await startEventStore()
  })
  after(() => server.stop())

  it('reports the version and writes nothing', async () => {
    const url = server.url
    expect(await checkEventStore({ url, prefixes, production: true })).to.deep.equal({
      version: '23.10.8',
      inMemory: 'no',
      warnings: [],
    })
    const log = await openEventStore({ url, prefixes })
    expect(await log.head()).to.equal(null)
    expect(await log.readStream('s-check', 0, 1)).to.deep.equal([])
    await log.close()
  })

  it('reports the address that does not answer, without the password', async () => {
    const own = await startEventStore()
    await own.stop()
    const url = own.url.replace('//', '//admin:changeit@')
    const message = await fault(checkEventStore({ url, prefixes, deadlineMs: 300 }))
    expect(message).to.contain(`127.0.0.1:${own.port}`)
    expect(message).to.contain('cannot be reached')
    expect(message).not.to.contain('changeit')
  })

  it('times out on a silent server', async () => {
    const own = await startEventStore()
    own.freeze()
    expect(await fault(checkEventStore({ url: own.url, prefixes, deadlineMs: 300 }))).to.contain('cannot be reached')
    own.thaw()
    await own.stop()
  })

  it('waits for a server that is starting', async () => {
    const own = await startEventStore()
    const restarting = own.restart({ notReadyMs: 500 })
    expect((await checkEventStore({ url: own.url, prefixes, deadlineMs: 10_000 })).version).to.equal('23.10.8')
    await restarting
    await own.stop()
  })

  it('refuses a server with an in-memory log in production only', async () => {
    const own = await startEventStore({ inMemory: true })
    const { url } = own
    expect((await checkEventStore({ url, prefixes })).inMemory).to.equal('yes')
    expect(await fault(openEventStore({ url, prefixes, production: true }))).to.contain('in memory')
    await own.stop()
  })
})

/** A server that reports a version and refuses the calls that the test names. */
async function picky(version: string, methods: readonly string[], refused: { read?: status; append?: true } = {}) {
  const { BatchAppendResp } = streamMessages
  const grpc = new Server()
  grpc.addService(featureCalls.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<InstanceType<typeof features.SupportedMethods>>) => {
      const supported = new features.SupportedMethods()
      supported.setEventStoreServerVersion(version)
      for (const name of methods) {
        const method = supported.addMethods()
        method.setServiceName('event_store.client.streams.Streams')
        method.setMethodName(name)
      }
      answer(version === '' ? { code: status.UNIMPLEMENTED } : null, supported)
    },
  } as unknown as UntypedServiceImplementation)
  const unused = () => {}
  grpc.addService(streamsCalls.StreamsService, {
    read: (call: ServerWritableStream<unknown, unknown>) =>
      refused.read === undefined ? call.end() : call.emit('error', { code: refused.read, details: 'no' }),
    batchAppend: (call: ServerDuplexStream<BatchAppendReq, unknown>) =>
      call.on('data', (request) => {
        const details = new anyMessages.Any()
        const kind = refused.append ? 'AccessDenied' : 'WrongExpectedVersion'
        details.pack(new Uint8Array(), `event_store.client.${kind}`)
        const error = new statusMessages.Status()
        error.setDetails(details)
        const answer = new BatchAppendResp()
        answer.setCorrelationId(request.getCorrelationId())
        answer.setError(error)
        call.write(answer)
      }),
    append: unused,
    delete: unused,
    tombstone: unused,
  } as unknown as UntypedServiceImplementation)
  const port = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => grpc.forceShutdown() }
}

describe('the check of an unsuitable EventStoreDB', () => {
  const refusals = [
    ['an old version', '22.2.1', ['batchAppend'], {}, 'has version 22.2.1; 22.6 or later'],
    ['a version that does not say', '', [], {}, 'too old to say'],
    ['a version without batch appends', '23.10.1', [], {}, '22.6 or later'],
    [
      'wrong credentials',
      '23.10.1',
      ['batchAppend'],
      { read: status.UNAUTHENTICATED },
      'refuses the user or password in EVENTSTORE_URL',
    ],
    ['a user who may not read', '24.10.0', ['batchAppend'], { read: status.PERMISSION_DENIED }, 'read $all: add it to'],
    ['a user who may not append', '24.10.0', ['batchAppend'], { append: true }, 'append to our streams: add it to'],
  ] as const
  for (const [what, version, methods, refused, says] of refusals) {
    it(`refuses ${what}`, async () => {
      const server = await picky(version, methods, refused)
      const startedMs = performance.now()
      expect(await fault(checkEventStore({ url: server.url, prefixes }))).to.contain(says)
      expect(performance.now() - startedMs, 'time it took').to.be.below(15_000)
      server.stop()
    })
  }

  it('accepts a server that refuses nothing, and reports unknown values as unknown', async () => {
    for (const version of ['22.6.0', '23.10.8', '25.1.0.2963', '0.0.0.0']) {
      const server = await picky(version, ['batchAppend'])
      const checking = checkEventStore({ url: server.url, prefixes, production: true })
      expect(await checking).to.deep.include({ version, inMemory: 'unknown' })
      expect((await checking).warnings.map(({ advice }) => advice)).to.deep.equal([
        'Its options are readable by administrators only: make sure that it runs without --mem-db and --dev.',
      ])
      server.stop()
    }
  })
})
