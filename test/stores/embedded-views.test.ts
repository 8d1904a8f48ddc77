// The embedded read models pass the contract; plus their file, bulk transactions and errors, their query plans, and
// large batches, which are written in parts.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import type { Find } from '../../stores/contract/views.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { findTexts } from '../../stores/embedded/views-query.ts'
import { createTable, tableOf } from '../../stores/embedded/views-schema.ts'
import { batch, document, got, INDEXES, pos, prepareWith, viewSpec, write } from '../contracts/documents.ts'
import { testContract } from '../contracts/test-contract.ts'
import { viewsChecks } from '../contracts/views.suite.ts'
import { turn } from '../until.ts'
import { copyDerived, reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

testContract('the embedded read models', viewsChecks, () => openViews(newPath('views.sqlite')))

describe('the embedded read models', () => {
  const allOf: Find = { view: 'things@1', collection: 'thing', index: 'byS', equal: ['x'], limit: 9_000 }

  it('have the same documents when they are opened again', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    const checkpoints = [[2, { position: pos(7), eventId: 'e-7' }]] as const
    await prepareWith(first, [write('d-1', 1, { s: 'x' }), write('d-2', 9, null)])
    await first.commit([batch([], { checkpoints })])
    await first.close()
    const second = await openViews(path)
    expect(await second.list()).to.deep.equal(['things@1'])
    expect(await second.checkpoints('things@1')).to.deep.equal(new Map(checkpoints))
    expect(await got(second, 'd-1', 'd-2')).to.deep.equal([document('d-1', 1, { s: 'x' }), null])
    await second.commit([batch([write('d-2', 8, { s: 'late' })])])
    expect(await got(second, 'd-2')).to.deep.equal([null])
    await second.close()
  })

  it('report an unreadable document to verify, among all others', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    const bodies = Array.from({ length: 4 }, (_, n) => ({ s: `x${n}`, n, more: [n] }))
    await prepareWith(
      first,
      bodies.map((body, n) => write(`d-${n}`, n + 1, body)),
    )
    const before = await first.scan('things@1', 'thing', null, 10)
    await first.close()
    const file = new DatabaseSync(path)
    const [{ number = 0 } = {}] = file.prepare('SELECT number FROM collections').all() as { number: number }[]
    // Of a shape that does not exist, and of none.
    for (const [id, document] of [
      ['d-1', '[99,1]'],
      ['d-3', '[]'],
    ] as const) {
      file.prepare(`UPDATE "c${number}" SET document = ? WHERE id = ?`).run(document, id)
    }
    file.close()
    // Not JSON.
    writeFileSync(path, readFileSync(path, 'latin1').replace('[1,0,[0]]', '[1,0,[0];'), 'latin1')
    reseal(path)
    const second = await openViews(path)
    const lies = await second.scan('things@1', 'thing', null, 10)
    await second.close()
    expect(before).to.deep.equal(bodies.map((body, n) => document(`d-${n}`, n + 1, body)))
    expect(lies).to.deep.equal([
      document('d-0', 1, { unreadable: '[1,0,[0];' }),
      document('d-1', 2, { unreadable: '[99,1]' }),
      document('d-2', 3, { s: 'x2', n: 2, more: [2] }),
      document('d-3', 4, { unreadable: '[]' }),
    ])
  })

  it('checkpoint their WAL between concurrent commits, and lose nothing', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    for (const _ of [1, 2]) await first.prepare(viewSpec())
    const groups = Array.from({ length: 10 }, (_, group) =>
      Array.from({ length: 600 }, (_, n) => write(`d-${group}-${n}`, group + 1, { s: 'x'.repeat(3_500), n })),
    )
    await Promise.all(groups.map((writes) => first.commit([batch(writes)])))
    // 16 MiB, plus the held transaction: 4 MiB of documents, repeated in an index, in half-full pages.
    expect(statSync(`${path}-wal`).size).to.be.below(2 * 16 * 2 ** 20)
    const ids = groups.flat().map(({ id }) => id)
    const held = await got(first, ...ids)
    await first.close()
    const second = await openViews(path)
    expect(await got(second, ...ids)).to.deep.equal(held)
    expect(held).to.deep.equal(groups.flat().map(({ id, pos: at, body }) => ({ id, pos: at, body })))
    await second.close()
  })

  it('lose in a crash only the held transaction, documents and checkpoints together, and nothing that was made durable', async () => {
    const [path, crashed] = [newPath('views.sqlite'), newPath('views.sqlite')]
    const afterCrash = async () => {
      copyDerived(path, crashed)
      const found = await openViews(crashed)
      const left = [
        await found.count(allOf),
        [...(await found.checkpoints('things@1')).values()].map((one) => one.eventId),
      ]
      await found.close()
      return left
    }
    const part = (n: number, length = 200) => ({
      ...batch(Array.from({ length }, (_, at) => write(`d-${n}-${at}`, n, { s: 'x', n: at }))),
      checkpoints: new Map([[2, { position: pos(n), eventId: `e-${n}` }]]),
    })
    const views = await openViews(path)
    await prepareWith(views, [write('d-0', 1, { s: 'x' })])
    expect(await views.count(allOf)).to.equal(1)
    await views.commit([part(2, 600)])
    await views.commit([part(3)])
    expect(await views.count(allOf)).to.equal(801)
    expect(await afterCrash()).to.deep.equal([1, []])
    // The commit that ends it is written after everything in the held transaction.
    await views.prepare(viewSpec())
    expect(await afterCrash()).to.deep.equal([801, ['e-3']])
    await views.commit([batch([write('d-1', 4, { s: 'x' })])])
    expect(await afterCrash()).to.deep.equal([801, ['e-3']])
    await views.commit([batch([write('d-2', 5, { s: 'x' })])])
    await views.durable()
    expect(await afterCrash()).to.deep.equal([803, ['e-3']])
    await views.commit([batch([write('d-3', 6, { s: 'x' })])])
    expect(await afterCrash()).to.deep.equal([803, ['e-3']])
    await views.durable()
    expect(await afterCrash()).to.deep.equal([804, ['e-3']])
    await views.close()
  })

  it('roll back a failed part, and keep the other parts of the held transaction', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    const part = (name: string, last: JsonObject[string]) =>
      batch(Array.from({ length: 601 }, (_, n) => write(`${name}-${n}`, 2, { s: n < 600 ? 'x' : last })))
    await prepareWith(first, [write('d-0', 1, { s: 'x' })])
    await first.prepare(viewSpec())
    await first.commit([part('a', 'x')])
    for (const odd of [{ no: 'index holds it' }, Number.NaN, Number.NEGATIVE_INFINITY]) {
      const refused = await first.commit([part('b', odd)]).catch((error: unknown) => error)
      expect(refused).to.be.an.instanceOf(TypeError)
    }
    await first.commit([part('c', 'x')])
    expect(await got(first, 'a-600', 'b-0', 'c-600')).to.deep.equal([
      document('a-600', 2, { s: 'x' }),
      null,
      document('c-600', 2, { s: 'x' }),
    ])
    await first.close()
    const second = await openViews(path)
    expect(await second.count(allOf)).to.equal(1_203)
    await second.close()
  })

  it('find a new document after earlier misses, and no deleted document after earlier hits', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await prepareWith(views, [write('d-0', 1, { s: 'x' })])
    const asked = Array.from({ length: 1_500 }, (_, n) => `no-${n}`)
    for (const _ of [1, 2]) expect(await got(views, ...asked, 'no'.repeat(200))).to.deep.equal(Array(1_501).fill(null))
    // Too long for the document cache.
    const long = { s: 'y'.repeat(10_000) }
    await views.commit([batch([write('no-1499', 2, long), write('no-3', 2, { s: 'z' })])])
    expect(await got(views, 'no-1499', 'no-3', 'no-4')).to.deep.equal([
      document('no-1499', 2, long),
      document('no-3', 2, { s: 'z' }),
      null,
    ])
    await views.commit([batch([write('no-3', 3, null)])])
    expect(await got(views, 'no-3', 'no-3')).to.deep.equal([null, null])
    await views.commit([batch([write('no-3', 4, { s: 'again' })])])
    expect(await got(views, 'no-3')).to.deep.equal([document('no-3', 4, { s: 'again' })])
    await views.close()
  })

  it('read many documents at once like single ones, repeatedly, including long ones', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await views.prepare(viewSpec())
    const long = { s: 'y'.repeat(10_000) }
    const small = { s: 'x' }
    const ids = ['b', 'none', 'long', 'a', 'b', 'c']
    const read = (...asked: string[]) => got(views, ...asked)
    const singly = async () => (await Promise.all(ids.map((id) => got(views, id)))).flat()
    await views.commit([
      batch([write('a', 1, small), write('b', 1, small), write('c', 1, small), write('long', 1, long)]),
    ])
    const [a, b, c] = [document('a', 1, small), document('b', 1, small), document('c', 1, small)]
    for (let n = 0; n < 4; n++) expect(await read(...ids)).to.deep.equal([b, null, document('long', 1, long), a, b, c])
    expect(await singly()).to.deep.equal(await read(...ids))
    await views.commit([
      batch([write('a', 2, { s: 'y' }), write('b', 2, null), write('none', 2, small), write('long', 2, small)]),
    ])
    const changed = [
      null,
      document('none', 2, small),
      document('long', 2, small),
      document('a', 2, { s: 'y' }),
      null,
      c,
    ]
    for (let n = 0; n < 4; n++) expect(await read(...ids)).to.deep.equal(changed)
    expect(await singly()).to.deep.equal(changed)
    await views.close()
  })

  const tablesIn = (path: string): unknown[] => {
    const file = new DatabaseSync(path)
    const found = file.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'c%:%' OR name GLOB 'c[0-9]*'").all()
    const rows = file.prepare('SELECT view FROM collections').all()
    file.close()
    return [...found, ...rows]
  }

  it('drop a large view in steps, serve other calls in between, and leave nothing of it', async () => {
    const path = newPath('views.sqlite')
    const views = await openViews(path)
    const rows = Array.from({ length: 5_200 }, (_, n) => write(`d-${n}`, 1, { s: `${n % 7}`, n, t: 'secret-text' }))
    await prepareWith(views, rows)
    await views.prepare(viewSpec())
    let turns = 0
    let isOver = false
    const counting = (async () => {
      for (; !isOver; turns++) await turn()
    })()
    const dropping = [views.drop('things@1'), views.drop('things@1')]
    expect(await views.list()).to.deep.equal([])
    // The same key again at once, which is another view by now.
    await prepareWith(views, [write('d-1', 1, { s: 'new' })])
    await Promise.all(dropping)
    isOver = true
    await counting
    expect(turns).to.be.greaterThan(10)
    expect(await got(views, 'd-1', 'd-2')).to.deep.equal([document('d-1', 1, { s: 'new' }), null])
    await views.drop('things@1')
    await views.close()
    expect(tablesIn(path)).to.deep.equal([])
    expect(readFileSync(path).includes('secret-text')).to.equal(false)
  })

  it('remove at start what a crash during a drop has left', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    await prepareWith(first, [write('d-1', 1, { s: 'x' })])
    await first.close()
    const file = new DatabaseSync(path)
    file.exec("UPDATE collections SET name = number, view = 'retired'")
    file.close()
    reseal(path)
    const second = await openViews(path)
    expect(await second.list()).to.deep.equal([])
    await second.close()
    expect(tablesIn(path)).to.deep.equal([])
  })

  it('roll back a commit that cannot be written completely', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await prepareWith(views, [write('d-1', 1, { s: 'x' })])
    const checkpoints = [[0, { position: pos(5), eventId: 'e-5' }]] as const
    for (const odd of [write('d-2', 5, { s: ['no', 'index', 'field'] }), write('d 2', 5, { s: 'x' })]) {
      for (const more of [0, 600]) {
        const others = Array.from({ length: more }, (_, n) => write(`more-${n}`, 5, { s: 'z' }))
        const bad = batch([write('d-1', 5, { s: 'y' }), ...others, odd], { checkpoints })
        expect(await views.commit([bad]).catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
      }
    }
    expect(await got(views, 'd-1', 'd-2', 'more-0')).to.deep.equal([document('d-1', 1, { s: 'x' }), null, null])
    expect(await views.checkpoints('things@1')).to.deep.equal(new Map())
    await views.close()
  })

  it('refuse names that are invalid in SQL, and undeclared collections and indexes', async () => {
    const views = await openViews(newPath('views.sqlite'))
    const refusals = [
      views.prepare(viewSpec('things')),
      views.prepare(viewSpec('things@1"; DROP')),
      views.prepare(viewSpec('things@1', { 'a b': ['a'] })),
      views.prepare(viewSpec('things@1', { byA: ['a"'] })),
      views.prepare(viewSpec('things@1', { byA: [] })),
      views.get('things@1', 'thing', ['d-1']),
    ]
    for (const refusal of refusals) {
      expect(await refusal.catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
    }
    await views.prepare(viewSpec())
    const find = { view: 'things@1', collection: 'thing', equal: [], limit: 1 }
    expect(await views.find({ ...find, index: 'byZ' }).catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
    await views.close()
  })
})

describe('the query plans of the embedded read models', () => {
  it('use an index for every query, from its bound on, without sorting', () => {
    const db = new DatabaseSync(':memory:')
    createTable(db, 1, { indexes: INDEXES })
    const table = tableOf(1, { indexes: INDEXES })
    for (const { make } of table.indexes.values()) db.exec(make)
    const plan = (sql: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
    for (const { find, searchedBy } of everyShape()) {
      for (const sql of Object.values(findTexts(table, find))) {
        const steps = plan(sql)
        // An index that is read backwards may sort equal rows, a few at a time, and nothing else.
        const sorted = steps.filter((step) => step.includes('B-TREE') && !/FOR LAST (\d TERMS|TERM)/.test(step))
        if (find.index !== 'mixedUp') expect(steps.join(), sql).to.not.include('B-TREE')
        expect(sorted, sql).to.deep.equal([])
        const searched = steps.filter((step) => step.includes('c1')).join()
        expect(searched, sql).to.match(new RegExp(`c1:${SERVED_BY[find.index] ?? find.index}`))
        if (searchedBy.length > 0) expect(searched, sql).to.match(/^SEARCH/)
        for (const condition of searchedBy) expect(searched, sql).to.match(condition)
      }
    }
    db.close()
  })
})

const SERVED_BY: Readonly<Record<string, string>> = { mixedUp: 'mixed' }

interface Shape {
  readonly find: Find
  /** The columns that the plan must search by. */
  readonly searchedBy: readonly RegExp[]
}

/** Every index with every number of equal values and every kind of bound, in both directions. */
function everyShape(): Shape[] {
  const bounds = [{}, { from: 1 }, { after: 1 }, { until: 1 }, { from: 1, until: 2 }]
  return Object.entries(INDEXES).flatMap(([index, fields]) => {
    const names = fields.map((field) => field.replace('-', ''))
    return [...names, null].flatMap((bounded, prefix) =>
      (bounded === null ? [{}] : bounds).flatMap((bound) =>
        [false, true].map((reverse) => {
          const equal = names.slice(0, prefix).map(() => 1)
          const searchedBy = names.slice(0, prefix).map((name) => new RegExp(`f_${name}=\\?`))
          if (Object.keys(bound).length > 0) searchedBy.push(new RegExp(`f_${bounded}[<>]`))
          return {
            find: { view: 'things@1', collection: 'thing', index, equal, limit: 9, reverse, ...bound },
            searchedBy,
          }
        }),
      ),
    )
  })
}

describe('a large batch in the embedded read models', () => {
  const allOf: Find = { view: 'things@1', collection: 'thing', index: 'byS', equal: ['x'], limit: 9_000 }

  it('is written 50 documents at a time, with its checkpoint last, while other calls are served', async () => {
    const views = await openViews(newPath('views.sqlite'))
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    const writes = Array.from({ length: 520 }, (_, n) => write(`d-${n}`, 1, { s: 'x' }))
    const checkpoints = [[3, { position: pos(1), eventId: 'e-1' }]] as const
    let isDone = false
    const done = views.commit([batch(writes, { checkpoints })]).then(() => {
      isDone = true
    })
    const seen = new Set<string>()
    while (!isDone) {
      seen.add(`${await views.count(allOf)} ${(await views.checkpoints('things@1')).size}`)
      await turn()
    }
    await done
    expect([...seen]).to.include.members(['50 0', '100 0'])
    for (const one of seen) expect(one.endsWith(' 1'), one).to.equal(one === '520 1')
    expect([await views.count(allOf), (await views.checkpoints('things@1')).size]).to.deep.equal([520, 1])
    await views.close()
  })

  it('has at least 501 writes, of a view that is prepared again: any other one is written at once', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await views.prepare(viewSpec())
    for (const [at, length] of [520, 500].entries()) {
      const writes = Array.from({ length }, (_, n) => write(`d-${at}-${n}`, 1, { s: `x${at}` }))
      const done = views.commit([batch(writes)])
      expect(await views.count({ ...allOf, equal: [`x${at}`] })).to.equal(length)
      await done
      await views.prepare(viewSpec())
    }
    await views.close()
  })

  it('is checked as a whole before its first part is written', async () => {
    const views = await openViews(newPath('views.sqlite'))
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    const writes = Array.from({ length: 520 }, (_, n) =>
      write(`d-${n}`, 1, { s: n < 519 ? 'x' : { no: 'index holds it' } }),
    )
    const refused = await views.commit([batch(writes)]).catch((error: unknown) => error)
    expect(refused).to.be.an.instanceOf(TypeError)
    expect(await views.count(allOf)).to.equal(0)
    await views.close()
  })
})
