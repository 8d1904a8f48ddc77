// Serves the console below /console/: its files, and its page at every other path, because the page does its own
// routing.

import type { Context } from '../pipeline/context.ts'
import { decodeOnce } from '../pipeline/input.ts'
import { isRead, sendStatic, sendText } from './send-static.ts'
import type { StaticFiles } from './static-files.ts'

const ROOT = '/console'
const PAGE = 'index.html'
/** Paths of files. The console page has no routes of this form. */
const ASSET = /^assets(?:\/|$)|\.[A-Za-z0-9]{1,16}$/

const NOT_BUILT = 'The console is not built. Run `npm run build`, then start the server again.'

/** Returns false, leaving the response untouched, for paths outside the console and for files that it does not have. */
export function consolePages(files: StaticFiles | null, csp: string): (ctx: Context, path: string) => boolean {
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
export function consolePolicy(origins: readonly string[]): string {
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
