// Strong ETags of what a GET answers, and If-Match on the PUT that follows it.

import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Refusal } from '../../domain/decider.ts'

const TAG_CHARACTERS = 27

/** A strong ETag of a JSON value, independent of the order of its fields. */
export function etagOf(body: unknown): string {
  return etagOfBytes(canonicalize(body) ?? '')
}

/** A strong ETag of exactly these bytes, or of a text's in UTF-8. */
export function etagOfBytes(bytes: string | Buffer): string {
  const hash = createHash('sha256').update(bytes)
  return `"${hash.digest('base64url').slice(0, TAG_CHARACTERS)}"`
}

/** Throws 412 `precondition_failed` if If-Match was sent and does not contain the current ETag. */
export function checkIfMatch(ifMatch: string | null, etag: string): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes(etag)) return
  const detail = 'It has changed since that ETag. Read it again and send the current one.'
  throw new Refusal('precondition', 'precondition_failed', detail, { etag })
}

/** Whether If-None-Match names this ETag (RFC 9110, 13.1.2: compared weakly). */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
