// The report of a verification: each difference by its field, shortened and counted; and versions of views that are
// dropped.

import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import { createDropUnused } from '../../projections/old-views.ts'
import type { Projection } from '../../projections/projection.ts'
import { differencesOf, Findings, isSame } from '../../projections/verify/report.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

const PLACE = { view: 'books@1', collection: 'books', id: 'a' }
const document = (body: JsonObject, pos = '01') => ({ id: 'a', pos, body })

describe('the differences of two documents', () => {
  const fieldsOf = (live: JsonObject, rebuilt: JsonObject, pos = '01') =>
    differencesOf(PLACE, document(live), document(rebuilt, pos)).map(({ field, live, rebuilt }) => [
      field,
      live,
      rebuilt,
    ])

  it('are named by their path, one for each field', () => {
    expect(fieldsOf({ a: 1, b: { c: 'x', d: 2 } }, { a: 1, b: { c: 'y', d: 3 } })).to.deep.equal([
      ['body.b.c', '"x"', '"y"'],
      ['body.b.d', '2', '3'],
    ])
    expect(differencesOf(PLACE, document({ a: 1 }), document({ a: 2 }))).to.deep.equal([
      { ...PLACE, field: 'body.a', live: '1', rebuilt: '2' },
    ])
  })

  it('are null on the side that has no such field', () => {
    expect(fieldsOf({ a: 1 }, { b: null })).to.deep.equal([
      ['body.a', '1', null],
      ['body.b', null, 'null'],
    ])
    expect(fieldsOf({ a: null }, { a: { b: 1 } })).to.deep.equal([['body.a', 'null', '{"b":1}']])
    expect(fieldsOf({ a: 5 }, { a: [5] })).to.deep.equal([['body.a', '5', '[5]']])
  })

  it('are the position, where only that differs', () => {
    expect(fieldsOf({ a: 1 }, { a: 1 }, '02')).to.deep.equal([['pos', '"01"', '"02"']])
  })

  it('are the order of fields, where the content is the same', () => {
    expect(fieldsOf({ a: 1, b: 2 }, { b: 2, a: 1 })).to.deep.equal([
      ['order of fields', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ])
  })

  it('are one for a document that is missing on a side', () => {
    const one = (live: string | null, rebuilt: string | null) => [{ ...PLACE, field: null, live, rebuilt }]
    expect(differencesOf(PLACE, null, document({ a: 1 }))).to.deep.equal(one(null, '{"a":1}'))
    expect(differencesOf(PLACE, document({ a: 1 }), null)).to.deep.equal(one('{"a":1}', null))
  })

  it('are at most ten of a document, with texts of at most 200 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n}`, n]))
    expect(fieldsOf(many, {})).to.have.length(10)
    const text = (length: number) => fieldsOf({ a: 'x'.repeat(length) }, {})[0]?.[1]
    expect(text(198)).to.equal(`"${'x'.repeat(198)}"`)
    expect(text(199)).to.equal(`"${'x'.repeat(199)}…`)
  })

  it('are none of documents that are the same byte for byte', () => {
    expect([isSame(document({ a: 1 }), document({ a: 1 })), isSame(null, null)]).to.deep.equal([true, true])
    expect([
      isSame(document({ a: 1 }), document({ a: 2 })),
      isSame(document({ a: 1 }), document({ a: 1 }, '02')),
      isSame(document({ a: 1, b: 2 }), document({ b: 2, a: 1 })),
      isSame(document({ a: 1 }), null),
    ]).to.deep.equal([false, false, false, false])
  })
})

describe('the findings of a verification', () => {
  it('list the first 1,000 differences and count all', () => {
    const findings = new Findings()
    const difference = (n: number) => ({ ...PLACE, field: String(n), live: null, rebuilt: null })
    findings.add()
    findings.add(...Array.from({ length: 999 }, (_, n) => difference(n)))
    findings.add(difference(999), difference(1_000))
    expect([findings.found, findings.differences.length]).to.deep.equal([1_001, 1_000])
    expect(findings.differences.map(({ field }) => field)).to.deep.equal(
      Array.from({ length: 1_000 }, (_, n) => String(n)),
    )
  })
})

describe('versions of views that no node uses', () => {
  const projection = (name: string, version: number) => ({ name, version }) as Projection

  async function world(own?: () => readonly string[]) {
    const clock = { ms: 0 }
    const views = createMemoryViews()
    for (const key of ['books@1', 'books@2', 'books@3', 'bookshelves@1', 'books@2+7']) {
      await views.prepare({ key, collections: [] })
    }
    const dropped: string[] = []
    const deps = {
      views,
      rankings: createRankings(),
      elapsedMs: () => clock.ms,
      dropped: (key: string) => dropped.push(key),
    }
    const check = createDropUnused(deps, [projection('books', 3)], 100, own)
    return { clock, views, dropped, check }
  }

  it('are dropped once they were unused for the time of grace, and no other project’s views', async () => {
    const { clock, views, dropped, check } = await world()
    await check([])
    clock.ms = 99
    await check([])
    expect(dropped).to.deep.equal([])
    clock.ms = 100
    await check([])
    expect(dropped.toSorted()).to.deep.equal(['books@1', 'books@2', 'books@2+7'])
    expect((await views.list()).toSorted()).to.deep.equal(['books@3', 'bookshelves@1'])
  })

  it('are kept while another node uses them, and for the whole time of grace after', async () => {
    const { clock, dropped, check } = await world()
    await check([])
    clock.ms = 60
    await check(['books@1'])
    clock.ms = 120
    await check([])
    expect(dropped.toSorted()).to.deep.equal(['books@2', 'books@2+7'])
    clock.ms = 219
    await check([])
    expect(dropped).not.to.include('books@1')
    clock.ms = 220
    await check([])
    expect(dropped).to.include('books@1')
  })

  it('are kept where this node applies them as builds of its own', async () => {
    const { clock, dropped, check } = await world(() => ['books@3', 'books@2+7'])
    await check([])
    clock.ms = 100
    await check([])
    expect(dropped.toSorted()).to.deep.equal(['books@1', 'books@2'])
  })
})
