// Turns Stryker's results into one row per folder and a list of the survivors.

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { type CodeChange, changeKey, oneLine } from './equivalents.ts'

export type Outcome = 'killed' | 'timeout' | 'survived' | 'uncovered' | 'equivalent' | 'static' | 'failed'

export interface Judged extends CodeChange {
  readonly line: number
  readonly outcome: Outcome
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  Killed: 'killed',
  Timeout: 'timeout',
  Survived: 'survived',
  NoCoverage: 'uncovered',
  Ignored: 'static',
}

/** The whole lines that a mutant changes, before and after. Lines and columns count from 0. */
export function changeOf({ fileName, location: { start, end }, replacement }: MutantResult): CodeChange {
  const lines = readFileSync(fileName, 'utf8').split('\n')
  const touched = lines.slice(start.line, end.line + 1)
  const head = (touched[0] ?? '').slice(0, start.column)
  const tail = (touched.at(-1) ?? '').slice(end.column)
  return {
    file: relative(process.cwd(), fileName),
    before: oneLine(touched.join(' ')),
    after: oneLine(head + replacement + tail),
  }
}

/** An entry of the list covers one mutant: a second survivor on an equal line elsewhere in the file still counts. */
export function judge(results: readonly MutantResult[], equivalents: readonly CodeChange[]): Judged[] {
  const left = equivalents.map(changeKey)
  return results.map((result) => {
    const change = changeOf(result)
    const outcome = OUTCOMES[result.status] ?? 'failed'
    const entry = outcome === 'survived' || outcome === 'uncovered' ? left.indexOf(changeKey(change)) : -1
    if (entry >= 0) left.splice(entry, 1)
    return { ...change, line: result.location.start.line + 1, outcome: entry >= 0 ? 'equivalent' : outcome }
  })
}

export interface Group {
  readonly name: string
  readonly goal: number
  readonly includes: (file: string) => boolean
}

const COLUMNS = ['killed', 'timeout', 'survived', 'uncovered', 'equivalent', 'static', 'failed'] as const

export function countsOf(judged: readonly Judged[]): Record<Outcome, number> {
  const counts = { killed: 0, timeout: 0, survived: 0, uncovered: 0, equivalent: 0, static: 0, failed: 0 }
  for (const { outcome } of judged) counts[outcome]++
  return counts
}

/** Detected mutants of 100 that a test could detect, or null where there is none. */
export function scoreOf(judged: readonly Judged[]): number | null {
  const { killed, timeout, survived, uncovered } = countsOf(judged)
  const detected = killed + timeout
  const detectable = detected + survived + uncovered
  return detectable === 0 ? null : (100 * detected) / detectable
}

/** A Markdown table: a row for each group. */
export function tableOf(judged: readonly Judged[], groups: readonly Group[]): string {
  const head = ['', 'mutants', ...COLUMNS, 'score', 'goal']
  const rows = groups.map(({ name, goal, includes }) => {
    const own = judged.filter(({ file }) => includes(file))
    const counts = countsOf(own)
    const score = scoreOf(own)
    return [name, own.length, ...COLUMNS.map((column) => counts[column]), score?.toFixed(1) ?? '–', goal]
  })
  return [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/** Survivors by file and line, in the form that equivalent.md takes. */
export function survivorsOf(judged: readonly Judged[]): string {
  const escaped = judged.filter(({ outcome }) => outcome === 'survived' || outcome === 'uncovered')
  const files = [...new Set(escaped.map(({ file }) => file))].sort()
  return files
    .flatMap((file) => [
      `## ${file}`,
      ...escaped
        .filter((one) => one.file === file)
        .sort((a, b) => a.line - b.line)
        .map(
          ({ line, outcome, before, after }) =>
            `${file}:${line} ${outcome}\n\`\`\`diff\n-   ${before}\n+   ${after}\n\`\`\``,
        ),
    ])
    .join('\n\n')
}
