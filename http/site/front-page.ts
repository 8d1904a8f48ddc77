// The page at `/` for browsers: what this server is, that it runs, and where to go next. Without scripts and other
// requests.

import { createHash } from 'node:crypto'

export interface FrontPageOptions {
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

/** Allows the page's own style sheet and nothing else. */
export const FRONT_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The page as HTML. */
export function frontPage({ version, hasConsole }: FrontPageOptions): string {
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
