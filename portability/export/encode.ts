// Encodes events in the format of an export: lines of JSON, rows of CSV, or a Parquet file. Memory use does not depend
// on the length of the log, of Parquet neither: its row groups are small.

import { stringify } from 'csv-stringify/sync'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { StoredEvent } from '../../domain/event.ts'
import { COLUMNS, type Column } from './columns.ts'
import { eventLine } from './event-line.ts'
import type { Format } from './manifest.ts'

/** A row group ends after this many events, or this many characters of their data. */
const GROUP_ROWS = 25_000
const GROUP_CHARACTERS = 16_000_000

interface Encoder {
  /** The bytes before the first event. */
  begin(): Uint8Array[]
  /** The bytes that can be written now: one chunk per line, or chunks of any size in formats without lines. */
  events(events: readonly StoredEvent[]): Uint8Array[]
  end(): Uint8Array[]
}

/** `bom`: whether CSV begins with a byte order mark, without which some spreadsheets read UTF-8 as another encoding. */
export function encoderOf(format: Format, bom: boolean): Encoder {
  if (format === 'parquet') return parquetEncoder()
  if (format === 'ndjson') return NDJSON
  return bom ? { ...CSV, begin: () => withBom(CSV.begin()) } : CSV
}

/** In the first line, which the first sum covers. */
const withBom = ([first = Buffer.alloc(0), ...rest]: readonly Uint8Array[]): Uint8Array[] => [
  Buffer.concat([Buffer.from('\uFEFF'), first]),
  ...rest,
]

const NDJSON: Encoder = {
  begin: () => [],
  events: (events) => events.map((event) => Buffer.from(eventLine(event))),
  end: () => [],
}

const CSV: Encoder = {
  begin: () => linesOf(stringify([COLUMNS.map(({ name }) => name)])),
  events: (events) => linesOf(stringify(events.map((event) => COLUMNS.map((column) => cellOf(column, event))))),
  end: () => [],
}

/** First characters that make spreadsheets interpret a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Prefixes text of players that a spreadsheet would run with an apostrophe; `data` has the original text. */
export function cellOf({ of, free }: Column, event: StoredEvent): string | number | null {
  const value = of(event)
  return free === true && typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value
}

function linesOf(text: string): Uint8Array[] {
  return (text.match(/[^\n]*\n/g) ?? []).map((line) => Buffer.from(line))
}

type Typed = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>

const TYPES: Readonly<Record<Column['kind'], Typed>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  decimal: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    // The converted type does not say that times are UTC: readers in other zones took them for local ones.
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}

const SCHEMA: SchemaElement[] = [
  { name: 'events', num_children: COLUMNS.length },
  ...COLUMNS.map(({ name, kind, required }): SchemaElement => {
    return { name, ...TYPES[kind], repetition_type: required === true ? 'REQUIRED' : 'OPTIONAL' }
  }),
]

function parquetEncoder(): Encoder {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA })
  let rows: (string | number | null)[][] = []
  let characters = 0

  function group(): void {
    const columnData = COLUMNS.map(({ name, kind }, at) => {
      const cells = rows.map((row) => row[at])
      return { name, data: kind === 'time' ? cells.map((time) => new Date(String(time))) : cells }
    })
    writer.write({ columnData, rowGroupSize: GROUP_ROWS })
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
        if (rows.length === GROUP_ROWS || characters > GROUP_CHARACTERS) group()
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
