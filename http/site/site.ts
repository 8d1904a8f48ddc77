// What this server has for browsers outside the API and its documentation: the page at `/`, which is
// JSON for other callers, and the console.

import { type Context, targetOf } from '../pipeline/context.ts'
import { decodeOnce } from '../pipeline/input.ts'
import { isRead, pagePolicy, type StaticFiles, sendStatic, sendText, staticFile } from './static-files.ts'

interface SiteOptions {
  readonly version: string
  /** Files of the console; null: it is not built. `off`: not served. */
  readonly console: StaticFiles | null | 'off'
  readonly consoleOrigins: readonly string[]
}

/** Answers the request and returns true, or returns false and leaves the response untouched. */
export type Site = (ctx: Context) => boolean | Promise<boolean>

export async function createSite(options: SiteOptions): Promise<Site> {
  const { version, console: files, consoleOrigins } = options
  const hasConsole = files !== 'off'
  const front = await staticFile('index.html', Buffer.from(frontPage({ version, hasConsole })))
  const summary = await staticFile('index.json', Buffer.from(JSON.stringify(summaryOf({ version, hasConsole }))))
  const inConsole = files === 'off' ? () => false : consolePages(files, consolePolicy(consoleOrigins))
  return (ctx) => {
    const { path } = targetOf(ctx.req)
    if (path !== '/') return inConsole(ctx, path)
    // A caller without preference is not a browser.
    const isBrowser = ctx.accepts('json', 'html') === 'html'
    if (isBrowser) sendStatic(ctx, front, FRONT_PAGE_POLICY, FRONT_VARY)
    else sendStatic(ctx, summary, "default-src 'none'", FRONT_VARY)
    return true
  }
}

const FRONT_VARY = 'Accept, Accept-Encoding'

/** What `/` answers to other callers than browsers. A path is null if a setting switches it off. */
const summaryOf = ({ version, hasConsole }: FrontPageOptions) => ({
  name: 'Scorebook',
  version,
  console: hasConsole ? '/console/' : null,
  docs: '/docs/',
  openapi: '/api/openapi.json',
})

// The page at `/` for browsers: what this server is, that it runs, and where to go next. Without scripts and other
// requests.

interface FrontPageOptions {
  readonly version: string
  readonly hasConsole: boolean
}

const STYLE = `:root{color-scheme:light dark;--ink:#1c2430;--soft:#566072;--line:#d8dde5;--paper:#fbfbf9;--accent:#0b62b5;--good:#1d7a46}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf0;--soft:#a4aebd;--line:#333c49;--paper:#14181e;--accent:#7ab8f5;--good:#6fd39b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:40rem;margin:0 auto;padding:clamp(2rem,10vh,6rem) 1.25rem 3rem}
h1{margin:0;font-size:2rem;letter-spacing:-.02em}
.status{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .6rem;margin:.5rem 0 1.5rem;color:var(--soft)}
.status strong{color:var(--good);font-weight:600}
ul{list-style:none;margin:2rem 0 0;padding:0;border-top:1px solid var(--line)}
li{border-bottom:1px solid var(--line)}
a{display:block;padding:.9rem .25rem;color:inherit;text-decoration:none}
a b{color:var(--accent);font-weight:600;text-decoration:underline;text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover b{text-decoration-thickness:2px}
a:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
a span{display:block;color:var(--soft)}
`

const FRONT_PAGE_POLICY = pagePolicy(STYLE)

function frontPage({ version, hasConsole }: FrontPageOptions): string {
  const links = [
    ...(hasConsole
      ? [link('/console/', 'Console', 'Look at leaderboards, players, files and history, and change them.')]
      : []),
    link('/docs/', 'Documentation', 'What is described here, and where the guides are.'),
    link('/docs/api/', 'API reference', 'Every operation of the HTTP API, with examples.'),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scorebook</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Scorebook</h1>
<p class="status"><strong>Running</strong> <span>Version ${version}</span></p>
<p>This server is the backend of games: leaderboards with exact scores, players, files and chat rooms. It records every
change as an event, so that any board can be shown as it was at any past instant.</p>
<ul>
${links.join('\n')}
</ul>
</main>
</body>
</html>
`
}

const link = (href: string, name: string, what: string) =>
  `<li><a href="${href}"><b>${name}</b><span>${what}</span></a></li>`

// The console below /console/: its files, and its page at every other path, because the page does its own
// routing.

const ROOT = '/console'
const PAGE = 'index.html'
/** Paths of files. The console page has no routes of this form. */
const ASSET = /^assets(?:\/|$)|\.[A-Za-z0-9]{1,16}$/

const NOT_BUILT = 'The console is not built. Run `npm run build`, then start the server again.'

/** Returns false, leaving the response untouched, for paths outside the console and for files that it does not have. */
function consolePages(files: StaticFiles | null, csp: string): (ctx: Context, path: string) => boolean {
  const page = files?.get(PAGE)
  return (ctx, path) => {
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return false
    if (files === null || page === undefined) {
      if (isRead(ctx)) sendText(ctx, 503, NOT_BUILT, { 'Retry-After': '60' })
      return true
    }
    const name = decodeOnce(path.slice(ROOT.length + 1))
    if (name === null) return false
    const file = files.get(name) ?? (ASSET.test(name) ? undefined : page)
    if (file === undefined) return false
    sendStatic(ctx, file, csp)
    return true
  }
}

/**
 * `origins`: where the console connects to besides its own origin, such as `https://rooms.example` and
 * `wss://rooms.example`.
 */
function consolePolicy(origins: readonly string[]): string {
  const rules = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'connect-src': ["'self'", ...new Set(origins)].join(' '),
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(rules)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}
