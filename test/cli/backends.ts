// Servers for tests of `serve` and `doctor`: some fit for production, each other one with one fault. All have
// passwords, which must not appear in any output.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import featureCalls from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streamsCalls from '@eventstore/db-client/generated/streams_grpc_pb.js'
import {
  Server as GrpcServer,
  ServerCredentials,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { withDatabase } from '../servers/ferretdb/database.ts'
import { type MongoServer, startMongo } from '../servers/ferretdb.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import type { Env } from './service.ts'

export const PASSWORDS = ['esdb-hunter-1', 'mongo-hunter-2', 'redis-hunter-3', 'wrong-hunter-4'] as const
const [ESDB_PASSWORD, MONGO_PASSWORD, REDIS_PASSWORD, WRONG_PASSWORD] = PASSWORDS

export interface Backends {
  /** Environment of an installation that starts in production, with its own databases and master key. */
  fresh(): Env
  /** Values for one variable each that name an unsuitable server. */
  readonly unfit: Readonly<Record<Unfit, Env>>
  stop(): Promise<void>
}

export type Unfit =
  | 'Redis without an append-only file'
  | 'Redis that evicts'
  | 'EventStoreDB in memory'
  | 'MongoDB without a replica set'
  | 'no EventStoreDB'
  | 'no MongoDB'
  | 'no Redis'
  | 'a silent EventStoreDB'
  | 'a silent MongoDB'
  | 'a silent Redis'
  | 'a wrong password of EventStoreDB'
  | 'a wrong password of MongoDB'
  | 'a wrong password of Redis'

export async function startBackends(): Promise<Backends> {
  const password = REDIS_PASSWORD
  const [log, inMemory, mongo, single, redis, noFile, evicting, silent, denying] = await Promise.all([
    startEventStore(),
    startEventStore({ inMemory: true }),
    startMongo({ replicaSet: true }),
    startMongo(),
    startRedis({ password }),
    startRedis({ password, fsync: 'no-file' }),
    startRedis({ password, config: ['--maxmemory-policy', 'allkeys-lru'] }),
    startSilent(),
    startDenying(),
  ])
  const eventStoreUrl = (port: number, secret: string = ESDB_PASSWORD) =>
    `esdb://admin:${secret}@127.0.0.1:${port}?tls=false`
  const fresh = (): Env => ({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://scores.example.com',
    MASTER_KEY: randomBytes(32).toString('base64'),
    // No user: production warns about a user without TLS.
    EVENTSTORE_URL: `esdb://127.0.0.1:${log.port}?tls=false`,
    MONGODB_URL: withDatabase(mongo.url, `boot-${randomBytes(6).toString('hex')}`),
    REDIS_URL: redis.url,
    REDIS_PREFIX: `${randomBytes(6).toString('hex')}:`,
  })
  const mongoUrl = (port: number) => `mongodb://admin:${MONGO_PASSWORD}@127.0.0.1:${port}/scores?authSource=admin`
  const unfit: Backends['unfit'] = {
    'Redis without an append-only file': { REDIS_URL: noFile.url },
    'Redis that evicts': { REDIS_URL: evicting.url },
    'EventStoreDB in memory': { EVENTSTORE_URL: eventStoreUrl(inMemory.port) },
    'MongoDB without a replica set': { MONGODB_URL: single.url },
    'no EventStoreDB': { EVENTSTORE_URL: eventStoreUrl(1) },
    'no MongoDB': { MONGODB_URL: mongoUrl(1) },
    'no Redis': { REDIS_URL: `redis://:${REDIS_PASSWORD}@127.0.0.1:1` },
    'a silent EventStoreDB': { EVENTSTORE_URL: eventStoreUrl(silent.port) },
    'a silent MongoDB': { MONGODB_URL: mongoUrl(silent.port) },
    'a silent Redis': { REDIS_URL: `redis://:${REDIS_PASSWORD}@127.0.0.1:${silent.port}` },
    'a wrong password of EventStoreDB': { EVENTSTORE_URL: eventStoreUrl(denying.port, WRONG_PASSWORD) },
    'a wrong password of MongoDB': { MONGODB_URL: single.url.replace('//', `//admin:${WRONG_PASSWORD}@`) },
    'a wrong password of Redis': { REDIS_URL: redis.url.replace(REDIS_PASSWORD, WRONG_PASSWORD) },
  }
  const started: readonly (EventStoreServer | MongoServer | RedisServer | { stop(): Promise<void> })[] = [
    ...[log, inMemory, mongo, single, redis, noFile, evicting, silent, denying],
  ]
  return {
    fresh,
    unfit,
    stop: async () => {
      await Promise.all(started.map((server) => server.stop()))
    },
  }
}

/** Accepts connections and never answers. */
async function startSilent(): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, stop }
}

/** Speaks EventStoreDB's protocol and rejects every user. */
async function startDenying(): Promise<{ port: number; stop(): Promise<void> }> {
  const grpc = new GrpcServer()
  grpc.addService(featureCalls.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<InstanceType<typeof features.SupportedMethods>>) => {
      const supported = new features.SupportedMethods()
      supported.setEventStoreServerVersion('24.10.0')
      const method = supported.addMethods()
      method.setServiceName('event_store.client.streams.Streams')
      method.setMethodName('batchAppend')
      answer(null, supported)
    },
  } as unknown as UntypedServiceImplementation)
  const denied = (call: ServerWritableStream<unknown, unknown>) =>
    void call.emit('error', { code: status.UNAUTHENTICATED, details: 'who are you?' })
  const unused = () => {}
  const others = { batchAppend: unused, append: unused, delete: unused, tombstone: unused }
  grpc.addService(streamsCalls.StreamsService, { read: denied, ...others } as unknown as UntypedServiceImplementation)
  const port = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return { port, stop: async () => grpc.forceShutdown() }
}
