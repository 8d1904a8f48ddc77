// Reads the rows of a CSV or Parquet export back and checks that each column matches the row's own `data`.

import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { JsonObject, StoredEvent } from '../domain/event.ts'
import { COLUMNS } from './columns.ts'
import { csvRecords } from './csv.ts'
import { cellOf } from './encode.ts'
import { depthFault, isObject } from './event-check.ts'
import { ArchiveFault, eventsFile, type Manifest } from './manifest.ts'
import type { Ordered } from './order.ts'
import { checkedPieces } from './read.ts'

/** In the order of the columns; CSV knows text alone, and nothing is an empty one. */
type Cells = readonly (string | number | null)[]

const PLACES = new Map(COLUMNS.map(({ name }, at) => [name, at]))
const NAMES = COLUMNS.map(({ name }) => name)
const SHOWN_CHARACTERS = 60

/**
 * Row by row as it was written, some at a time. Throws ArchiveFault as `checkedPieces` does, and for a row that is not
 * as it should be.
 */
export async function* csvRows(folder: string, manifest: Manifest): AsyncGenerator<readonly Ordered[]> {
  const path = join(folder, eventsFile('csv'))
  let row = -1
  const ordered = (cells: readonly string[]): Ordered[] => {
    if (++row > 0) return [orderedOf(cells, `Row ${row} of ${path}`, true)]
    if (cells.join() !== NAMES.join()) throw new ArchiveFault(`${path} has other columns than an export of ours.`)
    return []
  }
  for await (const rows of csvRecords(checkedPieces(folder, manifest), path)) yield rows.flatMap(ordered)
}

/** Of a file whose pieces were checked, a row group at a time. Throws ArchiveFault. */
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
  if (columns.join() !== NAMES.join()) throw new ArchiveFault(`${path} has other columns than an export of ours.`)
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
  const text = (name: string) => String(cells[PLACES.get(name) ?? -1] ?? '')
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
    const told = cells[n] ?? null
    if (isText ? String(due ?? '') === told : due === told) continue
    throw new ArchiveFault(
      `${at} has ${shown(told)} as ${column.name}, and what it says of itself gives ${shown(due)}.`,
    )
  }
  return { ...own, revision: event.revision, time: text('time') }
}

const shown = (value: string | number | null): string => JSON.stringify(value).slice(0, SHOWN_CHARACTERS)

function dataIn(text: string, at: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value as JsonObject
  } catch {
    // Said below.
  }
  throw new ArchiveFault(`${at} has data that are no JSON object.`)
}
