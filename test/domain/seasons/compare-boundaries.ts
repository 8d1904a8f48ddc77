// Compares the boundaries of seasons with those of boundary-oracle.py, which has the tzdata that this Node has.

import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { boundariesAfter } from '../../../domain/season-schedule.ts'
import { builtVenv } from '../../servers/venv.ts'

const ORACLE = fileURLToPath(new URL('boundary-oracle.py', import.meta.url))
const MINUTE_MS = 60_000

/** Expressions that fire at times which clock changes skip or repeat, and on days chosen in every way. */
export const CRONS: readonly string[] = [
  'daily',
  'weekly',
  'monthly',
  '30 * * * *',
  '0 */2 * * *',
  '15 0 * * *',
  '45 23 * * 0,6',
  '30 1 * * 7',
  '30 2 * * *',
  '59 2-3 * * 0',
  '0 3 */2 3-5,9-11 *',
  '30 0 13 * 5',
  '0 12 */10 * 1-5/2',
  '0 0 29 2 *',
]

export interface Span {
  readonly zone: string
  /** Years, the second one exclusive. */
  readonly from: number
  readonly until: number
}

export interface Comparison {
  readonly boundaries: number
  /** One line for each expression of a zone that differs. */
  readonly differences: readonly string[]
}

/** The Python that the oracle runs with. The first time, one package is downloaded. */
export async function oraclePython(): Promise<string> {
  const [, year, letter = ''] = /^(\d{4})([a-z])$/.exec(process.versions.tz ?? '') ?? []
  if (year === undefined) throw new Error(`no version of tzdata: ${process.versions.tz}`)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-tzdata-'))
  try {
    const requirements = join(folder, 'requirements.txt')
    // PyPI numbers the versions of a year: 2025c is 2025.3.
    await writeFile(requirements, `tzdata==${year}.${letter.charCodeAt(0) - 'a'.charCodeAt(0) + 1}\n`)
    return await builtVenv('scorebook-tzdata', requirements)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function compareBoundaries(python: string, spans: readonly Span[]): Promise<Comparison> {
  const asked = spans.map(({ zone, from, until }) => ({
    zone,
    from: Date.UTC(from, 0) / MINUTE_MS,
    until: Date.UTC(until, 0) / MINUTE_MS,
    crons: CRONS,
  }))
  const answered: number[][][] = JSON.parse(await runOracle(python, JSON.stringify(asked)))
  const differences: string[] = []
  let boundaries = 0
  for (const [index, { zone, from, until }] of asked.entries()) {
    for (const [which, cron] of CRONS.entries()) {
      const expected = (answered[index]?.[which] ?? []).map((minute) => minute * MINUTE_MS)
      const found = boundariesWithin({ cron, timeZone: zone }, from * MINUTE_MS, until * MINUTE_MS)
      boundaries += expected.length
      const at = firstDifference(expected, found)
      if (at !== null)
        differences.push(`${cron} in ${zone}: ${isoOrNone(found[at])}, expected ${isoOrNone(expected[at])}`)
    }
  }
  return { boundaries, differences }
}

function boundariesWithin(schedule: { cron: string; timeZone: string }, after: number, until: number): number[] {
  const found: number[] = []
  for (const boundary of boundariesAfter(schedule, after)) {
    if (boundary > until) break
    found.push(boundary)
  }
  return found
}

function firstDifference(a: readonly number[], b: readonly number[]): number | null {
  const length = Math.max(a.length, b.length)
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return at
  return null
}

const isoOrNone = (ms: number | undefined): string => (ms === undefined ? 'none' : new Date(ms).toISOString())

async function runOracle(python: string, input: string): Promise<string> {
  const oracle = spawn(python, [ORACLE], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise<number | null>((resolve, reject) => oracle.on('error', reject).on('close', resolve))
  oracle.stdin.end(input)
  const output = await text(oracle.stdout)
  const code = await exited
  if (code !== 0) throw new Error(`the oracle exited with ${code}`)
  return output
}
