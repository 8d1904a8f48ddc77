// The documentation site lists the pages that people work from, and its search puts reasons after tasks.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const SITE = new URL('../../docs/site/.vitepress/', import.meta.url)
const load = (name: string) => import(new URL(name, SITE).href)

interface Part {
  readonly text: string
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

describe('the documentation site', () => {
  it('lists every tutorial and every how-to page in its sidebar, but the one for authors of clients', async () => {
    const { sidebar }: { sidebar: readonly Part[] } = await load('sidebar.mjs')
    const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link))
    const pages = ['tutorials', 'how-to'].flatMap((folder) =>
      readdirSync(fileURLToPath(new URL(`../../docs/${folder}`, import.meta.url))).map(
        (name) => `/${folder}/${name.replace('.md', '')}`,
      ),
    )
    expect(pages.length).to.be.above(10)
    expect(pages.filter((page) => !listed.includes(page))).to.deep.equal(['/how-to/conformance'])
  })

  it('ranks decisions and pages of the project last in its search, also where its function is sent as text', async () => {
    const { boostDocument }: { boostDocument: (address: string) => number } = await load('search.mjs')
    const sent: typeof boostDocument = new Function(`return ${boostDocument.toString()}`)()
    for (const weigh of [boostDocument, sent]) {
      const weights = [
        '/how-to/periodic.html#prizes',
        '/protocol.html#6-leaderboards-and-scores',
        '/decisions/ranking.html#windows-and-filters',
        '/project/changelog.html#fixed',
      ].map(weigh)
      expect(weights).to.deep.equal([1, 1, 0.02, 0.02])
    }
  })

  it('indexes the text of each page but those of the archive of decisions', async () => {
    const { searchText } = await load('search.mjs')
    const render = (source: string) => `<p>${source}</p>`
    const indexed = (relativePath: string) => searchText('A text', { relativePath }, { render })
    expect(['how-to/past.md', 'decisions/log.md', 'decisions/archive/0001-a.md'].map(indexed)).to.deep.equal([
      '<p>A text</p>',
      '<p>A text</p>',
      '',
    ])
  })
})
