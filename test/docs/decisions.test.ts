// docs/decisions/: one page per area with the decisions in force, and the archive of the notes that they link to.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

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
