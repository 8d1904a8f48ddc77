// The log in a file, one line of JSON per append, so that it survives the process. A truncated last line is ignored.

import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { Entry, Journal } from './journal.ts'
import type { Proposed } from './record.ts'

type Line =
  | { readonly blank: number }
  | { readonly at: number; readonly stream: string; readonly created: string; readonly events: readonly EventLine[] }

/** Id, type, content type, data and metadata in base64. */
type EventLine = readonly [id: string, type: string, contentType: string, data: string, metadata: string]

export interface DataFile {
  append(entries: readonly Entry[]): void
  close(): void
}

/** Opens the file for appending; creates it if it is missing. */
export function openDataFile(path: string): DataFile {
  const file = openSync(path, 'a')
  return {
    append: (entries) => {
      const lines = entries.map((entry) => `${JSON.stringify(toLine(entry))}\n`)
      if (lines.length > 0) writeAll(file, Buffer.from(lines.join('')))
    },
    close: () => closeSync(file),
  }
}

/** Loads the file, and removes a truncated last line. */
export function loadDataFile(path: string, journal: Journal): void {
  if (!existsSync(path)) return
  const bytes = readFileSync(path)
  let start = 0
  for (let stop = bytes.indexOf(10); stop !== -1; stop = bytes.indexOf(10, start)) {
    journal.load(toEntry(JSON.parse(bytes.toString('utf8', start, stop))))
    start = stop + 1
  }
  if (start < bytes.length) truncateSync(path, start)
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

function toLine(entry: Entry): Line {
  if ('blank' in entry) return entry
  const { stream, position, created, events } = entry
  return { at: position, stream, created, events: events.map(toEventLine) }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

const toEventLine = ({ id, type, contentType, data, metadata }: Proposed): EventLine => [
  id,
  type,
  contentType,
  base64(data),
  base64(metadata),
]

function toEntry(line: Line): Entry {
  if ('blank' in line) return line
  const { at, stream, created, events } = line
  return { stream, position: at, created, events: events.map(toProposed) }
}

const toProposed = ([id, type, contentType, data, metadata]: EventLine): Proposed => ({
  id,
  type,
  contentType,
  data: Buffer.from(data, 'base64'),
  metadata: Buffer.from(metadata, 'base64'),
})
