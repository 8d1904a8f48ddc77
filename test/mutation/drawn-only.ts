// A Stryker checker: lets only the drawn mutants through to the tests. Stryker's `--mutate file:range` cannot select
// single mutants, because a range also selects every mutant nested in it.

import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check'
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import { keyOf } from './mutants.ts'

export const NOT_DRAWN = 'not in the sample'

class DrawnOnly implements Checker {
  static inject = tokens(commonTokens.options)
  private readonly drawn: ReadonlySet<unknown>

  constructor(options: StrykerOptions) {
    const { drawnMutants } = options
    this.drawn = new Set(Array.isArray(drawnMutants) ? drawnMutants : [])
  }

  async init(): Promise<void> {}

  /** One group: a call per mutant would cost more than the check. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(
      mutants.map((mutant): [string, CheckResult] => [
        mutant.id,
        this.drawn.has(keyOf(mutant))
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: NOT_DRAWN },
      ]),
    )
  }
}

/** Stryker finds plugins by this name. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'drawn-only', DrawnOnly)]
