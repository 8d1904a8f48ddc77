// The rows of a file of scores: CSV with the names of its columns in the first line, or NDJSON with an object in each
// line. A row has the fields of a submission but for the leaderboard.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import canonicalize from 'canonicalize'
import { CsvError, parse } from 'csv-parse'
import type { ManySubmission } from '../clients/javascript/score-shapes.ts'
import { Refusal } from '../domain/decider.ts'
import { refusalOf, strictly } from '../http/pipeline/strict-json.ts'
import { malformed, orRefusal } from '../http/problem.ts'
import { submissionIn } from '../http/routes/many-scores.ts'
import { UsageFault } from './failure.ts'
import { quoted } from './target.ts'

const COLUMNS = ['player', 'external_id', 'score', 'secondary_score', 'player_name', 'extra_data']
/** Fits the largest extra_data in CSV, where each quote is doubled. */
const LONGEST_ROW = 65_536
const QUOTE = 'Put a value with a comma, a quote or a line break in double quotes, and double the quotes inside it.'

export interface ScoreRow {
  /** From 1; the names of the columns are line 1 of a CSV file. */
  readonly line: number
  /** As it is in the file. */
  readonly row: unknown
  /** What is sent, or why the row cannot be sent. */
  readonly submission: ManySubmission | Refusal
}

/**
 * Rows in the order of the file. `board`: the id of the leaderboard. Equal rows get different keys by their number so
 * far, and the same row the same key in each run. Throws UsageFault for a file that is neither, and the error of a file
 * that cannot be read. Keeps 22 characters for each different row.
 */
export async function* scoreRows(path: string, board: string): AsyncGenerator<ScoreRow> {
  const times = new Map<string, number>()
  const keyOf = (row: unknown) => {
    const digest = createHash('sha256')
      .update(canonicalize([board, row]) ?? '')
      .digest('base64url')
      .slice(0, 22)
    const nth = (times.get(digest) ?? 0) + 1
    times.set(digest, nth)
    return `import ${digest} ${nth}`
  }
  for await (const { line, row } of /\.csv$/i.test(path) ? csvRows(path) : jsonRows(path)) {
    yield { line, row: row instanceof Refusal ? null : row, submission: submissionOf(row, board, keyOf) }
  }
}

function submissionOf(row: unknown, leaderboard: string, keyOf: (row: unknown) => string): ManySubmission | Refusal {
  if (row instanceof Refusal) return row
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return malformed([{ pointer: '', detail: 'is not an object' }], 'The row')
  const submission = { ...row, leaderboard, idempotency_key: keyOf(row) } as ManySubmission
  const read = orRefusal(() => submissionIn(submission))
  return read instanceof Refusal ? read : submission
}

async function* jsonRows(path: string) {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() === '') continue
    // Other lines are refused one by one. Here the whole file has another format.
    if (line === 1 && !text.trimStart().startsWith('{')) {
      throw new UsageFault(
        `Line 1 of ${quoted(path)} is not a JSON object. Files are read as NDJSON, with an object in each line, ` +
          'unless their name ends in .csv.',
      )
    }
    yield { line, row: valueIn(line === 1 ? text.replace(/^\uFEFF/, '') : text) }
  }
}

/** The value, or why it is refused; `at`: a pointer to where the text is in the row. */
function valueIn(text: string, at = ''): unknown {
  const value = strictly(text)
  return value === undefined ? refusalOf(text, 'The row', at) : value
}

async function* csvRows(path: string) {
  const parser = parse({
    bom: true,
    columns: knownColumns,
    info: true,
    max_record_size: LONGEST_ROW,
    skip_empty_lines: true,
  })
  try {
    for await (const { record, info } of createReadStream(path).pipe(parser)) {
      const given = Object.entries(record as Record<string, string>).filter(([, cell]) => cell !== '')
      const row: Record<string, unknown> = Object.fromEntries(given)
      const extra = typeof row.extra_data === 'string' ? valueIn(row.extra_data, '/extra_data') : undefined
      if (extra !== undefined) row.extra_data = extra
      yield { line: Number(info.lines), row: extra instanceof Refusal ? extra : row }
    }
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure
    const what = failure.message.replace(/\.$/, '')
    throw new UsageFault(`The rows of ${quoted(path)} cannot be read: ${what}. ${QUOTE}`)
  }
}

function knownColumns(names: string[]): string[] {
  const unknown = names.filter((name) => !COLUMNS.includes(name))
  if (unknown.length === 0 && names.includes('score')) return names
  const fault = unknown.length === 0 ? 'has no column score' : `has the unknown column ${JSON.stringify(unknown[0])}`
  throw new UsageFault(
    `The first line of the file ${fault}. Its columns may be: ${COLUMNS.join(', ')}, separated by commas.`,
  )
}
