// Errors for a MongoDB that cannot be used: what is wrong, where, and never a password.

import { inspect } from 'node:util'
import { expect } from 'chai'
import type { Document } from 'mongodb'
import { StoresFault } from '../../stores/contract/faults.ts'
import { checkMongo, type MongoOptions, type MongoStores, openMongo } from '../../stores/mongodb/open.ts'
import { batch, document, got, pos, viewSpec, write } from '../contracts/documents.ts'
import { altering } from '../servers/ferretdb/altering.ts'
import { BUILD_TIMEOUT_MS, type MongoServer, startMongo } from '../servers/ferretdb.ts'

async function faultOf(options: MongoOptions): Promise<StoresFault> {
  const failure = await checkMongo(options).then(
    () => new Error('it was opened'),
    (error: unknown) => error,
  )
  expect(failure).to.be.an.instanceOf(StoresFault)
  for (const secret of ['alice', 'open-sesame']) expect(inspect(failure, { depth: 20 })).to.not.include(secret)
  return failure as StoresFault
}

describe('opening MongoDB', () => {
  let server: MongoServer
  let replicaSet: MongoServer
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    server = await startMongo()
    replicaSet = await startMongo({ replicaSet: true })
  })
  after(async () => {
    await server.stop()
    await replicaSet.stop()
  })

  it('reports the address if there is no server', async () => {
    const url = 'mongodb://alice:open-sesame@127.0.0.1:1/games?authSource=admin'
    const { message } = await faultOf({ url, answerMs: 1_000 })
    expect(message).to.match(/^The MongoDB at mongodb:\/\/127\.0\.0\.1:1\/games cannot be reached \(.*ECONNREFUSED/)
  })

  it('describes the required form of a URL without repeating the URL', async () => {
    const urls = [
      '',
      'http://alice:open-sesame@127.0.0.1/',
      'mongodb://alice:open-sesame@',
      'mongodb://alice:open@sesame:open-sesame@127.0.0.1/',
      'mongodb://alice:open-sesame/@127.0.0.1/',
      'mongodb://alice:open-sesame%@127.0.0.1/',
      'mongodb://alice:123/open-sesame@127.0.0.1/',
      'mongodb://alice:123?open-sesame@127.0.0.1/',
      'mongodb://127.0.0.1/x?noSuchOption=open-sesame',
      'mongodb://127.0.0.1/x?authMechanism=open-sesame',
    ]
    for (const url of urls)
      expect((await faultOf({ url })).message, url).to.match(/^MONGODB_URL cannot be read: it must be/)
    for (const path of ['a.b', '%24x', '%', 'a%00b', 'x'.repeat(39)]) {
      const { message } = await faultOf({ url: `mongodb://alice:open-sesame@127.0.0.1/${path}` })
      expect(message, path).to.match(/^The database in MONGODB_URL must be named by/)
    }
  })

  it('reports a refused user name and password', async () => {
    const { message } = await faultOf({ url: server.url.replace('//', '//alice:open-sesame@') })
    expect(message).to.match(/^The MongoDB at mongodb:.*\/scorebook refuses the name and password of MONGODB_URL/)
  })

  it('accepts a single server in development, and only a replica set in production', async () => {
    expect(await checkMongo({ url: server.url })).to.include({ isReplicated: false })
    expect((await faultOf({ url: server.url, production: true })).message).to.match(/is a single server, .*replica set/)
    const replicated = await checkMongo({ url: replicaSet.url, production: true })
    expect(replicated).to.include({ isReplicated: true })
  })

  for (const [wireVersion, says] of [
    [12, /is version .*: version 5\.0 or newer is needed/],
    // The driver itself refuses this version.
    [6, /is too old: version 5\.0 or newer is needed/],
  ] as const) {
    it(`refuses a server that speaks wire version ${wireVersion}`, async () => {
      const older = (answer: Document) =>
        answer.maxWireVersion === undefined ? answer : { ...answer, maxWireVersion: wireVersion }
      await altering(server.url, older, async (url) => {
        expect((await faultOf({ url, answerMs: 1_000 })).message).to.match(says)
      })
    })
  }

  for (const code of [64, 100]) {
    it(`refuses a server without a majority (${code})`, async () => {
      const writeConcernError = { code, errmsg: 'waiting for replication timed out' }
      const noMajority = (answer: Document) =>
        answer.nModified === undefined ? answer : { ...answer, writeConcernError }
      await altering(server.url, noMajority, async (url) => {
        expect((await faultOf({ url })).message).to.match(/does not acknowledge writes by a majority \(waiting/)
      })
    })
  }

  it('reports a user without rights on the database', async () => {
    const refusal = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' }
    const notAllowed = (answer: Document) => (answer.nModified === undefined ? answer : refusal)
    await altering(server.url, notAllowed, async (url) => {
      expect((await faultOf({ url })).message).to.match(/does not let this user work .*readWrite/)
    })
  })

  for (const [name, isAnswerTo, writes] of [
    ['the documents', 'upserted', [write('d-2', 5, { s: 'y' })]],
    ['the rest, some being there', 'writeErrors', [write('d-1', 5, { s: 'y' }), write('d-2', 5, { s: 'y' })]],
  ] as const) {
    it(`writes no checkpoint if no majority has ${name}`, async () => {
      let isUnavailable = false
      const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' }
      const noMajority = (answer: Document) =>
        isUnavailable && answer[isAnswerTo] !== undefined ? { ...answer, writeConcernError } : answer
      const checkpoints = [[0, { position: pos(5), eventId: 'e-5' }]] as const
      await altering(server.url, noMajority, async (url) => {
        await using(url, async ({ views }) => {
          await views.prepare(viewSpec())
          await views.commit([batch([write('d-1', 9, { s: 'x' })])])
          isUnavailable = true
          const committed = views.commit([batch(writes, { checkpoints })])
          expect(await committed.catch((error: unknown) => error)).to.be.an.instanceOf(Error)
          expect(await views.checkpoints('things@1')).to.deep.equal(new Map())
          isUnavailable = false
          await views.commit([batch(writes, { checkpoints })])
          expect(await got(views, 'd-1', 'd-2')).to.deep.equal([
            document('d-1', 9, { s: 'x' }),
            document('d-2', 5, { s: 'y' }),
          ])
          expect(await views.checkpoints('things@1')).to.deep.equal(new Map(checkpoints))
          await views.drop('things@1')
        })
      })
    })
  }

  it('waits longer for an index than for other answers', async () => {
    let [isSlow, held] = [false, 0]
    let other = async (): Promise<unknown> => null
    // The index is answered after a later call without an answer has timed out.
    const slowly = async (answer: Document) => {
      if (isSlow && answer.cursor !== undefined) return new Promise<Document>(() => {})
      if (answer.numIndexesAfter === undefined || held > 0) return answer
      held += 1
      isSlow = true
      expect(await other()).to.be.an.instanceOf(Error)
      isSlow = false
      return answer
    }
    await altering(server.url, slowly, async (url) => {
      await using(`${url}index`, async ({ views }) => {
        other = () => views.list().catch((error: unknown) => error)
        await views.prepare(viewSpec())
        expect([held, await views.list()]).to.deep.equal([1, ['things@1']])
      })
    })
  })

  it('times out if one answer never comes from an otherwise healthy server', async () => {
    let isStuck = false
    const never = (answer: Document) =>
      isStuck && answer.cursor !== undefined ? new Promise<Document>(() => {}) : answer
    await altering(server.url, never, async (url) => {
      await using(`${url}stuck`, async ({ views }) => {
        await views.prepare(viewSpec())
        isStuck = true
        expect(await got(views, 'd-1').catch((error: unknown) => error)).to.be.an.instanceOf(Error)
        isStuck = false
        expect(await got(views, 'd-1')).to.deep.equal([null])
      })
    })
  })

  async function using(url: string, use: (stores: MongoStores) => Promise<void>): Promise<void> {
    const stores = await openMongo({ url, answerMs: 500 })
    try {
      await use(stores)
    } finally {
      await stores.close()
    }
  }
})
