// What this server has for browsers outside the API and its documentation: the page at `/` and the console.

import { type Context, targetOf } from '../pipeline/context.ts'
import { consolePages, consolePolicy } from './console-pages.ts'
import { FRONT_PAGE_POLICY, frontPage } from './front-page.ts'
import { sendStatic } from './send-static.ts'
import { type StaticFiles, staticFile } from './static-files.ts'

export interface SiteOptions {
  readonly version: string
  /** Files of the console; null: it is not built. `off`: not served. */
  readonly console: StaticFiles | null | 'off'
  /** Origins that the console connects to besides its own. */
  readonly consoleOrigins: readonly string[]
}

/** Answers the request and returns true, or returns false and leaves the response untouched. */
export type Site = (ctx: Context) => boolean | Promise<boolean>

export async function createSite(options: SiteOptions): Promise<Site> {
  const { version, console: files, consoleOrigins } = options
  const html = frontPage({ version, hasConsole: files !== 'off' })
  const front = await staticFile('index.html', Buffer.from(html))
  const inConsole = files === 'off' ? () => false : consolePages(files, consolePolicy(consoleOrigins))
  return (ctx) => {
    const { path } = targetOf(ctx.req)
    if (path !== '/') return inConsole(ctx, path)
    // Other callers get the API's answer. A caller without preference is not a browser.
    if (ctx.accepts('json', 'html') !== 'html') return false
    sendStatic(ctx, front, FRONT_PAGE_POLICY, 'Accept, Accept-Encoding')
    return true
  }
}
