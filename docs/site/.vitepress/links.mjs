// Links that lead out of docs/. Pages of the repository's root have a page of the site; other files have none, and their names
// stay as text. A link to a page that does not exist fails the build.

import { posix } from 'node:path'

const ROOT_PAGES = {
  'CHANGELOG.md': '/project/changelog.md',
  'CONTRIBUTING.md': '/project/contributing.md',
  'SECURITY.md': '/project/security.md',
  'README.md': '/start.md',
}
const FOLDERS = new Map([
  ['decisions/', 'decisions/README.md'],
  ['decisions/archive/', 'decisions/archive/README.md'],
])

/** The target as the site has it; null: the site has no such page. */
export function targetInside(page, href) {
  if (/^[a-z]+:|^#|^\//.test(href)) return href
  const [path, hash] = href.split('#')
  // Pages of the root are included by pages in project/: their links start at the root.
  const folder = page.startsWith('project/') ? '..' : posix.dirname(page)
  const whole = posix.normalize(posix.join('docs', folder, path))
  const suffix = hash === undefined ? '' : `#${hash}`
  if (whole.startsWith('docs/')) {
    const inside = FOLDERS.get(whole.slice(5)) ?? whole.slice(5)
    return /\.(md|svg|png|json|txt)$/.test(inside) ? `/${inside}${suffix}` : null
  }
  return ROOT_PAGES[whole] === undefined ? null : ROOT_PAGES[whole] + suffix
}

export function linksInside(md) {
  md.core.ruler.push('links-inside', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let open = null
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const target = targetInside(env.relativePath ?? '', token.attrGet('href'))
          open = token
          if (target === null) hide(token)
          else token.attrSet('href', target)
        } else if (token.type === 'link_close' && open?.tag === '') hide(token)
      }
    }
  })
}

function hide(token) {
  token.type = 'text'
  token.tag = ''
  token.content = ''
  token.nesting = 0
}
