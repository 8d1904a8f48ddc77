// `npm run conformance -- --server <url> --key <file> [--driver <command>]`: the conformance suite of docs/vectors
// against a running server, with the client library behind a driver. Exits with 1 if a case fails, with 2 if it cannot
// run.

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { keyIn } from '../../clients/javascript/key-file.ts'
import { commandDriver } from './command-driver.ts'
import type { Driver } from './driver.ts'
import { ownDriver } from './own-driver.ts'
import { type Report, runAll } from './run-all.ts'

const USAGE = `npm run conformance -- --server <url> --key <operator key file> [--driver <command>]

Runs docs/vectors against a running server. Without --driver, with this project's client.
docs/how-to/conformance.md describes what a driver is.
`

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { server: text, key: text, driver: text, help: { type: 'boolean' } } })
  const { server, key: keyFile, driver: command } = values
  if (values.help === true || server === undefined || keyFile === undefined) {
    process.stderr.write(USAGE)
    return values.help === true ? 0 : 2
  }
  const operatorKey = keyIn(await readFile(keyFile, 'utf8'))
  if (operatorKey === null) throw new Error(`${keyFile} holds no key`)
  const driver = command === undefined ? ownDriver() : await commandDriver(command)
  return run(server, operatorKey, driver)
}

async function run(server: string, operatorKey: { readonly prefix: string }, driver: Driver): Promise<number> {
  const reports: Report[] = []
  try {
    await runAll({ server, operatorKey, driver }, (report) => {
      reports.push(report)
      process.stdout.write(linesOf(report))
    })
  } finally {
    await driver.end()
  }
  const outcomes = reports.flatMap((report) => report.outcomes)
  const failed = outcomes.filter(({ failure }) => failure !== null).length
  process.stdout.write(`${outcomes.length} cases run, ${outcomes.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

function linesOf({ name, skipped, outcomes }: Report): string {
  if (skipped !== null) return `${name}: skipped, ${skipped}\n`
  const failed = outcomes.filter(({ failure }) => failure !== null)
  const lines = failed.map(({ name: title, failure }) => `  failed: ${title}\n    ${failure}\n`)
  return `${name}: ${outcomes.length} run, ${outcomes.length - failed.length} passed\n${lines.join('')}`
}

try {
  process.exitCode = await main()
} catch (failure) {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
  process.exitCode = 2
}
