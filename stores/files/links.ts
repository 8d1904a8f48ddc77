// Self-contained signed links: the bound values and a MAC over them, so any node can check them and none keeps a
// list. The content is not secret, but a link grants access, so links are never logged.

import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../../credentials/master.ts'
import { fromBase64url, toBase64url } from '../../credentials/text.ts'
import type { Expected, Offered } from '../contract/files.ts'
import type { Link } from '../contract/local-files.ts'

/** Maximum length of our links: names and types have at most 255 bytes. */
const TOKEN_MAX_CHARACTERS = 4_096
const MAC_BYTES = 32

type Put = readonly ['put', string, string, number, string, string | null, number]
type Get = readonly ['get', string, number, string, string | null, string, string, string, number]

export function putToken(key: Uint8Array, upload: string, expected: Expected, expiresMs: number): string {
  const { blob, size, contentType, sha256 } = expected
  return signed(key, ['put', upload, blob, size, contentType, sha256, expiresMs])
}

export function getToken(key: Uint8Array, offered: Offered, expiresMs: number): string {
  const { blob, size, contentType, sha256, name, bucket, download } = offered
  return signed(key, ['get', blob, size, contentType, sha256, name, bucket, download, expiresMs])
}

function signed(key: Uint8Array, content: Put | Get): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${toBase64url(keyedDigest(key, text))}`
}

/** The content of a token; null if it was not signed with this key or has expired. `nowMs`: Unix milliseconds. */
export function linkOf(key: Uint8Array, token: string, nowMs: number): Link | null {
  const dot = token.indexOf('.')
  if (dot < 0 || token.length > TOKEN_MAX_CHARACTERS) return null
  const text = token.slice(0, dot)
  const mac = fromBase64url(token.slice(dot + 1), MAC_BYTES)
  if (mac === null || !timingSafeEqual(mac, keyedDigest(key, text))) return null
  const link = read(JSON.parse(Buffer.from(text, 'base64url').toString()))
  return nowMs < link.expiresMs ? link : null
}

function read(content: Put | Get): Link {
  if (content[0] === 'put') {
    const [kind, upload, blob, size, contentType, sha256, expiresMs] = content
    return { kind, upload, expected: { blob, size, contentType, sha256 }, expiresMs }
  }
  const [kind, blob, size, contentType, sha256, name, bucket, download, expiresMs] = content
  return { kind, offered: { blob, size, contentType, sha256, name, bucket, download }, expiresMs }
}
