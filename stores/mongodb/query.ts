// Translates a Find to MongoDB's filter and sort order. Every value is a string or number inside a comparison
// operator.

import type { Find, IndexCursor } from '../contract/views.ts'
import { isIndexable } from '../support/storable.ts'
import type { Column, Table } from './document-rows.ts'

type Condition = Record<`$${string}`, string | number | boolean | readonly (string | number)[]>

type Fields = Record<string, Condition>
type Filter = Record<string, Condition | Fields[]>

export interface Query {
  readonly filter: Readonly<Filter>
  readonly sort: Readonly<Record<string, 1 | -1>>
}

/**
 * Throws a TypeError for an undeclared index, for more values than it has fields, or for an invalid value; a RangeError
 * for a limit or skip that is not an integer of at least 0 (MongoDB gives 0 and negative numbers other meanings).
 */
export function queryOf(table: Table, find: Find): Query {
  const { equal, limit, skip = 0, reverse = false } = find
  if (!(isCount(limit) && isCount(skip))) throw new RangeError(`A find cannot have limit ${limit} and skip ${skip}`)
  const columns = table.indexes.get(find.index)
  if (columns === undefined) throw new TypeError(`${find.view}/${find.collection} has no index ${find.index}`)
  if (equal.length > columns.length) throw new TypeError(`Index ${find.index} has only ${columns.length} fields`)
  const sort: Record<string, 1 | -1> = {}
  for (const { name, descending } of columns.slice(equal.length)) sort[name] = descending === reverse ? 1 : -1
  sort._id = reverse ? -1 : 1
  const filter = filterOf(columns, find)
  if (find.behind === undefined) return { filter, sort }
  return { filter: { $or: behindOf(filter, find, columns.slice(equal.length), find.behind) }, sort }
}

/**
 * The cursor as one branch per field: equal in the fields before, and later in this one. Absent values sort first. Each
 * branch repeats all conditions, so that each is a range of the index.
 */
function behindOf(
  filter: Fields,
  { index, reverse = false, ...find }: Find,
  columns: readonly Column[],
  { fields, id }: IndexCursor,
): Fields[] {
  if (Object.keys(boundsOf({ index, ...find }, false)).length > 0)
    throw new TypeError('A query with a cursor cannot have bounds')
  if (fields.length !== columns.length || columns.some(({ descending }) => descending)) {
    throw new TypeError(`A cursor into index ${index} must have ${columns.length} fields and no descending ones`)
  }
  const branches: Fields[] = []
  const same: Fields = { ...filter }
  for (const [at, { name }] of columns.entries()) {
    const value = fields[at] ?? null
    // Documents in the index always have its first field.
    const mayBeAbsent = filter[name] === undefined
    if (value === null && mayBeAbsent) {
      if (!reverse) branches.push({ ...same, [name]: { $exists: true } })
      same[name] = { $exists: false }
      continue
    }
    branches.push({ ...same, [name]: { [reverse ? '$lt' : '$gt']: checked(value) } })
    if (reverse && mayBeAbsent) branches.push({ ...same, [name]: { $exists: false } })
    same[name] = { $eq: checked(value) }
  }
  branches.push({ ...same, _id: { [reverse ? '$lt' : '$gt']: checked(id) } })
  return branches
}

function filterOf(columns: readonly Column[], find: Find): Fields {
  const filter: Fields = {}
  for (const [ordinal, value] of find.equal.entries()) {
    const column = columns[ordinal]
    if (column !== undefined) filter[column.name] = { $eq: checked(value) }
  }
  const bounded = columns[find.equal.length]
  const bounds = boundsOf(find, bounded?.descending === true)
  if (Object.keys(bounds).length > 0) {
    if (bounded === undefined) throw new TypeError(`Index ${find.index} has no field left for a bound`)
    // A comparison matches one type only, so it excludes documents without the field.
    filter[bounded.name] = bounds
  }
  const first = columns[0]
  // Restrict to documents in the index. Any other condition on its first field implies this.
  if (first !== undefined && filter[first.name] === undefined) filter[first.name] = { $exists: true }
  return filter
}

/** In a descending field, later means lower. */
function boundsOf({ from, after, until, among }: Find, descending: boolean): Condition {
  const bounds: Condition = {}
  if (from !== undefined) bounds[descending ? '$lte' : '$gte'] = checked(from)
  if (after !== undefined) bounds[descending ? '$lt' : '$gt'] = checked(after)
  if (until !== undefined) bounds[descending ? '$gt' : '$lt'] = checked(until)
  if (among !== undefined) bounds.$in = among.map(checked)
  return bounds
}

function checked(value: unknown): string | number {
  if (!isIndexable(value))
    throw new TypeError('A value to find by must be a finite number, or a string without NUL characters')
  return value
}

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
