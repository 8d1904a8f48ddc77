// Documents name tests, long runs, decisions and links that exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${ROOT}/docs/guarantees.md`, 'utf8')
const rows = page.split('\n').filter((line) => /^\| [^-]/.test(line) && !/^\| (Promise|Subject)/.test(line))

describe('docs/guarantees.md', () => {
  it('names a test for every promise, and only files that exist', () => {
    expect(rows.length).to.be.greaterThan(30)
    for (const row of rows) {
      const [, promise = '', tests = ''] = row.split('|').map((cell) => cell.trim())
      const named = [...tests.matchAll(/`([^`*]+\.ts)`/g)].map(([, path]) => `${ROOT}/test/${path}`)
      expect(named.length > 0 || tests.includes('.ci/run'), promise).to.equal(true)
      expect(
        named.filter((path) => !existsSync(path)),
        promise,
      ).to.deep.equal([])
    }
  })

  it('is completed by test/README.md, which names only paths that exist', () => {
    const readme = readFileSync(`${ROOT}/test/README.md`, 'utf8')
    const named = [...readme.matchAll(/^\|.*$/gm)].flatMap(([row]) => [
      ...row.matchAll(/`([^`*<]+(?:\.ts|\.json|\/))`/g),
    ])
    expect(named.length).to.be.greaterThan(50)
    expect(named.map(([, path]) => path).filter((path) => !existsSync(`${ROOT}/test/${path}`))).to.deep.equal([])
  })

  it('names only long runs that package.json has', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))
    const named = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, area]) => area))
    expect(named.length).to.be.greaterThan(20)
    expect(named.filter((area) => scripts[`proof:${area}`] === undefined)).to.deep.equal([])
  })
})

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url))
const LINES_MOST = 120

/** Notes whose decision another one replaced: no page links to them. */
const REPLACED = ['0010-koa-carries.md', '0023-a-subscription-each.md']

const read = (path: string): string => readFileSync(FOLDER + path, 'utf8')
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md')
const notes = readdirSync(`${FOLDER}archive`).filter((name) => /^\d{4}-.*\.md$/.test(name))

describe('docs/decisions/', () => {
  it('links every note of the archive from the page of an area, unless its decision was replaced', () => {
    expect(notes.length).to.be.greaterThan(80)
    const linked = pages.flatMap((page) => [...read(page).matchAll(/\]\(archive\/([^)]+)\)/g)].map(([, note]) => note))
    expect(notes.filter((note) => !linked.includes(note))).to.deep.equal(REPLACED)
  })

  it('lists every area, its decisions and every note in the index of its folder', () => {
    const index = read('README.md')
    const headings = pages.flatMap((page) => [...read(page).matchAll(/^## (.*)$/gm)].map(([, title]) => [page, title]))
    expect(headings.length).to.be.greaterThan(70)
    expect(headings.filter(([page, title]) => !index.includes(`- [${title}](${page}#`))).to.deep.equal([])
    const archive = read('archive/README.md')
    expect(notes.filter((note) => !archive.includes(`(${note}) |`))).to.deep.equal([])
  })

  it('has pages of two printed pages at most', () => {
    const long = pages.filter((page) => read(page).split('\n').length > LINES_MOST + 1)
    expect(long).to.deep.equal([])
  })
})

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
