// Serves a document that never changes while the process runs: serialised once, sent from one shared buffer, with an
// ETag.

import { etagOfBytes, isKnown } from './pipeline/etag.ts'
import type { Answer } from './route.ts'

/** Answers GET, given the value of If-None-Match: 200 with the document, or 304 if the ETag matches. */
export type StaticDocument = (ifNoneMatch: string | null) => Answer

/** `make` is called once, for the first caller. */
export function staticDocument(make: () => unknown): StaticDocument {
  let made: { readonly body: Buffer; readonly headers: { readonly ETag: string } } | null = null
  return (ifNoneMatch) => {
    made ??= serialised(make())
    const { body, headers } = made
    if (isKnown(ifNoneMatch, headers.ETag)) return { status: 304, body: null, headers }
    return { status: 200, body, headers, isShared: true }
  }
}

function serialised(document: unknown) {
  const body = Buffer.from(JSON.stringify(document))
  return { body, headers: { ETag: etagOfBytes(body) } }
}
