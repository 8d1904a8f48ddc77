// Reads the rows of a CSV (RFC 4180) or Parquet export back and checks that each column matches the row's own `data`.

import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { COLUMNS } from './columns.ts'
import { cellOf } from './encode.ts'
import { depthFault, objectIn } from './event-line.ts'
import { ArchiveFault, eventsFile, type Manifest } from './manifest.ts'
import type { Ordered } from './order.ts'
import { checkedChunks, LONGEST_LINE } from './read.ts'

/** Cells in column order. CSV has only text, and null is an empty text. */
type Cells = readonly (string | number | null)[]

const COLUMN_INDEXES = new Map(COLUMNS.map(({ name }, at) => [name, at]))
const NAMES = COLUMNS.map(({ name }) => name)
const SHOWN_CHARACTERS = 60
/** Maximum length of the CSV parser's message, which may quote a cell. */
const MESSAGE_CHARACTERS = 200
/** Rows of a CSV file per batch. */
const BATCH = 250

/** The rows in order, in batches. Throws ArchiveFault as `checkedChunks` does, and for an invalid row. */
export async function* csvRows(folder: string, manifest: Manifest): AsyncGenerator<readonly Ordered[]> {
  const path = join(folder, eventsFile('csv'))
  let row = -1
  const ordered = (cells: readonly string[]): Ordered[] => {
    if (++row > 0) return [orderedOf(cells, `Row ${row} of ${path}`, true)]
    if (cells.join() !== NAMES.join()) throw new ArchiveFault(`${path} has other columns than an export has.`)
    return []
  }
  for await (const rows of csvRecords(checkedChunks(folder, manifest), path)) yield rows.flatMap(ordered)
}

/** The rows of a file whose chunks were checked, one row group at a time. Throws ArchiveFault. */
export async function* parquetRows(folder: string): AsyncGenerator<readonly Ordered[]> {
  const path = join(folder, eventsFile('parquet'))
  const unreadable = (failure: unknown): never => {
    throw new ArchiveFault(
      `${path} cannot be read as Parquet: ${failure instanceof Error ? failure.message : failure}.`,
    )
  }
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file).catch(unreadable)
  const [, ...columns] = metadata.schema.map(({ name }) => name)
  if (columns.join() !== NAMES.join()) throw new ArchiveFault(`${path} has other columns than an export has.`)
  let rowStart = 0
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows)
    const read = await parquetReadObjects({ file, metadata, rowStart, rowEnd }).catch(unreadable)
    yield read.map((row, n) => {
      const cells = NAMES.map((name) => cellIn(row[name]))
      return orderedOf(cells, `Row ${rowStart + n + 1} of ${path}`, false)
    })
    rowStart = rowEnd
  }
}

function cellIn(value: unknown): string | number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function orderedOf(cells: Cells, at: string, isText: boolean): Ordered {
  const text = (name: string) => String(cells[COLUMN_INDEXES.get(name) ?? -1] ?? '')
  const orNull = (name: string) => text(name) || null
  const [board, player] = [orNull('board'), orNull('player')]
  const own = { position: text('position'), stream: text('stream'), id: text('id'), type: text('type') }
  const event: Omit<StoredEvent, 'meta'> & { readonly meta: Partial<StoredEvent['meta']> } = {
    ...own,
    revision: Number(text('revision')),
    data: dataIn(text('data'), at),
    meta: {
      time: text('time'),
      game: orNull('game'),
      actor: orNull('actor'),
      ...(board === null ? {} : { board }),
      ...(player === null ? {} : { player }),
    },
  }
  const fault = depthFault(event)
  if (fault !== null) throw new ArchiveFault(`${at} ${fault}`)
  for (const [n, column] of COLUMNS.entries()) {
    const due = isText ? cellOf(column, event as StoredEvent) : column.of(event as StoredEvent)
    const actual = cells[n] ?? null
    if (isText ? String(due ?? '') === actual : due === actual) continue
    throw new ArchiveFault(`${at} has ${shown(actual)} as ${column.name}, but its data give ${shown(due)}.`)
  }
  return { ...own, revision: event.revision }
}

const shown = (value: string | number | null): string => JSON.stringify(value).slice(0, SHOWN_CHARACTERS)

function dataIn(text: string, at: string): JsonObject {
  const data = objectIn(text)
  if (data === null) throw new ArchiveFault(`${at} has data that is not a JSON object.`)
  return data as JsonObject
}

/**
 * The rows of a CSV file in batches, starting with the column names. Throws ArchiveFault with the row number (from 1
 * after the names) for an invalid row, and the errors of `chunks`.
 */
export async function* csvRecords(chunks: AsyncIterable<readonly Buffer[]>, path: string): AsyncGenerator<string[][]> {
  const parser = parse({ bom: true, delimiter: ',', record_delimiter: '\n', max_record_size: LONGEST_LINE })
  // Errors are thrown below, where the rows are consumed.
  pipeline(Readable.from(joined(chunks)), parser, () => {})
  let rows: string[][] = []
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (rows.push(row) < BATCH) continue
      yield rows
      rows = []
    }
  } catch (failure) {
    throw failure instanceof CsvError
      ? new ArchiveFault(`Row ${failure.records} of ${path} ${whyNot(failure)}`)
      : failure
  }
  if (rows.length > 0) yield rows
}

async function* joined(chunks: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  for await (const some of chunks) yield Buffer.concat(some)
}

function whyNot({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'does not end: a quote is missing.'
  return `is not valid CSV: ${message.slice(0, MESSAGE_CHARACTERS)}.`
}
