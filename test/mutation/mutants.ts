// Lists the mutants that Stryker makes of source files, and draws the ones to test: all mutants of some files, and a
// fixed-seed sample of the others.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Mutant } from '@stryker-mutator/api/core'
import { Instrumenter } from '@stryker-mutator/instrumenter'

type Logger = ConstructorParameters<typeof Instrumenter>[0]

const silent = (): void => {}
const off = (): boolean => false
const SILENT: Logger = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

export type MutantPlace = Pick<Mutant, 'fileName' | 'location' | 'mutatorName' | 'replacement'>

/** The same text for the same mutant in every run, whatever id Stryker gives it. */
export function keyOf({ fileName, location, mutatorName, replacement }: MutantPlace): string {
  const { start, end } = location
  const range = `${start.line}:${start.column}-${end.line}:${end.column}`
  return [relative(process.cwd(), fileName), range, mutatorName, replacement].join(' ')
}

export async function mutantsOf(files: readonly string[]): Promise<Mutant[]> {
  const sources = await Promise.all(
    files.map(async (name) => ({ name, content: await readFile(name, 'utf8'), mutate: true })),
  )
  const options = { plugins: null, excludedMutations: [], ignorers: [], mutateDescription: true }
  const { mutants } = await new Instrumenter(SILENT).instrument(sources, options)
  return [...mutants]
}

/**
 * `size` of the keys, or all where there are fewer. Orders them by a hash of seed and key, so a mutant of an unchanged
 * line tends to stay in the sample when other lines change.
 */
export function draw(keys: readonly string[], { size, seed }: { size: number; seed: number }): string[] {
  const ranked = keys.map((key) => ({ key, rank: createHash('sha256').update(`${seed} ${key}`).digest('hex') }))
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  return ranked.slice(0, size).map(({ key }) => key)
}
