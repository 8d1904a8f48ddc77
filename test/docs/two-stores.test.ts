// docs/two-stores.md names tests that exist, at least one for each place.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sections = readFileSync(`${ROOT}/docs/two-stores.md`, 'utf8').split('\n## ').slice(1)
const testsIn = (text: string) =>
  [...text.matchAll(/`([^`\s]+\.(?:test|full|servers)\.ts)`/g)].map(([, path]) => path ?? '')

describe('docs/two-stores.md', () => {
  it('names only tests that exist', () => {
    const named = sections.flatMap(testsIn)
    expect(named.length).to.be.greaterThan(30)
    expect(named.filter((path) => !existsSync(`${ROOT}/test/${path}`))).to.deep.equal([])
  })

  it('names a test for each place, in its row or for its section', () => {
    for (const section of sections) {
      const rows = section.split('\n').filter((line) => /^\| [^-]/.test(line))
      const hasColumn = /tests? \|$/i.test(rows[0] ?? '')
      const without = rows.slice(1).filter((row) => testsIn(row).length === 0)
      expect(hasColumn ? without : testsIn(section).length === 0 ? rows : [], section.split('\n')[0]).to.deep.equal([])
    }
  })
})
