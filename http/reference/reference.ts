// Serves the documentation at /docs/ and the API reference below /docs/api/: pages made from the documents that the API
// serves, at the first request.

import type { Context } from '../pipeline/context.ts'
import { type StaticFile, sendStatic, staticFile } from '../site/static-files.ts'
import type { Documents } from './documents.ts'
import { REFERENCE_POLICY } from './layout.ts'
import { docsPage, eventsPage, httpPage, roomsPage } from './pages.ts'

const PAGES: ReadonlyMap<string, (documents: Documents) => string> = new Map([
  ['/docs/', docsPage],
  ['/docs/api/', httpPage],
  ['/docs/api/rooms/', roomsPage],
  ['/docs/api/events/', eventsPage],
])

/** Answers the pages; false, leaving the response untouched, at other paths. `read` is called at the first request. */
export function apiReference(read: () => Promise<Documents>): (ctx: Context, path: string) => Promise<boolean> {
  let documents: Promise<Documents> | null = null
  const pages = new Map<string, Promise<StaticFile>>()

  async function made(make: (documents: Documents) => string): Promise<StaticFile> {
    documents ??= read()
    return staticFile('index.html', Buffer.from(make(await documents)))
  }

  return async (ctx, path) => {
    const closed = path.endsWith('/') ? path : `${path}/`
    const make = PAGES.get(closed)
    if (make === undefined) return false
    const page = pages.get(closed) ?? made(make)
    pages.set(closed, page)
    sendStatic(ctx, await page, REFERENCE_POLICY)
    return true
  }
}
