// docs/guarantees.md names tests and long runs that exist.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${ROOT}/docs/guarantees.md`, 'utf8')
const rows = page.split('\n').filter((line) => /^\| [^-]/.test(line) && !line.startsWith('| Promise'))

describe('docs/guarantees.md', () => {
  it('names a test for every promise, and only files that exist', () => {
    expect(rows.length).to.be.greaterThan(30)
    for (const row of rows) {
      const [, promise = '', tests = ''] = row.split('|').map((cell) => cell.trim())
      const named = [...tests.matchAll(/`([^`]+\.ts)`/g)].map(([, path]) => `${ROOT}/test/${path}`)
      expect(named.length > 0 || tests.includes('.ci/run'), promise).to.equal(true)
      expect(
        named.filter((path) => !existsSync(path)),
        promise,
      ).to.deep.equal([])
    }
  })

  it('names only long runs that package.json has', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))
    const named = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, area]) => area))
    expect(named.length).to.be.greaterThan(20)
    expect(named.filter((area) => scripts[`proof:${area}`] === undefined)).to.deep.equal([])
  })
})
