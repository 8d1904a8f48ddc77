// The frame of a page: head, links between the pages, menu. Without scripts and requests; light and dark.

import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

export interface MenuGroup {
  readonly name: string
  /** `id` of an element of the page. */
  readonly links: readonly { readonly id: string; readonly text: string }[]
}

export interface PageParts {
  readonly title: string
  /** Its path. */
  readonly here: string
  readonly version: string
  readonly menu: readonly MenuGroup[]
  readonly body: Html
}

const PAGES = [
  ['/docs/', 'Documentation'],
  ['/docs/api/', 'HTTP API'],
  ['/docs/api/rooms/', 'Rooms'],
  ['/docs/api/events/', 'Events'],
] as const

/** Allows the pages' own style sheet and nothing else. */
export const REFERENCE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function page({ title, here, version, menu, body }: PageParts): string {
  // The hash in the policy is that of the style sheet as it is, so it is not part of the escaping template.
  const [head, rest] = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Scorebook reference</title>
<style>${SPLIT}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="home" href="/">Scorebook</a> <span class="version">${version}</span>
<nav aria-label="Pages">${PAGES.map(([path, name]) => html`<a href="${path}"${path === here && html` aria-current="page"`}>${name}</a>`)}</nav></header>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${menu.map(group)}</nav></details>
<div class="frame">
<nav class="side" aria-label="Contents of this page">${menu.map(group)}</nav>
<main id="main">
<h1>${title}</h1>
${body}
</main>
</div>
</body>
</html>
`.text.split(SPLIT)
  return `${head}${STYLE}${rest}`
}

const SPLIT = '\u0000'

const group = ({ name, links }: MenuGroup): Html => html`<details open><summary>${name}</summary><ul>${links.map(
  ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`,
)}</ul></details>
`
