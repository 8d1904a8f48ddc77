// The files of a build, read and compressed once at start and kept in memory: all answers share their bytes, and no
// path of a request ever reaches the file system.

import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context } from '../pipeline/context.ts'
import { etagOfBytes, isKnown } from '../pipeline/etag.ts'

interface Representation {
  readonly bytes: Buffer
  readonly etag: string
}

export interface StaticFile {
  readonly type: string
  readonly plain: Representation
  /** Null if gzip would not make it smaller. */
  readonly gzipped: Representation | null
  /** True if the name contains a hash of the content, so that the file never changes. */
  readonly isImmutable: boolean
}

/** Path below the folder, with `/`, such as `assets/index-B6zGnfYp.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/** What a build may consist of; more is a mistake, such as a wrong folder. */
const FILES_MAX = 1_000
const BYTES_MAX = 32 * 1024 * 1024

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** As Vite names files: `assets/<name>-<hash of 8 characters>.<type>`. */
const HASHED = /^assets\/.*-[\w-]{8}\.\w+$/

const compress = promisify(gzip)

/**
 * Null if there is no such folder. Throws RangeError if it has more files or bytes than a build, and a plain error if
 * files disappear meanwhile.
 */
export async function readStaticFiles(folder: string): Promise<StaticFiles | null> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return null
  try {
    return await filesIn(folder)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure
    throw new Error(`${folder} changes: a build is running. Start again once it is done.`)
  }
}

async function filesIn(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  if (paths.length > FILES_MAX) throw new RangeError(`${folder} has more than ${FILES_MAX} files`)
  const files = new Map<string, StaticFile>()
  let bytes = 0
  for (const path of paths.sort()) {
    bytes += (await stat(path)).size
    if (bytes > BYTES_MAX) throw new RangeError(`${folder} has more than ${BYTES_MAX} bytes`)
    const name = relative(folder, path).split(sep).join('/')
    files.set(name, await staticFile(name, await readFile(path)))
  }
  return files
}

/** `name` decides the type and whether the file may be cached for ever. */
export async function staticFile(name: string, bytes: Buffer): Promise<StaticFile> {
  const gzipped = await compress(bytes, { level: constants.Z_BEST_COMPRESSION })
  return {
    type: TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
    plain: representation(bytes),
    gzipped: gzipped.length < bytes.length ? representation(gzipped) : null,
    isImmutable: HASHED.test(name),
  }
}

const representation = (bytes: Buffer): Representation => ({ bytes, etag: etagOfBytes(bytes) })

// The answer with a static file: GET and HEAD, compressed if the caller accepts gzip, 304 if the caller has it already.

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

/** The Content-Security-Policy of a page without scripts: allows its own style sheet and nothing else. */
export const pagePolicy = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
