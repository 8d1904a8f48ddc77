// `npm run mutation`: changes the code in small ways and reports which changes the unit tests notice.
//
//   npm run mutation -- --base <git ref> --sample <mutants> --seed <n> --files <prefix> --changed-only
//
// Tests every mutant of the files changed since the base and of the three files with a goal of 95 %, and a sample of
// the
// others. Writes reports/mutation/: table.md, survivors.md and Stryker's own JSON.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { parseEquivalents } from './equivalents.ts'
import { draw, keyOf, mutantsOf } from './mutants.ts'
import { type Group, judge, survivorsOf, tableOf } from './result.ts'
import { type Run, strykerOptions, testsOf, unitTests } from './stryker-options.ts'

const FOLDERS = ['domain', 'commands', 'projections', 'ranking']
const EXACT = ['domain/decimal.ts', 'domain/paths.ts', 'domain/permissions.ts']
const REPORTS = 'reports/mutation'
const GOAL = 85
const GOAL_EXACT = 95

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    sample: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    /** Only files whose path begins with this. */
    files: { type: 'string', default: '' },
    /** Leaves out decimals, paths and permissions. */
    'skip-exact': { type: 'boolean', default: false },
    /** Leaves out the sample. */
    'changed-only': { type: 'boolean', default: false },
  },
})

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '')

/** origin/main where it is known, else the commit before. */
function defaultBase(): string {
  try {
    git('rev-parse', '--verify', 'origin/main')
    return 'origin/main'
  } catch {
    return 'HEAD~1'
  }
}

const base = values.base ?? defaultBase()
const files = git('ls-files', '--cached', '--others', '--exclude-standard', ...FOLDERS).filter(
  (file) => file.endsWith('.ts') && file.startsWith(values.files),
)
const changed = new Set(git('diff', '--name-only', base, '--', ...FOLDERS))

const mutants = await mutantsOf(files)
const keysIn = (includes: (file: string) => boolean): string[] =>
  mutants.filter(({ fileName }) => includes(fileName)).map(keyOf)
const isExact = (file: string): boolean => EXACT.includes(file)
const exact = keysIn(isExact)
const full = keysIn((file) => changed.has(file) && !isExact(file))
const others = keysIn((file) => !changed.has(file) && !isExact(file))
const size = values['changed-only'] ? 0 : Number(values.sample)
const sampled = draw(others, { size, seed: Number(values.seed) })
console.log(
  `${mutants.length} mutants in ${files.length} files. Tested: ${exact.length} of decimals, paths and permissions, ` +
    `${full.length} of files changed since ${base}, ${sampled.length} of the other ${others.length} (seed ${values.seed}).`,
)

/** Stryker counts lines and columns from 0 when it lists mutants, and from 1 in its results. */
function fromZero(result: MutantResult): MutantResult {
  const { start, end } = result.location
  const shift = ({ line, column }: typeof start): typeof start => ({ line: line - 1, column: column - 1 })
  return { ...result, location: { start: shift(start), end: shift(end) } }
}

async function test(run: Omit<Run, 'files'>): Promise<MutantResult[]> {
  const drawn = new Set(run.drawn)
  const own = new Set(mutants.filter((mutant) => drawn.has(keyOf(mutant))).map(({ fileName }) => fileName))
  if (own.size === 0) return []
  const results = await new Stryker(strykerOptions({ ...run, files: [...own] })).runMutationTest()
  return results.map(fromZero).filter((result) => drawn.has(keyOf(result)))
}

const results = [
  ...(await test({
    drawn: values['skip-exact'] ? [] : exact,
    unitTests: testsOf(EXACT),
    withStatic: true,
    reportName: 'exact',
  })),
  ...(await test({ drawn: [...full, ...sampled], unitTests: unitTests(), withStatic: false, reportName: 'folders' })),
]

const equivalents = parseEquivalents(readFileSync(new URL('equivalent.md', import.meta.url), 'utf8'))
const judged = judge(results, equivalents)
const groups: Group[] = [
  ...EXACT.map((name) => ({ name, goal: GOAL_EXACT, includes: (file: string) => file === name })),
  ...FOLDERS.map((folder) => ({
    name: `${folder}/`,
    goal: GOAL,
    includes: (file: string) => file.startsWith(`${folder}/`) && !isExact(file),
  })),
]
const table = tableOf(judged, groups)
mkdirSync(REPORTS, { recursive: true })
writeFileSync(`${REPORTS}/table.md`, `${table}\n`)
writeFileSync(`${REPORTS}/survivors.md`, `${survivorsOf(judged)}\n`)
writeFileSync(`${REPORTS}/judged.json`, JSON.stringify(judged, null, 1))
console.log(`\n${table}\n\nSurvivors: ${REPORTS}/survivors.md`)
