// The examples of the OpenAPI document are what a server answers today: a new recording has the same fields, of the
// same types.

import { expect } from 'chai'
import { readExamples } from '../../../http/openapi/examples.ts'
import { recordExamples } from './record.ts'

/** Operations whose answers depend on how far a rebuild is at that moment. */
const MOVING = new Set(['getRebuild', 'cancelRebuild', 'startRebuild'])

describe('the recorded examples of the OpenAPI document', function () {
  this.timeout(60_000)

  it('have the fields and types of a new recording', async () => {
    const [kept, now] = [readExamples(), await recordExamples()]
    expect(Object.keys(kept.problems)).to.deep.equal(Object.keys(now.problems))
    expect(shapeOf(kept.rooms)).to.deep.equal(shapeOf(now.rooms))
    expect(Object.keys(kept.operations)).to.deep.equal(Object.keys(now.operations))
    for (const [id, example] of Object.entries(now.operations)) {
      if (MOVING.has(id)) continue
      const shape = { id, ...(shapeOf(kept.operations[id]) as object) }
      expect(shape, 'run `npm run record:examples`').to.deep.equal({ id, ...(shapeOf(example) as object) })
    }
  })
})

/** The value with every leaf replaced by its type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object') return typeof value
  if (value === null) return 'null'
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}
