// `scorebook score import`: submits the rows of a file to a leaderboard. Running it again with the same API key, with
// rows corrected or added, records no row twice.

import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Leaderboard, ManySubmission, SubmissionResult } from '../clients/javascript/score-shapes.ts'
import { Refusal } from '../domain/decider.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { tryEachGameOf } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { adviceOf, UsageFault } from './failure.ts'
import { ImportKey } from './import-key.ts'
import { formatInteger, progressBar } from './progress.ts'
import { quoted } from './target.ts'
import { withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

/** How to go on, which a killed process cannot say. */
const AGAIN = 'run the same command again with the same API key: it records what is missing, and no row twice.'
/** Some rows were refused. */
const REFUSED = 3
const ROWS_AT_ONCE = 500
const SHOWN_ROWS = 10
/** Kinds of fault that are counted separately: a text may name what is in the row. */
const KINDS_MAX = 100

interface ImportOptions {
  readonly leaderboard: string
  readonly dryRun?: true
  readonly allowOtherKey?: true
}

interface Import {
  readonly path: string
  readonly board: Leaderboard
  readonly key: ImportKey
  submit(some: readonly ManySubmission[]): Promise<SubmissionResult[]>
  onRows(more: number): void
}

/** What became of the rows. */
interface Counts {
  rows: number
  refused: number
  /** Kind of fault -> number of rows, and the line of the first one. */
  readonly faults: Map<string, { rows: number; line: number }>
}

export function importCommand(shell: Shell, group: Command): void {
  const command = group
    .command('import')
    .argument('<file>', 'CSV (its name ends in .csv) or NDJSON')
    .description('submit the scores of a file; running it again with the same API key records no row twice')
    .requiredOption('--leaderboard <id>', 'its id or key')
    .option('--dry-run', 'only read the file: count its rows, show the first ten and every kind of fault')
    .option('--allow-other-key', 'import with another API key than before, which records recorded rows again')
  withExamples(
    command,
    'score import scores.csv --leaderboard weekly --dry-run',
    'score import scores.ndjson --leaderboard abcd2345abcd2345abcd2345',
  )
  does<ImportOptions>(shell, command, async ({ target, terminal, options }, path): Promise<Answer> => {
    await checkFile(path)
    return tryEachGameOf(target, options.leaderboard, async ({ client, keyPrefix }) => {
      const board = await client.leaderboard(options.leaderboard)
      if (options.dryRun === true) return tried(path, board, terminal.columns)
      const key = await ImportKey.of({ path, board: board.id, prefix: keyPrefix })
      if (options.allowOtherKey !== true) checkKey(path, key, keyPrefix)
      terminal.err(`If this is interrupted, ${AGAIN}`)
      const bar = progressBar(terminal, 'Submitting', null, { unit: ' rows' })
      const submit = async (some: readonly ManySubmission[]) => {
        await key.save().catch((failure) => terminal.err(unsaved(failure)))
        return client.submitMany(some)
      }
      return imported({ path, board, key, submit, onRows: (more) => bar.add(more) })
        .catch((failure: unknown) => {
          terminal.err(`The import stopped. When its cause is gone, ${AGAIN}`)
          throw failure
        })
        .finally(() => bar.end())
    })
  })
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found === null || found.isDirectory()) throw new UsageFault(`${quoted(path)} is not a file.`)
}

function checkKey(path: string, { earlier }: ImportKey, prefix: string): void {
  if (earlier === null || earlier === prefix) return
  throw new UsageFault(
    `${quoted(path)} was imported to this leaderboard with the API key ${earlier}, and the key of this run is ${prefix}. ` +
      'It would record recorded rows again: the server recognizes a row only with the same API key. ' +
      `Import with ${earlier} (--key-file). If it is revoked, remove the recorded rows from the file, and pass --allow-other-key.`,
  )
}

const unsaved = (failure: unknown): string =>
  `The API key of this import cannot be saved beside the file (${messageOf(failure)}). Import the file again only with this key.`

async function tried(path: string, board: Leaderboard, fit: number): Promise<Answer> {
  const { scoreRows } = await import('./score-rows.ts')
  const counts: Counts = { rows: 0, refused: 0, faults: new Map() }
  const first: ManySubmission[] = []
  for await (const { line, submission } of scoreRows(path, board)) {
    counts.rows++
    if (submission instanceof Refusal) countFault(counts, line, submission.code, submission.message)
    else if (first.length < SHOWN_ROWS) first.push(submission)
  }
  const columns = [{ title: 'player' }, { title: 'score', align: 'right' as const }]
  const shown = first.map(({ player, external_id, score }) => [player ?? external_id ?? '', String(score)])
  const lines = [
    `${formatInteger(counts.rows)} rows, of which ${formatInteger(counts.refused)} cannot be sent.`,
    ...(first.length === 0 ? [] : ['', ...textTable(columns, shown, fit)]),
    ...faultLines(counts),
  ]
  return { json: { ...jsonOf(counts), first }, lines, exitCode: counts.refused > 0 ? REFUSED : 0 }
}

async function imported({ path, board, key, submit, onRows }: Import): Promise<Answer> {
  const { scoreRows } = await import('./score-rows.ts')
  const counts: Counts = { rows: 0, refused: 0, faults: new Map() }
  const refusedPath = `${path}.refused.ndjson`
  const refused = await RefusedRows.at(refusedPath)
  let waiting: { line: number; row: unknown; submission: ManySubmission }[] = []
  const send = async () => {
    const some = waiting
    waiting = []
    const results = await submit(some.map(({ submission }) => submission))
    for (const [nth, result] of results.entries()) {
      if (!('code' in result)) continue
      const { line, row } = some[nth] as (typeof some)[number]
      countFault(counts, line, result.code, result.detail)
      await refused.write({ line, row, code: result.code, detail: result.detail })
    }
    onRows(some.length)
  }
  try {
    for await (const { line, row, submission } of scoreRows(path, board)) {
      counts.rows++
      if (submission instanceof Refusal) {
        countFault(counts, line, submission.code, submission.message)
        await refused.write({ line, row, code: submission.code, detail: submission.message })
        onRows(1)
      } else {
        waiting.push({ line, row, submission })
        if (waiting.length === ROWS_AT_ONCE) await send()
      }
    }
    if (waiting.length > 0) await send()
  } finally {
    await refused.close()
  }
  if (counts.refused === counts.rows) await key.restore()
  const taken = `${formatInteger(counts.rows - counts.refused)} of ${formatInteger(counts.rows)} rows are recorded.`
  const rest = counts.refused === 0 ? [] : [`The others are in ${quoted(refusedPath)}, each with the reason.`]
  return {
    json: { ...jsonOf(counts), refused_file: counts.refused === 0 ? null : refusedPath },
    lines: [taken, ...rest, ...faultLines(counts)],
    exitCode: counts.refused > 0 ? REFUSED : 0,
  }
}

function countFault(counts: Counts, line: number, code: string, detail: string): void {
  counts.refused++
  const kind = code === 'malformed' ? `${code}: ${detail}` : code
  const counted = counts.faults.has(kind) || counts.faults.size < KINDS_MAX ? kind : 'others'
  const found = counts.faults.get(counted) ?? { rows: 0, line }
  counts.faults.set(counted, { rows: found.rows + 1, line: Math.min(found.line, line) })
}

const jsonOf = ({ rows, refused, faults }: Counts) => ({
  rows,
  refused,
  faults: Object.fromEntries([...faults].map(([kind, fault]) => [kind, fault.rows])),
})

function faultLines({ faults }: Counts): string[] {
  if (faults.size === 0) return []
  const sorted = [...faults].sort(([, a], [, b]) => b.rows - a.rows)
  const rows = sorted.map(([kind, fault]) => [formatInteger(fault.rows), String(fault.line), withAdvice(kind)])
  const columns = [
    { title: 'rows', align: 'right' },
    { title: 'first line', align: 'right' },
    { title: 'fault' },
  ] as const
  return ['', ...textTable(columns, rows, Number.POSITIVE_INFINITY)]
}

/** A malformed row says what to do itself. */
function withAdvice(kind: string): string {
  const advice = adviceOf(kind)
  return advice === undefined ? kind : `${kind}: ${advice}`
}

/** A file of refused rows, which is made with the first one. One of an earlier run is removed. */
class RefusedRows {
  readonly #path: string
  #file: FileHandle | null = null

  private constructor(path: string) {
    this.#path = path
  }

  static async at(path: string): Promise<RefusedRows> {
    await rm(path, { force: true })
    return new RefusedRows(path)
  }

  async write(row: object): Promise<void> {
    this.#file ??= await open(this.#path, 'w')
    await this.#file.write(`${JSON.stringify(row)}\n`)
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}
