// How the embedded read models store a document: every body comes back as it was, in few bytes.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../domain/event.ts'
import { openShapes } from '../../stores/embedded/document-shapes.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { prepareAddText, tableOf, VIEWS_SCHEMA } from '../../stores/embedded/views-schema.ts'
import { batch, document, write } from '../contracts/documents.ts'
import { newPath } from './folder.ts'

const SPEC = { indexes: { first: ['a', '-b'], second: ['c'] }, nestedFields: ['part'] }

function opened() {
  const db = new DatabaseSync(':memory:')
  db.exec(VIEWS_SCHEMA)
  const kept: string[] = []
  const addText = prepareAddText(db)
  const open = (collection: number) =>
    openShapes(db, tableOf(collection, SPEC), (...text) => {
      addText(...text)
      kept.push(text[3])
    })
  return { open, kept }
}

describe('the shapes of stored documents', () => {
  const text = fc.constantFrom('id-segment-0', 'id-segment-1', 'some-text', 'short', 'ill-formed \ud800')
  const field = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'part', '__proto__', '1')
  const indexed = fc.record({ a: text, b: fc.option(fc.nat()), c: text }, { requiredKeys: [] })
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.dictionary(field, fc.oneof(text, fc.jsonValue())))
  const others = fc.dictionary(field, value, { maxKeys: 6 })

  it('give every body back, with its fields in their order, also when opened again', () => {
    const { open } = opened()
    const former = open(1)
    fc.assert(
      fc.property(fc.array(fc.tuple(others, indexed), { maxLength: 9 }), (bodies) => {
        for (const [rest, own] of bodies) {
          const body = JSON.parse(JSON.stringify({ ...rest, a: null, b: null, c: null, ...own })) as JsonObject
          const id = 'id-segment-0.id-segment-1'
          const stored = JSON.parse(former.encode(id, body))
          const columns = ['a', 'b', 'c'].map((name) => body[name] ?? Number.NEGATIVE_INFINITY)
          for (const shapes of [former, open(1)]) {
            expect(JSON.stringify(shapes.decode([id, '', ...columns], stored))).to.equal(JSON.stringify(body))
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('leave out names, constants, and texts that are in the id or in another field', () => {
    const { open, kept } = opened()
    const shapes = open(1)
    const body = {
      board: 'board-00001',
      player: 'player-0001',
      a: 'text-of-some-length',
      again: 'text-of-some-length',
      none: null,
      is: true,
      part: { board: 'board-00001', more: [1], none: null },
    }
    const id = 'board-00001.player-0001'
    expect(shapes.encode(id, body)).to.equal('[1,[1]]')
    expect(shapes.encode(id, { ...body, is: false, part: { board: 'x', none: null } })).to.equal('[2,"x"]')
    expect(shapes.encode(id, body)).to.equal('[1,[1]]')
    expect(kept).to.have.length(2)
  })

  it('are bounded: bodies of further shapes are stored whole', () => {
    const { open, kept } = opened()
    const shapes = open(1)
    for (let n = 0; n < 300; n += 1) {
      const body = { [`field${n}`]: n, a: 'x' }
      const stored = shapes.encode('d', body)
      if (n >= 256) expect(stored).to.equal(`[0,{"field${n}":${n},"a":"x"}]`)
      expect(shapes.decode(['d', '', 'x', null, null], JSON.parse(stored))).to.deep.equal(body)
    }
    expect(kept).to.have.length(256)
    expect(open(2).encode('d', { a: 'x' })).to.equal('[1]')
  })

  it('refuse what is not a stored document', () => {
    const { open } = opened()
    const shapes = open(1)
    for (const stored of [null, {}, [], [7], ['length'], [null]]) {
      expect(() => shapes.decode(['d', '', 'x', null, null], stored)).to.throw(TypeError)
    }
  })

  it('follow their documents when a collection gets other indexes', async () => {
    const path = newPath('views.sqlite')
    const views = await openViews(path)
    const spec = (indexes: Record<string, string[]>) => ({ key: 'v@1', collections: [{ name: 'thing', indexes }] })
    await views.prepare(spec({ byA: ['a'] }))
    const bodies = [
      { a: 'x', b: null, c: 'some-text' },
      { c: 'other-text', b: 2 },
      { a: 'y', d: { e: true } },
    ]
    await views.commit([
      batch([...bodies.map((body, n) => write(`d-${n}`, 1, body)), write('d-9', 1, null)], { view: 'v@1' }),
    ])
    await views.prepare(spec({ byC: ['c', '-b'] }))
    const all = bodies.map((body, n) => document(`d-${n}`, 1, body))
    expect(await views.scan('v@1', 'thing', null, 9)).to.deep.equal(all)
    const found = await views.find({ view: 'v@1', collection: 'thing', index: 'byC', equal: [], limit: 9 })
    expect(found).to.deep.equal([all[1], all[0]])
    // Still deleted, as of its position.
    await views.commit([batch([write('d-9', 0, { a: 'late' })], { view: 'v@1' })])
    expect(await views.get('v@1', 'thing', ['d-9'])).to.deep.equal([null])
    await views.drop('v@1')
    await views.close()
    const file = new DatabaseSync(path)
    expect(file.prepare('SELECT * FROM shapes').all()).to.deep.equal([])
    file.close()
  })
})
