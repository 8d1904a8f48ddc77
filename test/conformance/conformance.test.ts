// The conformance suite of docs/vectors, run by this project's client against a server.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Client, connect } from '../../clients/javascript/connect.ts'
import { openServed, type Served } from '../cli/served.ts'
import { operatorKey } from '../clients/javascript/keys.ts'
import { readSuite, SUITES } from './cases.ts'
import { difference, filled } from './matching.ts'
import { ownDriver } from './own-driver.ts'
import { type Report, runAll } from './run-all.ts'
import { runSuite } from './run-suite.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('the conformance suite', () => {
  let served: Served
  let operator: Client
  before(async () => {
    served = await openServed()
    operator = await connect({ baseUrl: served.url, key: await operatorKey(served.dataDir) })
  })
  after(() => served.close())

  /** As an author of another client runs it, against a server that runs already. */
  async function command(driver: string): Promise<{ code: number; out: string; err: string }> {
    const key = join(served.dataDir, 'operator.json')
    const args = ['--import', 'tsx', 'test/conformance/main.ts', '--server', served.url, '--key', key]
    try {
      const ended = await promisify(execFile)(process.execPath, [...args, '--driver', driver], { cwd: ROOT })
      return { code: 0, out: ended.stdout, err: ended.stderr }
    } catch (failure) {
      const { code, stdout: out, stderr: err } = failure as { code: number; stdout: string; stderr: string }
      return { code, out, err }
    }
  }

  it('has at least 150 cases', () => {
    const count = SUITES.reduce((sum, name) => sum + readSuite(name).cases.length, 0)
    expect(count).to.be.at.least(150)
  })

  it('passes with the client of this project, and leaves no game behind', async function () {
    this.timeout(60_000)
    const reports: Report[] = []
    const run = { server: served.url, operatorKey: await operatorKey(served.dataDir), driver: ownDriver() }
    await runAll(run, (report) => reports.push(report))
    for (const { name, outcomes } of reports) {
      const failed = outcomes.filter(({ failure }) => failure !== null)
      process.stdout.write(`      ${name}: ${outcomes.length} cases, ${outcomes.length - failed.length} passed\n`)
      expect(failed).to.deep.equal([])
    }
    const counts = SUITES.map((name) => readSuite(name).cases.length)
    expect(reports.map(({ outcomes }) => outcomes.length)).to.deep.equal([14, ...counts])
    expect((await operator.games()).games).to.deep.equal([])
  })

  it('fails where an answer differs', async () => {
    const suite = readSuite('idempotency')
    const wrong = suite.cases.map(({ name, steps }) => ({
      name,
      steps: steps.map((step) =>
        'call' in step && step.answer !== undefined ? { ...step, answer: { other: 1 } } : step,
      ),
    }))
    const outcomes = await runSuite({ ...suite, cases: wrong }, served.url, operator, ownDriver())
    expect(outcomes.filter(({ failure }) => failure === null).map(({ name }) => name)).to.deep.equal([
      'refuses a key of other characters than printable ASCII',
    ])
  })

  it('runs a program as a driver, and fails with what the program does not do', async () => {
    // It signs in nobody, and answers the expected values of no call.
    const program = `process.stdin.on('data', (line) => {
      const { op } = JSON.parse(line)
      const answers = { hello: {}, open: { players: { ada: 'a', bob: 'b' } } }
      console.log(JSON.stringify(op === 'call' ? { error: 'not done' } : { answer: answers[op] }))
    })`
    const quiet = await command(`'${process.execPath}' -e "${program.replaceAll('"', '\\"')}"`)
    expect([quiet.code, quiet.err]).to.deep.equal([1, ''])
    const lines = quiet.out.split('\n')
    expect(lines).to.include('handshake: skipped, the driver does not sign: 14 vectors')
    expect(lines).to.include('idempotency: 13 run, 0 passed')
    expect(lines).to.include('    setup: step 1: not done')
    expect(lines).to.include('rooms: skipped, the client has no rooms: 18 cases')
    expect(lines.at(-2)).to.equal('136 cases run, 0 passed, 136 failed')
    const gone = await command('exit 7')
    expect([gone.code, gone.out, gone.err]).to.deep.equal([2, '', 'the driver has ended (7)\n'])
    expect((await operator.games()).games).to.deep.equal([])
  })

  it('compares arrays by length, objects by the named fields, and everything else exactly', () => {
    expect(difference({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }], d: 3 })).to.equal(null)
    expect(difference({ a: [1] }, { a: [1, 2] })).to.equal('/a has 2 elements, not 1')
    expect(difference({ a: null }, {})).to.equal('/a is undefined')
    expect(difference({ a: { $type: 'string' } }, { a: 1 })).to.equal('/a is no string')
    const placeholder = ['/x/$', '{id}/'].join('')
    expect(filled({ a: placeholder }, new Map([['id', '7']]))).to.deep.equal({ a: '/x/7/' })
  })
})
