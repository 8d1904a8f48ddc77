// A model of index queries: filter, sort, slice. Adapters must return the same.

import type { JsonObject } from '../../domain/event.ts'
import type { Document, Find } from '../../stores/contract/views.ts'

type Value = string | number | null

export function findPlainly(documents: readonly Document[], indexFields: readonly string[], find: Find): Document[] {
  const columns = indexFields.map((name) => ({ field: name.replace(/^-/, ''), sign: name.startsWith('-') ? -1 : 1 }))
  const bounded = columns[find.equal.length]
  const isFound = ({ body }: Document) => {
    if (fieldOf(body, columns[0]?.field) === null) return false
    if (!find.equal.every((value, index) => fieldOf(body, columns[index]?.field) === value)) return false
    return bounded === undefined || inBounds(fieldOf(body, bounded.field), bounded.sign, find)
  }
  const after = columns.slice(find.equal.length).map(({ field }) => field)
  const inOrder = (a: Document, b: Document) => {
    for (const { field, sign } of columns) {
      const order = compare(fieldOf(a.body, field), fieldOf(b.body, field)) * sign
      if (order !== 0) return order
    }
    return a.id < b.id ? -1 : 1
  }
  const found = documents.filter(isFound).sort(inOrder)
  if (find.reverse === true) found.reverse()
  const skip = find.skip ?? 0
  return found.filter((document) => isBehind(document, after, find)).slice(skip, skip + find.limit)
}

function isBehind({ id, body }: Document, fields: readonly string[], { behind, reverse = false }: Find): boolean {
  if (behind === undefined) return true
  for (const [at, field] of fields.entries()) {
    const order = compare(fieldOf(body, field), behind.fields[at] ?? null)
    if (order !== 0) return order > 0 !== reverse
  }
  return id !== behind.id && id > behind.id !== reverse
}

/** A bound excludes documents without the field. */
function inBounds(value: Value, sign: number, { from, after, until, among }: Find): boolean {
  if (among !== undefined) return value !== null && among.includes(value)
  if (from === undefined && after === undefined && until === undefined) return true
  if (value === null) return false
  if (from !== undefined && compare(value, from) * sign < 0) return false
  if (after !== undefined && compare(value, after) * sign <= 0) return false
  return until === undefined || compare(value, until) * sign < 0
}

/** Missing values first, then by value: a field has values of one type only. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}

function fieldOf(body: JsonObject, field: string | undefined): Value {
  const value = field === undefined ? null : body[field]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
