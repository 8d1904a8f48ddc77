// The conformance suite of docs/vectors, run by this project's client against a server.

import { expect } from 'chai'
import { openServed, type Served } from '../cli/served.ts'
import { operatorKey } from '../client/keys.ts'
import { readSuite, SUITES } from './cases.ts'
import { difference, filled } from './matching.ts'
import { runSuite } from './run-suite.ts'

describe('the conformance suite', () => {
  let served: Served
  before(async () => {
    served = await openServed()
  })
  after(() => served.close())

  it('has at least 150 cases', () => {
    const count = SUITES.reduce((sum, name) => sum + readSuite(name).cases.length, 0)
    expect(count).to.be.at.least(150)
  })

  for (const name of SUITES) {
    it(`passes with the client of this project: ${name}`, async () => {
      const suite = readSuite(name)
      const outcomes = await runSuite(suite, served.url, await operatorKey(served.dataDir))
      const failed = outcomes.filter(({ failure }) => failure !== null)
      process.stdout.write(`      ${name}: ${outcomes.length} cases, ${outcomes.length - failed.length} passed\n`)
      expect(failed).to.deep.equal([])
      expect(outcomes).to.have.length(suite.cases.length)
    })
  }

  it('fails where an answer differs', async () => {
    const suite = readSuite('idempotency')
    const wrong = suite.cases.map(({ name, steps }) => ({
      name,
      steps: steps.map((step) =>
        'call' in step && step.answer !== undefined ? { ...step, answer: { other: 1 } } : step,
      ),
    }))
    const outcomes = await runSuite({ ...suite, cases: wrong }, served.url, await operatorKey(served.dataDir))
    expect(outcomes.filter(({ failure }) => failure === null).map(({ name }) => name)).to.deep.equal([
      'refuses a key of other characters than printable ASCII',
    ])
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
