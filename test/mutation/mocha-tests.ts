// A Stryker test runner on mocha's own API. @stryker-mutator/mocha-runner 9.6 imports parts of mocha 11 that mocha 12
// no longer has, and its version 10 needs Node 22.

import { INSTRUMENTER_CONSTANTS, type InstrumenterContext, type StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { escapeRegExp } from '@stryker-mutator/util'
import Mocha from 'mocha'

/** What instrumented code reads and writes while it runs. */
const context: InstrumenterContext = {}

/** Prints nothing; Stryker reports. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {}
}

class MochaTests implements TestRunner {
  static inject = tokens(commonTokens.options)
  private readonly mocha = new Mocha({ reporter: Silent, timeout: 0 })
  private readonly files: readonly string[]
  private readonly titlesLeftOut: readonly string[]
  private loaded = false

  constructor({ unitTests, titlesLeftOut }: StrykerOptions) {
    this.titlesLeftOut = Array.isArray(titlesLeftOut) ? titlesLeftOut.map(String) : []
    this.files = Array.isArray(unitTests) ? unitTests.map(String) : []
    Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })
  }

  /** Imported modules cannot be loaded again: Stryker starts a new process instead. */
  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: false }
  }

  async init(): Promise<void> {
    this.mocha.cleanReferencesAfterRun(false)
    for (const file of this.files) this.mocha.addFile(file)
    this.mocha.suite.beforeEach(function () {
      const id = this.currentTest?.fullTitle()
      if (id !== undefined) context.currentTestId = id
    })
  }

  async dryRun({ disableBail }: DryRunOptions): Promise<DryRunResult> {
    const result = await this.run({ bail: !disableBail })
    const { mutantCoverage } = context
    return result.status === DryRunStatus.Complete && mutantCoverage !== undefined
      ? { ...result, mutantCoverage }
      : result
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, disableBail, hitLimit, mutantActivation, testFilter } = options
    if (hitLimit === undefined) {
      delete context.hitLimit
      delete context.hitCount
    } else Object.assign(context, { hitLimit, hitCount: 0 })
    this.mocha.grep(testFilter === undefined ? /^/ : new RegExp(`^(?:${testFilter.map(escapeRegExp).join('|')})$`))
    if (mutantActivation === 'static') context.activeMutant = activeMutant.id
    await this.load()
    context.activeMutant = activeMutant.id
    return toMutantRunResult(await this.run({ bail: !disableBail }))
  }

  private async load(): Promise<void> {
    if (this.loaded) return
    await this.mocha.loadFilesAsync()
    leaveOut(this.mocha.suite, this.titlesLeftOut)
    this.loaded = true
  }

  private async run({ bail }: { bail: boolean }): Promise<DryRunResult> {
    try {
      await this.load()
      setBail(this.mocha.suite, bail)
      const tests = await this.runLoaded()
      return determineHitLimitReached(context.hitCount, context.hitLimit) ?? { status: DryRunStatus.Complete, tests }
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: error instanceof Error ? String(error.stack) : String(error) }
    }
  }

  private runLoaded(): Promise<TestResult[]> {
    return new Promise((resolve) => {
      const tests: TestResult[] = []
      let startedMs = Date.now()
      const report = (test: Mocha.Runnable, failureMessage: string | null): void => {
        const id = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle()
        const timeSpentMs = Date.now() - startedMs
        startedMs = Date.now()
        const result = { id, name: id, timeSpentMs, ...(test.file === undefined ? {} : { fileName: test.file }) }
        tests.push(
          failureMessage === null
            ? { ...result, status: TestStatus.Success }
            : { ...result, status: TestStatus.Failed, failureMessage },
        )
      }
      this.mocha
        .run(() => resolve(tests))
        .on('pass', (test) => report(test, null))
        .on('fail', (test, error) => report(test, error.message || 'failed'))
    })
  }
}

function leaveOut(suite: Mocha.Suite, titles: readonly string[]): void {
  suite.tests = suite.tests.filter((test) => !titles.includes(test.fullTitle()))
  for (const one of suite.suites) leaveOut(one, titles)
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail)
  for (const one of suite.suites) setBail(one, bail)
}

/** Stryker finds plugins by this name. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha-tests', MochaTests)]
