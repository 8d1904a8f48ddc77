// How a document is stored: its indexed fields are columns of the row, and the number of its shape and its other values
// are a JSON array. A shape is stored once per collection. It has the names of the fields, and what need not be in the
// array: null, true, false, and texts that the row has elsewhere.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isJsonObject, type JsonObject } from '../../domain/event.ts'
import { prepareRows } from './prepare-rows.ts'
import { putTogether, type Shape, type Source, type Step, stepsOf } from './shape-steps.ts'
import type { AddText, Table } from './views-schema.ts'

export interface DocumentShapes {
  /** The text of the array. May add a shape: call it outside of transactions. Throws what `addText` throws. */
  encode(id: string, body: JsonObject): string
  /** `row` has id, position and the fields, `stored` is the array. Throws if this is not a stored document. */
  decode(row: readonly unknown[], stored: unknown): JsonObject
  /** The steps of each shape, by its number. `WHOLE` has none. */
  all(): readonly (readonly Step[])[]
}

type Value = JsonObject[string]

/** In place of the number of a shape: the body follows, whole. */
export const WHOLE = 0
/** Maximum shapes per collection. */
const MAX_SHAPES = 256
/** Shapes that are tried before the body is taken apart, which costs more. */
const MAX_RECENT = 4
/** Shorter texts are stored again where they are repeated. */
const MIN_REPEATED = 8
/** Half of a surrogate pair. */
const ILL_FORMED = /\p{Surrogate}/u

interface KnownShapes {
  get(number: number): Shape | undefined
  all(): readonly (readonly Step[])[]
  /** Throws for an unknown number. */
  stepsOf(number: number): readonly Step[]
  /** Adds a new shape. `WHOLE` if there are too many. */
  numberOf(shape: Shape): number
}

function openKnown(db: DatabaseSyncInstance, { number: collection, fields }: Table, addText: AddText): KnownShapes {
  const select = prepareRows(db, 'SELECT number, shape FROM shapes WHERE collection = ?')
  const byText = new Map<string, number>()
  const byNumber: Shape[] = []
  const steps: (readonly Step[])[] = []

  function add(number: number, text: string): void {
    byText.set(text, number)
    byNumber[number] = JSON.parse(text)
    steps[number] = stepsOf(JSON.parse(text), fields)
  }

  const rows: (readonly [number, string])[] = select.all(collection)
  for (const [number, text] of rows) {
    add(number, text)
  }
  return {
    get: (number) => byNumber[number],
    all: () => steps,
    stepsOf(number) {
      const found = steps[number]
      if (found === undefined) throw new TypeError(`no shape ${number}`)
      return found
    },
    numberOf(shape) {
      const text = JSON.stringify(shape)
      const known = byText.get(text)
      if (known !== undefined) return known
      const number = byText.size + 1
      if (number > MAX_SHAPES) return WHOLE
      addText('shapes', collection, number, text)
      add(number, text)
      return number
    },
  }
}

export function openShapes(db: DatabaseSyncInstance, table: Table, addText: AddText): DocumentShapes {
  const { fields, nestedFields } = table
  const known = openKnown(db, table, addText)
  /** Numbers of the shapes used last, the last one first. */
  const recent: number[] = []

  /** Appends to the array what the shape does not have. */
  function shapeFor(body: JsonObject, row: Row): number {
    for (const number of recent) {
      if (fits(known.get(number) ?? [], body, row)) return number
      row.stored.length = 1
    }
    const shape = takeApart(body, row, true)
    return shape === null ? WHOLE : known.numberOf(shape)
  }

  function noteUse(number: number): void {
    if (recent[0] === number) return
    const at = recent.indexOf(number)
    recent.splice(at < 0 ? MAX_RECENT - 1 : at, 1)
    recent.unshift(number)
  }

  return {
    encode(id, body) {
      const stored: Value[] = [WHOLE]
      const number = shapeFor(body, { body, segments: id.split('.'), fields, nestedFields, stored })
      if (number === WHOLE) return JSON.stringify([WHOLE, body])
      noteUse(number)
      stored[0] = number
      return JSON.stringify(stored)
    },
    decode(row, stored) {
      if (!Array.isArray(stored) || stored.length === 0) throw new TypeError('not a stored document')
      const number = stored[0]
      if (number === WHOLE) return stored[1]
      return putTogether(known.stepsOf(number), row, stored)
    },
    all: known.all,
  }
}

interface Row {
  readonly body: JsonObject
  readonly segments: readonly string[]
  readonly fields: readonly string[]
  readonly nestedFields: readonly string[]
  readonly stored: Value[]
}

/**
 * The shape of the object. Appends the values that it does not have to the array. Null for an object that has no shape.
 */
function takeApart(object: JsonObject, row: Row, isBody: boolean): Shape | null {
  const shape: (readonly [string, Source])[] = []
  for (const [field, value] of Object.entries(object)) {
    if (value === undefined) continue
    // Assigning this field would not set it.
    if (field === '__proto__') return null
    const isNested = isBody && isJsonObject(value) && row.nestedFields.includes(field)
    const nestedShape = isNested ? takeApart(value, row, false) : undefined
    if (nestedShape === null) return null
    const isColumn = isBody && row.fields.includes(field) && isInColumn(value)
    shape.push([field, nestedShape ?? (isColumn ? field : sourceOf(value, row))])
  }
  return shape
}

/** Whether the object has this shape. Appends what the shape does not have to the array, also if it returns false. */
function fits(shape: Shape, object: JsonObject, row: Row, isBody = true): boolean {
  const names = Object.keys(object)
  if (names.length !== shape.length) return false
  return shape.every(([field, source], at) => {
    const value = object[field]
    if (names[at] !== field || value === undefined) return false
    if (source === null || typeof source === 'boolean') return value === source
    if (typeof source === 'string') {
      return isInColumn(value) && ((isBody && source === field) || row.body[source] === value)
    }
    if (typeof source !== 'number') return isJsonObject(value) && fits(source, value, row, false)
    if (source < 0) return row.segments[-1 - source] === value
    row.stored.push(value)
    return value !== null && typeof value !== 'boolean'
  })
}

/** Whether a column gives the value back as it is. Numbers and ill-formed texts may change in SQLite. */
const isInColumn = (value: Value): boolean => value === null || (typeof value === 'string' && !ILL_FORMED.test(value))

function sourceOf(value: Value, { body, segments, fields, stored }: Row): Source {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string' && value.length >= MIN_REPEATED) {
    const segment = segments.indexOf(value)
    if (segment >= 0) return -1 - segment
    const field = fields.find((one) => body[one] === value)
    if (field !== undefined && isInColumn(value)) return field
  }
  return stored.push(value) - 1
}
