// Checks the built site: every link inside of it leads to a page and a heading that exist, and no page loads anything from another
// origin. Prints each fault, and exits with 1 if there is one.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('./dist/', import.meta.url))
const base = process.env.DOCS_BASE ?? '/'

const pages = new Map(
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => {
      const html = readFileSync(DIST + name, 'utf8')
      return [name, { html, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)) }]
    }),
)

/** The fault of a link; null: none. */
function faultOf(page, href) {
  const [path, hash = ''] = href.split('#')
  const whole = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path)
  const name = path === '' ? page : whole === '' || whole.endsWith('/') ? `${whole}index.html` : whole
  const target = pages.get(name)
  if (target === undefined) return existsSync(DIST + name) ? null : 'no such page'
  return hash === '' || target.ids.has(decodeURIComponent(hash)) ? null : 'no such heading'
}

const faults = new Set()
for (const [page, { html }] of pages) {
  for (const [, href] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(href)) continue
    const fault = faultOf(page, href.replaceAll('&amp;', '&'))
    if (fault !== null) faults.add(`${page}: ${href}: ${fault}`)
  }
  for (const [, address] of html.matchAll(/<(?:script|img|link)\s[^>]*?(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)) {
    faults.add(`${page} loads ${address}`)
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`${pages.size} pages, ${faults.size} faults\n`)
if (faults.size > 0 || pages.size < 50) process.exitCode = 1
