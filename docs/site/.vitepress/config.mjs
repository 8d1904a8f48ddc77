// The documentation site: pages from docs/, built without a network.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { linksInside } from './links.mjs'
import { writeLlms } from './llms.mjs'
import { boostDocument, searchText } from './search.mjs'
import { sidebar } from './sidebar.mjs'

const title = 'Scorebook'
const about = 'An event-sourced game backend: leaderboards with exact decimals, whose every answer can be recomputed from one log.'
const base = process.env.DOCS_BASE ?? '/'

/** As GitHub does it, so that a link to a heading works in both places. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title,
  description: about,
  lang: 'en',
  base,
  srcDir: '..',
  srcExclude: ['site/**'],
  outDir: './dist',
  cacheDir: '.vitepress/cache',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: `${base}mark.svg`, type: 'image/svg+xml' }]],
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    anchor: { slugify },
    toc: { slugify },
    config: linksInside,
  },
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local', options: { _render: searchText, miniSearch: { searchOptions: { boostDocument } } } },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Tutorials', link: '/tutorials/web-game', activeMatch: '^/tutorials/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference/|protocol|errors)' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar,
    docFooter: { prev: false, next: false },
  },
  // The pages are outside of this folder, where Vue is not found.
  vite: { resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: fileURLToPath(new URL('../node_modules/vue', import.meta.url)) }] } },
  buildEnd: ({ outDir }) => {
    const source = fileURLToPath(new URL('../../', import.meta.url))
    writeLlms({ title, about, sidebar, source, out: outDir })
  },
})
