// Parses CSV (RFC 4180) from an export.

import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { ArchiveFault } from './manifest.ts'
import { LONGEST_LINE } from './read.ts'

/** Maximum length of the parser's message, which may quote a cell. */
const MAX_SHOWN_CHARACTERS = 200
/** Rows per batch. */
const ROWS = 250

/**
 * The rows of a file in batches, starting with the column names. Throws ArchiveFault with the row number (from 1 after
 * the names) for an invalid row, and the errors of `chunks`.
 */
export async function* csvRecords(chunks: AsyncIterable<readonly Buffer[]>, path: string): AsyncGenerator<string[][]> {
  const parser = parse({ delimiter: ',', record_delimiter: '\n', max_record_size: LONGEST_LINE })
  // Errors are thrown below, where the rows are consumed.
  pipeline(Readable.from(joined(chunks)), parser, () => {})
  let rows: string[][] = []
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (rows.push(row) < ROWS) continue
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
  return `is not valid CSV: ${message.slice(0, MAX_SHOWN_CHARACTERS)}.`
}
