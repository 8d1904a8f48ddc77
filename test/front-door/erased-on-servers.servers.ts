// A deleted player on servers: no text of theirs is in any document of MongoDB, key of Redis or event of EventStoreDB,
// as a client of these servers reads them.

import { expect } from 'chai'
import { BSON, MongoClient } from 'mongodb'
import { createClient, RESP_TYPES } from 'redis'
import { STREAM_PREFIXES } from '../../domain/streams.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { endSharedServers, freshStoresBeside, type ServerUrls } from '../servers/store-urls.ts'
import { mailsTo } from './mails.ts'
import { makeTextFixture, type TextFixture, writeEverything } from './personal-texts.ts'
import { must, openWorld } from './world.ts'

const MARK = 'Qzxserved'
const STAYS = 'Qzxstaying'
const WITHIN_MS = 10_000
/** How long the processes wait for the deleting call to erase the player itself. */
const GRACE_MS = 20_000

async function documents({ servers: { mongoUrl } }: ServerUrls): Promise<Buffer[]> {
  const client = new MongoClient(mongoUrl)
  try {
    const names = (await client.db().listCollections().toArray()).map(({ name }) => name)
    const all = await Promise.all(names.map((name) => client.db().collection(name).find().toArray()))
    return all.flat().map((document) => Buffer.from(BSON.serialize(document)))
  } finally {
    await client.close()
  }
}

/** Names of keys with their values, of any type. */
async function redisKeys({ servers: { redisUrl }, redisPrefix }: ServerUrls): Promise<Buffer[]> {
  const client = createClient({ url: redisUrl }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  await client.connect()
  try {
    const reading: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      string: (key) => client.get(key),
      hash: (key) => client.hGetAll(key),
      list: (key) => client.lRange(key, 0, -1),
      set: (key) => client.sMembers(key),
      zset: (key) => client.zRange(key, 0, -1),
    }
    const found: Buffer[] = []
    for (const key of (await client.keys(`${redisPrefix}*`)).map(String)) {
      const read = reading[String(await client.type(key))]
      if (read === undefined) throw new Error(`${key} is of a type that this test does not read`)
      found.push(Buffer.from(key), ...buffersIn(await read(key)))
    }
    return found
  } finally {
    client.destroy()
  }
}

function buffersIn(value: unknown): Buffer[] {
  if (Buffer.isBuffer(value)) return [value]
  if (typeof value !== 'object' || value === null) return [Buffer.from(String(value))]
  return Object.entries(value).flatMap(([key, inner]) => [Buffer.from(key), ...buffersIn(inner)])
}

async function events({ servers: { eventStoreUrl } }: ServerUrls): Promise<Buffer[]> {
  const log = await openEventStore({ url: eventStoreUrl, prefixes: STREAM_PREFIXES })
  try {
    return (await log.readAll(null, 10_000)).map((event) => Buffer.from(JSON.stringify(event)))
  } finally {
    await log.close()
  }
}

const PARTS = { documents, redisKeys, events }

/** The number of documents, keys and events that contain the text, in any case, in plain, base64 or hexadecimal. */
async function countContaining(storeUrls: ServerUrls, text: string): Promise<Record<keyof typeof PARTS, number>> {
  const bytes = Buffer.from(text)
  const spellings = [text, bytes.toString('base64').replace(/=+$/, '').slice(0, -1), bytes.toString('hex')]
  const wanted = spellings.map((one) => one.toLowerCase())
  const count = (all: readonly Buffer[]) =>
    all.filter((one) => wanted.some((spelling) => one.toString('latin1').toLowerCase().includes(spelling))).length
  return {
    documents: count(await documents(storeUrls)),
    redisKeys: count(await redisKeys(storeUrls)),
    events: count(await events(storeUrls)),
  }
}

describe('texts of a deleted player on servers', () => {
  after(endSharedServers)

  it('removes every text of a deleted player from documents, keys and events within 10 s, and keeps the texts of others', async function () {
    this.timeout(300_000)
    const eventStore = await startEventStore()
    const beside = await freshStoresBeside(eventStore)
    const { storeUrls } = beside
    const world = await openWorld({ storeUrls: beside })
    try {
      const fixture: TextFixture = await makeTextFixture(world)
      await writeEverything(fixture, STAYS)
      const ids = await writeEverything(fixture, MARK)
      const before = await countContaining(storeUrls, MARK)
      expect(before.documents).to.be.greaterThan(10)
      expect([before.redisKeys, before.events]).to.deep.equal([0, 0])
      const named = await countContaining(storeUrls, fixture.board)
      expect(Math.min(named.documents, named.redisKeys, named.events), 'all three are read').to.be.greaterThan(0)
      const { token } = fixture.game
      for (const id of ids)
        must(await world.call('DELETE', `/api/gm/${fixture.game.id}/players/${id}/`, { token }), 200)
      world.clock.nowMs += GRACE_MS
      const until = Date.now() + WITHIN_MS
      let left = await countContaining(storeUrls, MARK)
      while (left.documents > 0 && Date.now() < until) left = await countContaining(storeUrls, MARK)
      expect(left).to.deep.equal({ documents: 0, redisKeys: 0, events: 0 })
      const { text } = await world.call('GET', `/api/gm/${fixture.game.id}/events/`, { token })
      expect(text.toLowerCase()).to.not.include(MARK.toLowerCase())
      expect(text).to.include(STAYS)
      expect((await countContaining(storeUrls, STAYS)).documents).to.be.greaterThan(10)
      expect(await mailsTo(world, `${MARK}@example.com`.toLowerCase())).to.deep.equal([])
      expect(await mailsTo(world, `${STAYS}@example.com`.toLowerCase())).to.have.length(1)
    } finally {
      await world.close()
      await eventStore.stop()
    }
  })
})
