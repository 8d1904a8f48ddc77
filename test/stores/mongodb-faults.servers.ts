// MongoDB killed in the middle of commits, and frozen: no checkpoint without its documents, no call hangs, and
// everything resumes by itself.

import { expect } from 'chai'
import type { Document } from 'mongodb'
import type { Views } from '../../stores/contract/views.ts'
import { type MongoStores, openMongo } from '../../stores/mongodb/open.ts'
import { batch, document, got, pos, viewSpec, write } from '../contracts/documents.ts'
import { altering } from '../servers/ferretdb/altering.ts'
import { BUILD_TIMEOUT_MS, type MongoServer, startMongo } from '../servers/ferretdb.ts'
import { turn } from '../until.ts'

const DOCUMENTS = 300
const IDS = Array.from({ length: DOCUMENTS }, (_, n) => `d-${n}`)

/** Commit `n` moves every document to position `n`, in two collections, and the checkpoint with them. */
function commitOf(n: number) {
  const writes = IDS.flatMap((id) => [
    write(id, n, { a: 'x', n }),
    { ...write(id, n, n % 2 === 0 ? null : { s: `${n}` }), collection: 'other' },
  ])
  return batch(writes, { checkpoints: [[0, { position: pos(n), eventId: `e-${n}` }]] })
}

const SPEC = { key: 'things@1', collections: [...viewSpec().collections, { name: 'other', indexes: {} }] }

async function reached(views: Views): Promise<number> {
  const checkpoint = (await views.checkpoints('things@1')).get(0)
  return checkpoint === undefined ? 0 : Number.parseInt(checkpoint.position, 16)
}

describe('A failing MongoDB', () => {
  let server: MongoServer
  let stores: MongoStores
  beforeEach(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    server = await startMongo()
    stores = await openMongo({ url: server.url, answerMs: 3_000 })
  })
  afterEach(async () => {
    await stores.close()
    await server.stop()
  })

  it('has no checkpoint without its documents after a kill at each answer to a commit', async function () {
    this.timeout(60_000)
    let untilKill = 0
    const deadly = async (answer: Document) => {
      if (untilKill === 0 || answer.nModified === undefined) return answer
      untilKill -= 1
      if (untilKill > 0) return answer
      await server.kill()
      throw new Error('the answer is lost')
    }
    await altering(server.url, deadly, async (url) => {
      const through = await openMongo({ url, answerMs: 3_000 })
      try {
        const { views } = through
        await views.prepare(SPEC)
        for (let kill = 0; kill < 9; kill += 1) {
          const from = await reached(views)
          // Two collections are written, then the checkpoint.
          const answerNumber = 1 + (kill % 3)
          untilKill = answerNumber
          const committed = views.commit([commitOf(from + 1)])
          expect(await committed.catch((error: unknown) => error)).to.be.an.instanceOf(Error)
          await server.restart()
          const checkpoint = await reached(views)
          expect(checkpoint - from, `killed at answer ${answerNumber}`).to.equal(answerNumber === 3 ? 1 : 0)
          const positions = (await got(views, ...IDS)).map((thing) => thing?.pos ?? pos(0))
          expect(positions.filter((at) => at < pos(checkpoint))).to.deep.equal([])
          if (answerNumber > 1) expect(positions).to.deep.equal(IDS.map(() => pos(from + 1)))
        }
        const last = (await reached(views)) + 1
        await views.commit([commitOf(last), commitOf(last + 1)])
        expect(await got(views, ...IDS)).to.deep.equal(IDS.map((id) => document(id, last + 1, { a: 'x', n: last + 1 })))
      } finally {
        await through.close()
      }
    })
  })

  it('has no checkpoint without its documents after kills at random moments of many commits', async function () {
    this.timeout(60_000)
    const { views } = stores
    await views.prepare(SPEC)
    for (let kill = 0; kill < 5; kill += 1) {
      let at = await reached(views)
      const until = at + 1 + (kill % 3)
      let hasEnded = false
      const committing = (async () => {
        for (;;) {
          await views.commit([commitOf(at + 1)])
          at += 1
        }
      })().catch((error: unknown) => {
        hasEnded = true
        return error
      })
      while (at < until && !hasEnded) await turn()
      await server.kill()
      expect(await committing).to.be.an.instanceOf(Error)
      await server.restart()
      const checkpoint = await reached(views)
      expect(checkpoint).to.be.at.least(at)
      const behind = (await got(views, ...IDS)).filter((thing) => thing === null || thing.pos < pos(checkpoint))
      expect(behind).to.deep.equal([])
    }
  })

  it('causes errors while it is frozen, and works again afterwards', async function () {
    this.timeout(120_000)
    const { views, vault } = stores
    await views.prepare(SPEC)
    await views.commit([commitOf(1)])
    await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(1))
    server.freeze()
    const find = { view: 'things@1', collection: 'thing', index: 'byA', equal: ['x'], limit: 9 }
    const began = performance.now()
    const calls: Promise<unknown>[] = [
      got(views, 'd-1'),
      views.find(find),
      views.count(find),
      views.commit([commitOf(2)]),
      views.checkpoints('things@1'),
      views.prepare(viewSpec('others@1')),
      vault.get('player-key', 'p-1'),
      vault.putIfAbsent('player-key', 'p-2', Uint8Array.of(2)),
      vault.destroy('player-key', 'p-1'),
    ]
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).to.deep.equal(calls.map(() => 'rejected'))
    // A call waits 3 s for an answer, at most twice, after 1.5 s each for a connection and a server.
    expect(performance.now() - began).to.be.below(30_000)
    server.thaw()
    await views.commit([commitOf(3)])
    expect(await reached(views)).to.equal(3)
    expect((await views.find(find)).map(({ pos: at }) => at)).to.deep.equal(Array(9).fill(pos(3)))
  })

  it('reads thousands of secrets at once without running out of connections', async () => {
    const { vault, close } = await openMongo({ url: server.url, answerMs: 2_000 })
    try {
      await vault.putIfAbsent('player-key', 'p-7', Uint8Array.of(7))
      const found = await Promise.all(Array.from({ length: 8_000 }, (_, n) => vault.get('player-key', `p-${n}`)))
      expect(found.flatMap((secret, n) => (secret === null ? [] : [[n, ...secret]]))).to.deep.equal([[7, 7]])
    } finally {
      await close()
    }
  })

  it('is used again by readers and writers after it was unavailable', async () => {
    const { views, vault } = stores
    await views.prepare(SPEC)
    await views.commit([commitOf(1)])
    await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(1))
    for (let time = 0; time < 3; time += 1) {
      await server.kill()
      expect(await got(views, 'd-1').catch((error: unknown) => error)).to.be.an.instanceOf(Error)
      await server.restart()
      expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 1, { a: 'x', n: 1 })])
      expect([...(await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(9)))]).to.deep.equal([1])
    }
  })

  it('settles calls made in the turn in which its connection ends', async () => {
    const { views, close } = await openMongo({ url: server.url, answerMs: 2_000 })
    try {
      await views.prepare(SPEC)
      await views.commit([commitOf(1)])
      for (let time = 0; time < 5; time += 1) {
        await server.kill()
        await turn()
        expect(await got(views, 'd-1').catch((error: unknown) => error)).to.be.an.instanceOf(Error)
        await server.restart()
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 1, { a: 'x', n: 1 })])
      }
    } finally {
      await close()
    }
  })

  it('keeps each acknowledged secret, once, after kills while many are stored', async function () {
    this.timeout(60_000)
    const { vault } = stores
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < 4; round += 1) {
      const putting = Array.from({ length: 60 }, async (_, n) => {
        const id = `p-${round}-${n >> 1}`
        const [byte] = await vault.putIfAbsent('player-key', id, Uint8Array.of(n))
        expect(acknowledged.get(id) ?? byte).to.equal(byte)
        acknowledged.set(id, byte ?? -1)
      })
      let hasEnded = false
      const settled = Promise.allSettled(putting).then(() => {
        hasEnded = true
      })
      while (acknowledged.size < 5 * (round + 1) && !hasEnded) await turn()
      await server.kill()
      await settled
      await server.restart()
      for (const [id, byte] of acknowledged)
        expect([...((await vault.get('player-key', id)) ?? [])]).to.deep.equal([byte])
    }
  })
})
