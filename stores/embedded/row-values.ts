// Reads some fields of the documents in rows: only the columns that have them, and without putting the documents
// together, which costs three times as much for a page of scores.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Json } from '../../domain/event.ts'
import type { DocumentValues } from '../contract/rankings.ts'
import { WHOLE } from './document-shapes.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RowCodec } from './row-codec.ts'
import { FIRST_FIELD, type Step, segmentOf } from './shape-steps.ts'
import { joinedRows, type Table } from './views-schema.ts'

interface RowValuesOptions {
  readonly codec: Pick<RowCodec, 'columns' | 'shapes'>
  /** Reports a row that cannot be read. Returns the error to throw. */
  readonly unreadable: (cause?: unknown) => Error
}

type RowValues = (fields: readonly string[], rows: readonly number[]) => DocumentValues[]

/** The reading of some fields, as long as no shape is added. */
interface Plan {
  readonly shapes: number
  readonly joined: StatementSyncInstance
  /** Of each shape, by its number: where each field is. A step in the row has its place in what `joined` selects. */
  readonly steps: readonly (readonly Step[])[]
  /** What `joined` selects: columns by their place in the table, and then the id if a field is a part of one. */
  readonly columns: readonly number[]
}

/** SQL of the rows whose numbers are in a JSON array, in its order. */
export const rowsInOrder = ({ name }: Table): string =>
  `FROM (SELECT key AS place, value AS number FROM json_each(?)) CROSS JOIN ${name} ON n = number ORDER BY place`

const ABSENT: Omit<Step, 'field'> = { from: 'constant', at: 0, constant: null, part: [] }

export function openRowValues(
  db: DatabaseSyncInstance,
  table: Table,
  { codec, unreadable }: RowValuesOptions,
): RowValues {
  const plans = new Map<readonly string[], Plan>()

  function planOf(fields: readonly string[]): Plan {
    const shapes = codec.shapes.all()
    const known = plans.get(fields)
    if (known?.shapes === shapes.length) return known
    const nested = fields.find((field) => table.nestedFields.includes(field))
    if (nested !== undefined) throw new TypeError(`Field ${nested} has fields of its own: read the documents`)
    const found = shapes.map((steps) =>
      fields.map((field) => steps.find((step) => step.field === field) ?? { field, ...ABSENT }),
    )
    const inRow = found.flat().filter(({ from }) => from === 'row')
    const columns = [...new Set(inRow.map(({ at }) => at - FIRST_FIELD))]
    const placed = (step: Step) => ({ ...step, at: columns.indexOf(step.at - FIRST_FIELD) })
    const steps = found.map((own) => own.map((step) => (step.from === 'row' ? placed(step) : step)))
    const hasId = found.flat().some(({ from }) => from === 'id')
    const names = [...columns.map((at) => table.columns[at]?.name), ...(hasId ? ['id'] : [])]
    const element = `json_array(${names.join(', ')}) || ',' || document`
    const joined = prepareRows(db, joinedRows(element, rowsInOrder(table)))
    const plan = { shapes: shapes.length, joined, steps, columns }
    plans.set(fields, plan)
    return plan
  }

  function fieldIn(
    { columns }: Plan,
    { from, at, constant }: Step,
    row: readonly (string | number)[],
    stored: readonly Json[],
  ) {
    if (from === 'stored') return stored[at] as Json
    if (from === 'constant') return constant
    if (from === 'id') return segmentOf(row[columns.length] as string, at)
    const value = codec.columns.decodeValue(columns[at] as number, row[at] as string | number)
    return typeof value === 'string' ? value : null
  }

  function decode(plan: Plan, fields: readonly string[], joined: string): DocumentValues[] {
    const parsed = JSON.parse(`[${joined}]`)
    const documents: DocumentValues[] = []
    for (let at = 0; at < parsed.length; at += 2) {
      const row = parsed[at]
      const stored = parsed[at + 1]
      if (stored[0] === WHOLE) {
        documents.push(fields.map((field) => stored[1][field] ?? null))
        continue
      }
      const steps = plan.steps[stored[0]]
      if (steps === undefined) throw new TypeError(`no shape ${stored[0]}`)
      const values: Json[] = []
      for (const step of steps) values.push(fieldIn(plan, step, row, stored))
      documents.push(values)
    }
    return documents
  }

  return (fields, rows) => {
    if (rows.length === 0) return []
    const plan = planOf(fields)
    const [joined]: readonly [string | null] = plan.joined.get(JSON.stringify(rows))
    try {
      const found = decode(plan, fields, joined ?? '')
      if (found.length === rows.length) return found
    } catch (error) {
      throw unreadable(error)
    }
    // A row of an index in memory has a document.
    throw unreadable()
  }
}
