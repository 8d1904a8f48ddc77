// Answers a request with a static file: GET and HEAD, compressed if the caller accepts gzip, 304 if the caller has it
// already.

import type { Context } from '../pipeline/context.ts'
import { isKnown } from '../pipeline/etag.ts'
import type { StaticFile } from './static-files.ts'

const YEAR_S = 31_536_000
const METHODS = 'GET, HEAD'

/**
 * Writes to `ctx.res` directly. `csp`: the Content-Security-Policy of the answer. 405 for methods other than GET and
 * HEAD.
 */
export function sendStatic(ctx: Context, file: StaticFile, csp: string, vary = 'Accept-Encoding'): void {
  if (!isRead(ctx)) return
  const { req, res } = ctx
  const isGzipped = file.gzipped !== null && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const { bytes, etag } = isGzipped && file.gzipped !== null ? file.gzipped : file.plain
  const headers: Record<string, string> = {
    ...secureHeaders(csp),
    ETag: etag,
    'Cache-Control': file.isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    Vary: vary,
  }
  if (isKnown(req.headers['if-none-match'] ?? null, etag)) {
    res.writeHead(304, headers).end()
    return
  }
  headers['Content-Type'] = file.type
  headers['Content-Length'] = String(bytes.length)
  if (isGzipped) headers['Content-Encoding'] = 'gzip'
  res.writeHead(200, headers).end(req.method === 'HEAD' ? undefined : bytes)
}

/** Answers with a line of text. */
export function sendText({ req, res }: Context, status: number, text: string, more: Record<string, string> = {}): void {
  const body = Buffer.from(`${text}\n`)
  const headers = {
    ...secureHeaders("default-src 'none'; frame-ancestors 'none'"),
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(body.length),
  }
  res.writeHead(status, { ...headers, ...more }).end(req.method === 'HEAD' ? undefined : body)
}

/** Whether the request reads; otherwise answers 405. */
export function isRead(ctx: Context): boolean {
  if (ctx.req.method === 'GET' || ctx.req.method === 'HEAD') return true
  sendText(ctx, 405, `This path supports ${METHODS}.`, { Allow: METHODS })
  return false
}

const secureHeaders = (csp: string) => ({
  'Content-Security-Policy': csp,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
})
