// Writes events as a Parquet file in small row groups, so memory use does not depend on the length of the log.

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { StoredEvent } from '../../domain/event.ts'
import { COLUMNS, type Column } from './columns.ts'
import type { Encoder } from './encoder.ts'

/** A row group ends after this many events, or this many characters of their data. */
const ROWS = 25_000
const CHARACTERS = 16_000_000

type Typed = Pick<SchemaElement, 'type' | 'converted_type'>

const TYPES: Readonly<Record<Column['kind'], Typed>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  decimal: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

const SCHEMA: SchemaElement[] = [
  { name: 'events', num_children: COLUMNS.length },
  ...COLUMNS.map(({ name, kind, required }): SchemaElement => {
    return { name, ...TYPES[kind], repetition_type: required === true ? 'REQUIRED' : 'OPTIONAL' }
  }),
]

export function parquetEncoder(): Encoder {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA })
  let rows: (string | number | null)[][] = []
  let characters = 0

  function group(): void {
    const columnData = COLUMNS.map(({ name, kind }, at) => {
      const cells = rows.map((row) => row[at])
      return { name, data: kind === 'time' ? cells.map((time) => new Date(String(time))) : cells }
    })
    writer.write({ columnData, rowGroupSize: ROWS })
    rows = []
    characters = 0
  }

  /** The bytes added to the file since the last call. */
  function grown(): Uint8Array[] {
    const chunk = bytes.getBytes().slice()
    // The writer keeps counting its offset in the file.
    bytes.index = 0
    return chunk.length === 0 ? [] : [chunk]
  }

  return {
    begin: grown,
    events: (events: readonly StoredEvent[]) => {
      for (const event of events) {
        const row = COLUMNS.map(({ of }) => of(event))
        characters += String(row.at(-1)).length
        rows.push(row)
        if (rows.length === ROWS || characters > CHARACTERS) group()
      }
      return grown()
    },
    end: () => {
      if (rows.length > 0) group()
      // Returns a promise only if its writer does.
      void writer.finish()
      return grown()
    },
  }
}
