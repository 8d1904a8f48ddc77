// The frame of a page (head, links between the pages, menu), its style sheet, and the templates that it is written in.
// Without scripts and requests; light and dark.

import { pagePolicy } from '../site/static-files.ts'

// HTML from templates that escape every value, so that no text of a document becomes markup.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

function shown(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(shown).join('')
  return escaped(String(value))
}

/** A template: values are escaped unless they are `Html`; lists are joined; null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + shown(values[index])).join(''))
}

/** Paragraphs, `code` and **strong** of a description. */
export function paragraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`
}

/** `code` and **strong** in a line of text. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)
  return html`${parts.map((part) => {
    if (part.startsWith('`') && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') && part.length > 4 ? html`<strong>${part.slice(2, -2)}</strong>` : part
  })}`
}

export const pre = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

export const json = (value: unknown): Html => pre(JSON.stringify(value, null, 2))

// The style sheet of the reference. Its colors are those of the page at `/`.

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#566072;--line:#d8dde5;--paper:#fbfbf9;--panel:#f1f2ef;--accent:#0b62b5;--strong:#8a3d00}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf0;--soft:#a4aebd;--line:#333c49;--paper:#14181e;--panel:#1b2129;--accent:#7ab8f5;--strong:#f0b27a}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre{font-family:ui-monospace,"Cascadia Code","DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.875em}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:.5rem;z-index:2;background:var(--paper);padding:.5rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .75rem;padding:.6rem 1.25rem;background:var(--paper);border-bottom:1px solid var(--line)}
.home{font-weight:700;color:inherit;text-decoration:none;letter-spacing:-.01em}
.version{color:var(--soft);font-size:.875rem}
header nav{display:flex;gap:1rem;margin-left:auto}
header nav a{color:inherit;text-decoration:none;padding:.15rem 0;border-bottom:2px solid transparent}
header nav a:hover{border-color:var(--line)}
header nav a[aria-current]{border-color:var(--accent);font-weight:600}
.menu{padding:.5rem 1.25rem;border-bottom:1px solid var(--line)}
.menu>summary{font-weight:600}
.side{display:none}
nav summary{cursor:pointer;font-weight:600;padding:.35rem 0}
nav ul{list-style:none;margin:0 0 .5rem;padding:0}
nav li a{display:block;padding:.25rem .5rem;color:inherit;text-decoration:none;border-radius:4px;font-size:.9rem;line-height:1.35}
nav li a:hover{background:var(--panel);color:var(--accent)}
main{padding:1rem 1.25rem 6rem;max-width:84rem;min-width:0}
h1{font-size:2rem;letter-spacing:-.02em;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.5rem;letter-spacing:-.01em;margin:3.5rem 0 .5rem;padding-top:1rem;border-top:2px solid var(--line)}
h3{font-size:1.15rem;line-height:1.35;margin:0 0 .35rem}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
h4{font-size:.8rem;margin:1.25rem 0 .35rem;color:var(--soft);text-transform:uppercase;letter-spacing:.05em}
h5{font-size:.875rem;margin:1rem 0 .35rem}
h5 .type{font-weight:400}
p{margin:.5rem 0;max-width:70ch}
.operation{padding:1.75rem 0;border-bottom:1px solid var(--line)}
.schema{padding:1.25rem 0;border-bottom:1px solid var(--line)}
.operation:target,.schema:target,.fields>div:target{box-shadow:-.85rem 0 0 var(--paper),-1rem 0 0 var(--accent)}
.call{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline;margin:.1rem 0 .75rem}
.call code{overflow-wrap:anywhere}
.method{font-weight:700;font-size:.8rem;letter-spacing:.04em;color:var(--strong)}
.who{color:var(--soft)}
.who strong{color:var(--ink);font-weight:600}
.fields{margin:.25rem 0 .75rem}
.fields>div{display:grid;grid-template-columns:1fr;gap:.05rem 1rem;padding:.45rem 0;border-top:1px solid var(--line)}
.fields>div:first-child{border-top:0}
.fields dt{overflow-wrap:anywhere}
.fields dd{margin:0;min-width:0}
.fields .fields{margin:.35rem 0 0;padding-left:.9rem;border-left:2px solid var(--line)}
.mark{color:var(--strong);font-size:.8rem}
.type{color:var(--soft)}
.about{display:block}
details>summary{cursor:pointer}
main details>summary{color:var(--soft);padding:.35rem 0}
.columns{display:grid;gap:0 2.5rem;grid-template-columns:minmax(0,1fr)}
pre{margin:.25rem 0;padding:.75rem .9rem;background:var(--panel);border:1px solid var(--line);border-radius:6px;overflow-x:auto;max-height:26rem;line-height:1.45;tab-size:2}
pre code{font-size:.8125rem}
p code,dd code,dt code{overflow-wrap:anywhere}
@media(max-width:30rem){header nav{width:100%;margin-left:0}}
@media(min-width:40rem){.fields>div{grid-template-columns:minmax(9rem,15rem) minmax(0,1fr)}.fields .fields>div{grid-template-columns:minmax(7rem,10rem) minmax(0,1fr)}}
@media(min-width:64rem){
.menu{display:none}
.frame{display:grid;grid-template-columns:18rem minmax(0,1fr)}
.side{display:block;position:sticky;top:3rem;align-self:start;height:calc(100vh - 3rem);overflow-y:auto;padding:1rem 1rem 3rem 1.25rem;border-right:1px solid var(--line)}
main{padding:1rem 2.5rem 8rem}
}
@media(min-width:84rem){.columns{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.examples{position:sticky;top:4rem;align-self:start}}
@media print{header,.menu,.side{display:none}.frame{display:block}pre{max-height:none;white-space:pre-wrap}}
`

export interface MenuGroup {
  readonly name: string
  readonly links: readonly { readonly id: string; readonly text: string }[]
}

interface PageParts {
  readonly title: string
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

export const REFERENCE_POLICY = pagePolicy(STYLE)

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
