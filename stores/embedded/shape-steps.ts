// The shape of a stored document (`document-shapes.ts`), and how a document is put together by it.

import type { JsonObject } from '../../domain/event.ts'

/**
 * Index in the array; from -1 down, a segment of the id; an indexed field; a constant; or the fields of an inner
 * object.
 */
export type Source = number | string | null | boolean | Shape
export type Shape = readonly (readonly [field: string, source: Source])[]
type Value = JsonObject[string]

/**
 * A field of a shape, to be read fast: a constant, an index in the array or in the row, or the fields of an inner
 * object.
 */
export interface Step {
  readonly field: string
  readonly from: 'constant' | 'stored' | 'row' | 'id' | 'part'
  readonly at: number
  readonly constant: null | boolean
  readonly part: readonly Step[]
}

/** Position of the first field in a row. */
export const FIRST_FIELD = 2

export function stepsOf(shape: Shape, fields: readonly string[]): Step[] {
  return shape.map(([field, source]) => {
    const step: Step = { field, from: 'constant', at: 0, constant: null, part: [] }
    if (typeof source === 'string') return { ...step, from: 'row', at: FIRST_FIELD + fields.indexOf(source) }
    if (typeof source === 'number') {
      return source < 0 ? { ...step, from: 'id', at: -1 - source } : { ...step, from: 'stored', at: source }
    }
    return typeof source === 'boolean' || source === null
      ? { ...step, constant: source }
      : { ...step, from: 'part', part: stepsOf(source, fields) }
  })
}

/** `row` has id, position and the values of the fields; `stored` the other values. */
export function putTogether(steps: readonly Step[], row: readonly unknown[], stored: readonly Value[]): JsonObject {
  const object: Record<string, Value> = {}
  for (const { field, from, at, constant, part } of steps) {
    if (from === 'stored') object[field] = stored[at] as Value
    else if (from === 'row') object[field] = typeof row[at] === 'string' ? row[at] : null
    else if (from === 'constant') object[field] = constant
    else if (from === 'id') object[field] = segmentOf(row[0] as string, at)
    else object[field] = putTogether(part, row, stored)
  }
  return object
}

/** A part of an id between dots, from 0. */
export function segmentOf(id: string, at: number): string {
  let start = 0
  for (let n = 0; n < at; n += 1) start = id.indexOf('.', start) + 1
  const end = id.indexOf('.', start)
  return id.slice(start, end < 0 ? undefined : end)
}
