// How Stryker runs: the unit tests in one mocha process through tsx, and for each mutant only the tests that reach it.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PartialStrykerOptions } from '@stryker-mutator/api/core'

/**
 * Random histories and crashes at every step: instrumented, they take many seconds. What they alone would kill
 * survives.
 */
const SLOW = new Set([
  'test/ranking/board-fold/board-fold.test.ts',
  'test/commands/download-usage-nodes.test.ts',
  'test/projections/queried-documents-frozen.test.ts',
  'test/projections/queried-documents.test.ts',
  'test/projections/rules.test.ts',
  'test/ranking/sorted-blocks.test.ts',
])

/**
 * Read the text of source files, which is instrumented here. When one is renamed, the first test run fails and names
 * it.
 */
const READ_SOURCES = ['streams are named with a listed prefix, and every listed prefix is used']

const FOLDERS = ['domain', 'commands', 'projections', 'ranking', 'reactions', 'access', 'queries']

export function unitTests(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(`test/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `test/${folder}/${name}`),
  )
    .filter((file) => file.endsWith('.test.ts') && !SLOW.has(file))
    .sort()
}

/**
 * The unit tests whose path is that of a source file below test/, up to the extension: `domain/paths.ts` has
 * test/domain/paths*.
 */
export function testsOf(sources: readonly string[]): string[] {
  const stems = sources.map((source) => `test/${source.slice(0, -'.ts'.length)}`)
  return unitTests().filter((file) => stems.some((stem) => file.startsWith(stem)))
}

export interface Run {
  /** Source files with drawn mutants. */
  readonly files: readonly string[]
  /** Keys of the mutants to test. */
  readonly drawn: readonly string[]
  readonly unitTests: readonly string[]
  /** Whether to test mutants of code that runs while modules load. Each needs a process of its own. */
  readonly withStatic: boolean
  readonly reportName: string
}

export function strykerOptions({ files, drawn, unitTests, withStatic, reportName }: Run): PartialStrykerOptions {
  return {
    mutate: [...files],
    testRunner: 'mocha-tests',
    testRunnerNodeArgs: ['--import', 'tsx'],
    unitTests: ['test/mutation/fixed-seed.ts', ...unitTests],
    titlesLeftOut: READ_SOURCES,
    plugins: ['mocha-tests.ts', 'drawn-only.ts', 'keep-parentheses.ts'].map((file) =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    ignorers: ['keep-parentheses'],
    checkers: ['drawn-only'],
    checkerNodeArgs: ['--import', 'tsx'],
    drawnMutants: [...drawn],
    warnings: { unknownOptions: false, preprocessorErrors: true, unserializableOptions: true, slow: true },
    coverageAnalysis: 'perTest',
    ignoreStatic: !withStatic,
    concurrency: 1,
    dryRunTimeoutMinutes: 15,
    disableTypeChecks: false,
    // Stryker would rewrite tsconfig.json by an API that TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: `reports/mutation/${reportName}.json` },
    ignorePatterns: ['/reports', '/dist', '/data', '/bench/results'],
    // Where no other check of the project looks at the instrumented copy.
    tempDirName: 'node_modules/.stryker',
    allowEmpty: true,
  }
}
