// Finds a text in the stores of a world: in the bytes of its data folder, and on servers in each document, Redis key,
// S3 object and event that a client of these servers can read.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EventStoreDBClient } from '@eventstore/db-client'
import { MongoClient } from 'mongodb'
import { createClient } from 'redis'
import type { StoreUrls } from '../servers/store-urls.ts'
import type { World } from './world.ts'

/** Where the text is stored, in any case: paths of files, `<store> <name>` on servers. */
export async function storedWith(world: World, text: string): Promise<string[]> {
  const found = filesWith(world.dataDir, text)
  for await (const [location, content] of onServers(world)) {
    if (content.toLowerCase().includes(text.toLowerCase())) found.push(location)
  }
  return found
}

/** Files below a folder whose bytes contain the text, in any case. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesWith(path, text)
    return readFileSync(path, 'latin1').toLowerCase().includes(text.toLowerCase()) ? [path] : []
  })
}

type Stored = AsyncIterable<readonly [location: string, content: string]>

async function* onServers({ storeUrls, bucketFiles }: Pick<World, 'storeUrls' | 'bucketFiles'>): Stored {
  const { servers } = storeUrls
  if (servers !== null) {
    yield* inDocuments(servers.mongoUrl)
    yield* inRedis(servers.redisUrl, storeUrls)
    yield* inStreams(servers.eventStoreUrl)
  }
  for (const [name, bytes] of (await bucketFiles?.objects()) ?? [])
    yield [`s3 ${name}`, name + bytes.toString('latin1')]
}

async function* inDocuments(url: string): Stored {
  const client = new MongoClient(url)
  try {
    for (const { name } of await client.db().listCollections().toArray()) {
      for await (const document of client.db().collection(name).find()) {
        yield [`mongodb ${name} ${document._id}`, JSON.stringify(document)]
      }
    }
  } finally {
    await client.close()
  }
}

async function* inRedis(url: string, { redisPrefix }: Pick<StoreUrls, 'redisPrefix'>): Stored {
  const client = createClient({ url })
  await client.connect()
  try {
    for await (const keys of client.scanIterator({ MATCH: `${redisPrefix}*`, COUNT: 1_000 })) {
      for (const key of keys) {
        const type = await client.type(key)
        const read = READS[type]
        if (read === undefined) throw new Error(`${key} is of the type ${type}`)
        yield [`redis ${key}`, JSON.stringify([key, await client.sendCommand(read(key))])]
      }
    }
  } finally {
    client.destroy()
  }
}

/** Type of a key -> the command that reads its whole value. */
const READS: Readonly<Record<string, (key: string) => string[]>> = {
  // The key expired after it was listed.
  none: (key) => ['GET', key],
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  zset: (key) => ['ZRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  stream: (key) => ['XRANGE', key, '-', '+'],
}

/** The events of each stream, read by stream: `$all` returns those of deleted streams until a scavenge. */
async function* inStreams(url: string): Stored {
  const client = EventStoreDBClient.connectionString(url)
  try {
    for (const stream of await streamsOf(client)) {
      for (const [revision, content] of await eventsOf(client, stream)) yield [`event ${revision}@${stream}`, content]
    }
  } finally {
    await client.dispose()
  }
}

async function streamsOf(client: EventStoreDBClient): Promise<string[]> {
  const streams = new Set<string>()
  for await (const { event } of client.readAll()) if (event !== undefined) streams.add(event.streamId)
  return [...streams].filter((stream) => !stream.startsWith('$'))
}

async function eventsOf(client: EventStoreDBClient, stream: string): Promise<[revision: string, content: string][]> {
  const found: [string, string][] = []
  try {
    for await (const { event } of client.readStream(stream)) {
      if (event !== undefined) found.push([String(event.revision), JSON.stringify([event.data, event.metadata])])
    }
  } catch (error) {
    const isGone = error instanceof Error && ['stream-deleted', 'stream-not-found'].includes(String(typeOf(error)))
    if (!isGone) throw error
  }
  return found
}

const typeOf = (error: object): unknown => ('type' in error ? error.type : undefined)
