// Encodes events in the format of an export: lines of JSON, rows of CSV, or a Parquet file.

import { stringify } from 'csv-stringify/sync'
import type { StoredEvent } from '../../domain/event.ts'
import { COLUMNS, type Column } from './columns.ts'
import type { Encoder } from './encoder.ts'
import { eventLine } from './event-line.ts'
import type { Format } from './manifest.ts'
import { parquetEncoder } from './parquet.ts'

export function encoderOf(format: Format): Encoder {
  if (format === 'parquet') return parquetEncoder()
  return format === 'csv' ? CSV : NDJSON
}

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
