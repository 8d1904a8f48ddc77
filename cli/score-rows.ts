// The rows of a file of scores: CSV with the names of its columns in the first line, or NDJSON with an object in each
// line. A row has the fields of a submission without its idempotency key, and without the leaderboard unless it is the
// one that the rows are imported to.

import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import canonicalize from 'canonicalize'
import { CsvError, parse } from 'csv-parse'
import type { Leaderboard, ManySubmission } from '../clients/javascript/score-shapes.ts'
import { Refusal } from '../domain/decider.ts'
import { orRefusal } from '../domain/or-refusal.ts'
import { refusalOf, strictly } from '../http/pipeline/strict-json.ts'
import { type Fault, malformed } from '../http/problem.ts'
import { submissionIn } from '../http/routes/listed-submission.ts'
import { UsageFault } from './failure.ts'
import { quoted } from './target.ts'
import { utf8File } from './utf8-file.ts'

const COLUMNS = ['player', 'external_id', 'score', 'secondary_score', 'player_name', 'extra_data']
/** Fits the largest extra_data in CSV, where each quote is doubled. */
const LONGEST_ROW = 65_536
const QUOTE = 'Put a value with a comma, a quote or a line break in double quotes, and double the quotes inside it.'

export interface ScoreRow {
  /** From 1; the names of the columns are line 1 of a CSV file. Of a row over several lines: the last one. */
  readonly line: number
  /** As it is in the file: an object of its cells; a list of them, or the text of the line, if it is none. */
  readonly row: unknown
  /** What is sent, or why the row cannot be sent. */
  readonly submission: ManySubmission | Refusal
}

type Board = Pick<Leaderboard, 'id' | 'key'>

/**
 * Rows in the order of the file, for the leaderboard `board`. Equal rows get different keys by their number so far, and
 * the same row the same key in each run. Throws UsageFault for a file that is neither, or is not UTF-8, and
 * CommandFault for one that cannot be read. Keeps 22 characters for each different row.
 */
export async function* scoreRows(path: string, board: Board): AsyncGenerator<ScoreRow> {
  const times = new Map<string, number>()
  const keyOf = (row: unknown) => {
    const digest = createHash('sha256')
      .update(canonicalize([board.id, row]) ?? '')
      .digest('base64url')
      .slice(0, 22)
    const nth = (times.get(digest) ?? 0) + 1
    times.set(digest, nth)
    return `import ${digest} ${nth}`
  }
  for await (const { line, row, fault } of /\.csv$/i.test(path) ? csvRows(path) : jsonRows(path)) {
    yield { line, row, submission: fault ?? submissionOf(row, board, keyOf) }
  }
}

function submissionOf(row: unknown, board: Board, keyOf: (row: unknown) => string): ManySubmission | Refusal {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return malformedRow('is not an object.')
  const fault = fieldFault(row, board)
  if (fault !== null) return malformed([fault], 'The row')
  const submission = { ...row, leaderboard: board.id, idempotency_key: keyOf(row) } as ManySubmission
  const read = orRefusal(() => submissionIn(submission))
  return read instanceof Refusal ? read : submission
}

/** Replacing these fields would send rows to another leaderboard than they name, or record them under another key. */
function fieldFault(row: { leaderboard?: unknown; idempotency_key?: unknown }, { id, key }: Board): Fault | null {
  const { leaderboard } = row
  if (leaderboard !== undefined && leaderboard !== id && (leaderboard !== key || key === null)) {
    const detail = 'is not that of --leaderboard: put the rows of each leaderboard in a file of their own'
    return { pointer: '/leaderboard', detail }
  }
  if (row.idempotency_key === undefined) return null
  return {
    pointer: '/idempotency_key',
    detail: 'cannot be imported, as the command makes a key for each row: remove it',
  }
}

const malformedRow = (what: string): Refusal => new Refusal('malformed', 'malformed', `The row ${what}`)

/** `fault`: why the row is no object. */
type ReadRow = Pick<ScoreRow, 'line' | 'row'> & { readonly fault: Refusal | null }

async function* jsonRows(path: string): AsyncGenerator<ReadRow> {
  let line = 0
  for await (const text of createInterface({ input: utf8File(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() === '') continue
    // Other lines are refused one by one. Here the whole file has another format.
    if (line === 1 && !text.trimStart().startsWith('{')) {
      throw new UsageFault(
        `Line 1 of ${quoted(path)} is not a JSON object. Files are read as NDJSON, with an object in each line, ` +
          'unless their name ends in .csv.',
      )
    }
    const row = valueIn(line === 1 ? text.replace(/^\uFEFF/, '') : text)
    yield row instanceof Refusal ? { line, row: text, fault: row } : { line, row, fault: null }
  }
}

/** The value, or why it is refused; `at`: a pointer to where the text is in the row. */
function valueIn(text: string, at = ''): unknown {
  const value = strictly(text)
  return value === undefined ? refusalOf(text, 'The row', at) : value
}

interface CsvRow {
  readonly record: Record<string, string>
  readonly info: {
    readonly lines: number
    readonly columns: readonly unknown[]
    /** The row has more or fewer cells than there are columns. */
    readonly error?: { readonly record: readonly string[] }
  }
}

async function* csvRows(path: string): AsyncGenerator<ReadRow> {
  const parser = parse({
    bom: true,
    columns: knownColumns,
    info: true,
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  // Unlike `pipe`, it fails the parser, and so the loop below, with the error of the file.
  pipeline(utf8File(path), parser, () => {})
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRow>) {
      line = info.lines
      yield info.error === undefined ? csvRow(line, record) : odd(line, info.error.record, info.columns.length)
    }
  } catch (failure) {
    throw failure instanceof CsvError ? unreadableAfter(path, line) : failure
  }
}

function csvRow(line: number, record: Readonly<Record<string, string>>): ReadRow {
  const row: Record<string, unknown> = Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== ''))
  const extra = typeof row.extra_data === 'string' ? valueIn(row.extra_data, '/extra_data') : undefined
  if (extra instanceof Refusal) return { line, row, fault: extra }
  if (extra !== undefined) row.extra_data = extra
  return { line, row, fault: null }
}

function odd(line: number, cells: readonly string[], columns: number): ReadRow {
  return {
    line,
    row: cells,
    fault: malformedRow(`has ${cells.length} cells, and the first line has ${columns}. ${QUOTE}`),
  }
}

function unreadableAfter(path: string, line: number): UsageFault {
  const fault = `a quote in it is not closed, or it has more than ${LONGEST_ROW} characters`
  return new UsageFault(`${quoted(path)} cannot be read beyond line ${line}. Correct the row after it: ${fault}.`)
}

function knownColumns(names: string[]): string[] {
  const unknown = names.filter((name) => !COLUMNS.includes(name))
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (unknown.length === 0 && twice === undefined && names.includes('score')) return names
  const fault =
    unknown.length > 0
      ? `has the unknown column ${JSON.stringify(unknown[0])}`
      : twice === undefined
        ? 'has no column score'
        : `has the column ${twice} twice`
  throw new UsageFault(
    `The first line of the file ${fault}. Its columns may be: ${COLUMNS.join(', ')}, separated by commas.`,
  )
}
