// Guarantees of the read models in MongoDB beyond the contract: several processes share them, and none undoes
// another's writes.

import { expect } from 'chai'
import { type CommandStartedEvent, MongoClient } from 'mongodb'
import type { Batch, Find, Views, Write } from '../../stores/contract/views.ts'
import { writeRows } from '../../stores/mongodb/commit.ts'
import type { Row } from '../../stores/mongodb/document-rows.ts'
import { openViews } from '../../stores/mongodb/views.ts'
import { batch, document, got, pos, prepareWith, viewSpec, write } from '../contracts/documents.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { sharing, withOne, withRows, withTwo } from '../servers/ferretdb/sharing.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const FIND: Find = { view: 'things@1', collection: 'thing', index: 'byA', equal: [], limit: 99 }

describe('read models in MongoDB that several processes share', () => {
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())
  const one = (use: (views: Views, url: string) => Promise<void>) => withOne(servers, use)
  const two = (use: (a: Views, b: Views, url: string) => Promise<void>) => withTwo(servers, use)

  it('are read correctly by another process, also by one that prepared nothing', () =>
    two(async (a, b) => {
      const checkpoints = [[2, { position: pos(7), eventId: 'e-7' }]] as const
      await prepareWith(a, [write('d-1', 1, { s: 'x' }), write('d-2', 9, null)])
      await a.commit([batch([], { checkpoints })])
      expect(await b.list()).to.deep.equal(['things@1'])
      expect(await b.checkpoints('things@1')).to.deep.equal(new Map(checkpoints))
      expect(await got(b, 'd-1', 'd-2')).to.deep.equal([document('d-1', 1, { s: 'x' }), null])
      await b.commit([batch([write('d-2', 8, { s: 'late' }), write('d-1', 2, { a: 'y', s: 'x' })])])
      expect(await got(a, 'd-1', 'd-2')).to.deep.equal([document('d-1', 2, { a: 'y', s: 'x' }), null])
      expect(await a.find({ ...FIND, equal: ['y'] })).to.have.length(1)
    }))

  it('can be prepared by several processes at once', () =>
    sharing(servers, 4, async (_url, views) => {
      await Promise.all(views.map((each) => each.prepare(viewSpec())))
      await Promise.all(views.map((each, n) => each.commit([batch([write(`d-${n}`, 1, { s: 'x' })])])))
      for (const each of views) {
        const found = await each.find({ ...FIND, index: 'byS', equal: ['x'] })
        expect(found.map(({ id }) => id)).to.deep.equal(['d-0', 'd-1', 'd-2', 'd-3'])
      }
    }))

  it('end with the newest version of each document after concurrent writes of two writers', async function () {
    this.timeout(60_000)
    await two(async (a, b) => {
      await a.prepare(viewSpec())
      for (let round = 0; round < 15; round += 1) {
        const ids = Array.from({ length: 40 }, (_, n) => `r${round}-${n}`)
        // Each id at two positions; who has the newer one differs from id to id, and so does the order.
        const of = (parity: number) =>
          ids.map((id, n) =>
            write(id, n % 2 === parity ? 2 : 1, n % 3 === 0 ? null : { s: `${n % 2 === parity ? 2 : 1}` }),
          )
        await Promise.all([
          ...[0, 10, 20, 30].map((at) => a.commit([batch(of(0).slice(at, at + 10))])),
          ...[30, 20, 10, 0].map((at) =>
            b.commit([
              batch(
                of(1)
                  .slice(at, at + 10)
                  .reverse(),
              ),
            ]),
          ),
        ])
        const expected = ids.map((id, n) => (n % 3 === 0 ? null : document(id, 2, { s: '2' })))
        expect(await got(a, ...ids)).to.deep.equal(expected)
      }
    })
  })

  it('write a newer row even if an older one was inserted between the read and the insert', () =>
    one(async (views, url) => {
      await prepareWith(views, [])
      await withRows(url, async (rows) => {
        const row = (id: string, at: number): Row => ({ _id: id, pos: pos(at), doc: '{}' })
        await rows.insertMany([row('d-1', 1), row('d-2', 9)])
        // The second half of an upsert that found nothing: MongoDB inserts, and answers that the id is taken.
        let isFirst = true
        const late = new Proxy(rows, {
          get: (target, name) => {
            if (name !== 'bulkWrite' || !isFirst) return Reflect.get(target, name).bind?.(target)
            isFirst = false
            const inserts = ['d-1', 'd-2', 'd-3'].map((id) => ({ insertOne: { document: row(id, 5) } }))
            return () => target.bulkWrite(inserts, { ordered: false })
          },
        })
        await writeRows(late, [row('d-1', 5), row('d-2', 5), row('d-3', 5)], (call) => call)
        expect(isFirst).to.equal(false)
        const present = await rows.find().sort({ _id: 1 }).toArray()
        expect(present).to.deep.equal([row('d-1', 5), row('d-2', 9), row('d-3', 5)])
      })
    }))

  it('insert documents that their writer calls new in one command, and update those that exist', async () => {
    const client = new MongoClient(servers.fresh(), { monitorCommands: true })
    const sent: string[] = []
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      const target = String(command[commandName])
      if (target.startsWith('view.') && ['insert', 'update'].includes(commandName)) sent.push(commandName)
    })
    try {
      const views = openViews(client.db(), { version: '7.0', isReplicated: false, answerMs: 10_000 })
      await views.prepare(viewSpec())
      const news = (at: number, ...ids: string[]) =>
        ids.map((id): Write => ({ ...write(id, at, { s: `at ${at}` }), isNew: true }))
      await views.commit([batch(news(2, 'd-1', 'd-2'))])
      expect(sent.splice(0)).to.deep.equal(['insert'])
      await views.commit([batch([...news(3, 'd-2', 'd-3'), ...news(1, 'd-1'), write('d-4', 3, { s: 'at 3' })])])
      const found = await views.scan('things@1', 'thing', null, 9)
      expect(found.map(({ id, body }) => [id, body.s])).to.deep.equal([
        ['d-1', 'at 2'],
        ['d-2', 'at 3'],
        ['d-3', 'at 3'],
        ['d-4', 'at 3'],
      ])
    } finally {
      await client.close()
    }
  })

  it('skip a write that is not newer, but not the later writes of the same commit', () =>
    one(async (views) => {
      await prepareWith(views, [write('d-1', 1, { s: 'a' }), write('d-2', 9, { s: 'b' }), write('d-4', 1, { s: 'd' })])
      const writes = ['d-0', 'd-1', 'd-2', 'd-3', 'd-4'].map((id) => write(id, 5, { s: 'new' }))
      await views.commit([batch(writes)])
      expect((await got(views, 'd-0', 'd-1', 'd-2', 'd-3', 'd-4')).map((found) => found?.body.s)).to.deep.equal([
        'new',
        'new',
        'b',
        'new',
        'new',
      ])
    }))

  it('repair the remains of an interrupted preparation', () =>
    two(async (a, b, url) => {
      await prepareWith(a, [write('d-1', 1, { a: 'x', s: 'q' }), write('d-2', 2, null)])
      // Its state between the marker that rows are being rewritten and the last row.
      const client = new MongoClient(url)
      const entries = client.db().collection<{ _id: string }>('views')
      await entries.updateOne({ _id: 'things@1' }, { $set: { collections: [{ name: 'thing', indexes: '' }] } })
      await client.close()
      await withRows(url, async (rows) => {
        await rows.replaceOne({ _id: 'd-1' }, { pos: pos(1), doc: '{"a":"x","s":"q"}' })
      })
      const early = b.commit([batch([write('d-3', 3, { a: 'x' })])])
      expect(String(await early.catch((error: unknown) => error))).to.include('is being prepared')
      await b.prepare(viewSpec())
      await b.commit([batch([write('d-2', 1, { a: 'x' }), write('d-3', 3, { a: 'x' })])])
      expect((await b.find({ ...FIND, equal: ['x'] })).map(({ id }) => id)).to.deep.equal(['d-1', 'd-3'])
      expect((await b.find({ ...FIND, index: 'byS', equal: ['q'] })).map(({ id }) => id)).to.deep.equal(['d-1'])
    }))

  it('drop indexes and fields that are no longer declared', () =>
    one(async (views, url) => {
      await prepareWith(views, [write('d-1', 1, { a: 'x', n: 1, s: 'q' })])
      await views.prepare(viewSpec('things@1', { byN: ['-n'], again: ['-n'] }))
      await withRows(url, async (rows) => {
        const keys = (await rows.indexes()).map(({ key }) => JSON.stringify(key))
        expect(keys.sort()).to.deep.equal(['{"_id":1}', '{"f_n":-1,"_id":1}'])
        expect(await rows.findOne({ _id: 'd-1' })).to.deep.equal({
          _id: 'd-1',
          pos: pos(1),
          doc: '{"a":"x","n":1,"s":"q"}',
          f_n: 1,
        })
      })
      expect(await views.find({ ...FIND, index: 'again' })).to.have.length(1)
    }))

  it('move all views to one checkpoint by one update, and name those that were dropped', async () => {
    const client = new MongoClient(servers.fresh(), { monitorCommands: true })
    const sent: number[] = []
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (commandName === 'update' && command.update === 'views') sent.push(command.updates.length)
    })
    try {
      const views = openViews(client.db(), { version: '7.0', isReplicated: false, answerMs: 10_000 })
      const names = ['a@1', 'b@1', 'c@1']
      for (const name of names) await views.prepare(viewSpec(name))
      const at = (n: number, position = n) => [[0, { position: pos(position), eventId: `e-${n}` }]] as const
      const all = (n: number) => names.map((view) => ({ ...batch([], { checkpoints: at(n) }), view }))
      await views.commit(all(1))
      expect(sent.splice(0)).to.deep.equal([1])
      const reached = async () =>
        Promise.all(names.map(async (name) => (await views.checkpoints(name)).get(0)?.position))
      expect(await reached()).to.deep.equal([pos(1), pos(1), pos(1)])
      const [first, ...others] = all(2)
      await views.commit([{ ...first, checkpoints: new Map(at(3)) } as Batch, ...others])
      expect(sent).to.deep.equal([2])
      expect(await reached()).to.deep.equal([pos(3), pos(2), pos(2)])
      await client.db().collection<{ _id: string }>('views').deleteOne({ _id: 'b@1' })
      const failed = await views.commit(all(4)).catch((error: unknown) => String(error))
      expect(failed).to.include('The view b@1 was dropped meanwhile')
    } finally {
      await client.close()
    }
  })

  it('refuse the checkpoint of a writer that was frozen during a drop, and never show its documents', () =>
    two(async (a, b, url) => {
      await prepareWith(a, [write('d-1', 1, { s: 'old' })])
      await b.prepare(viewSpec())
      await a.drop('things@1')
      await a.prepare(viewSpec())
      const checkpoints = [[0, { position: pos(9), eventId: 'e-9' }]] as const
      const late = b.commit([batch([write('d-9', 9, { s: 'late' })], { checkpoints })])
      expect(String(await late.catch((error: unknown) => error))).to.include('was dropped meanwhile')
      expect(await a.checkpoints('things@1')).to.deep.equal(new Map())
      expect(await a.scan('things@1', 'thing', null, 9)).to.deep.equal([])
      await a.drop('others@1')
      await b.prepare(viewSpec())
      expect(await b.scan('things@1', 'thing', null, 9)).to.deep.equal([])
      const client = new MongoClient(url)
      const names = await client.db().listCollections({}, { nameOnly: true }).toArray()
      await client.close()
      // What the late writer made is swept away by the next drop.
      expect(names.filter(({ name }) => name.startsWith('view.'))).to.have.length(1)
    }))
})
