// Fields that are read from rows without their documents have the values that the documents have.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../domain/event.ts'
import type { RankedPage } from '../../stores/contract/rankings.ts'
import type { CollectionSpec } from '../../stores/contract/views.ts'
import { rankingsOfViews } from '../../stores/embedded/rankings-of-views.ts'
import { type EmbeddedViews, openViews } from '../../stores/embedded/views.ts'
import { batch, write } from '../contracts/documents.ts'
import { newPath } from './folder.ts'

const VIEW = 'things@1'
const THING: CollectionSpec = {
  name: 'thing',
  indexes: { rank: ['ranking', 'member'], oldest: ['ranking', 'time', 'member'], other: ['b'] },
  ranking: 'rank',
  fields: { ranking: 'term', time: 'time', member: 'text', part: 'record' },
}
const FIELDS = ['c', 'member', 'b', 'time', 'a', 'none', 'ranking', '1']
const SEGMENTS = ['id-segment-0', 'id-segment-1']

describe('the fields of rows', () => {
  const text = fc.constantFrom(...SEGMENTS, 'some-text', 'short', '', 'ill-formed \ud800', '2026-01-01T00:00:00.000Z')
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))
  const others = fc.dictionary(fc.constantFrom('a', 'c', 'part', '__proto__', '1'), value, { maxKeys: 4 })
  const columns = fc.record({ b: fc.oneof(text, fc.nat(), fc.constant(null)), time: text }, { requiredKeys: [] })
  let views: EmbeddedViews

  beforeEach(async () => {
    views = await openViews(newPath('views.sqlite'))
    await views.prepare({ key: VIEW, collections: [THING] })
    await views.makeMemoryIndexes(VIEW)
  })

  afterEach(() => views.close())

  function page(): RankedPage {
    const { pages } = rankingsOfViews(views).of(VIEW, 0)
    if (pages === undefined) throw new Error('these rankings are no index')
    return pages.at('a', 0, 1_000)
  }

  it('are those of the documents, whatever shapes these have and get', async () => {
    let at = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(others, columns), { minLength: 1, maxLength: 9 }), async (bodies) => {
        at++
        const documents = bodies.map(([rest, own], n) => {
          const id = [...SEGMENTS, n].join('.')
          return {
            id,
            body: JSON.parse(JSON.stringify({ ...rest, ...own, ranking: 'a', member: `m${n}` })) as JsonObject,
          }
        })
        await views.commit([batch(documents.map(({ id, body }) => write(id, at, body)))])
        const expected = documents.map(({ body }) => FIELDS.map((field): Json => body[field] ?? null))
        const some = page()
        expect(some.values(FIELDS, some.stamp.rows.slice(0, documents.length))).to.deep.equal(expected)
      }),
      { numRuns: 200 },
    )
  })

  it('are refused of objects whose field names are kept once', async () => {
    await views.commit([batch([write('d', 1, { ranking: 'a', member: 'm', part: { a: 1 } })])])
    expect(() => page().values(['member', 'part'], [1])).to.throw(TypeError, 'part')
  })
})
