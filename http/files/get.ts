// A download's bytes, as an attachment that no browser runs. They are counted before they are sent; of a caller who
// goes away half-way those that the system was handed for them stay counted, the others are given back.

import contentDisposition from 'content-disposition'
import type { Offered } from '../../stores/contract/files.ts'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { Context } from '../pipeline/context.ts'
import { HttpRefusal } from '../problem.ts'
import { type FileDoorDeps, IDLE_MS } from './deps.ts'
import type { Pieces } from './pieces.ts'
import { pour } from './pour.ts'
import { type Part, wantedOf } from './ranges.ts'

/** A browser that opens the link neither renders nor runs the file, whatever its content. */
const HARMLESS = "sandbox; default-src 'none'"

/** `pieces`: those that all downloads share. */
export async function get(
  { files: deps, pieces }: { readonly files: FileDoorDeps; readonly pieces: Pieces },
  { offered, blob }: { readonly offered: Offered; readonly blob: OpenBlob },
  ctx: Context,
): Promise<void> {
  const { req, res } = ctx
  const etag = `"${blob.sha256}"`
  const isGet = req.method === 'GET'
  const wanted = wantedOf(req.headers, etag, blob.size, isGet)
  if (wanted === 'outside') {
    const detail = `The file has ${blob.size} bytes: ask for some of them.`
    throw new HttpRefusal(416, 'range_not_satisfiable', detail, { 'Content-Range': `bytes */${blob.size}`, ETag: etag })
  }
  const part: Part = wanted === 'whole' || wanted === 'known' ? { start: 0, end: blob.size } : wanted
  const length = isGet && wanted !== 'known' ? part.end - part.start : 0
  const giveBack = length === 0 ? null : await deps.sending(offered.bucket, offered.download, length)

  ctx.status = wanted === 'known' ? 304 : wanted === 'whole' ? 200 : 206
  ctx.set({ 'Content-Security-Policy': HARMLESS, ETag: etag, 'Accept-Ranges': 'bytes' })
  if (wanted !== 'known') {
    ctx.set({ 'Content-Type': offered.contentType, 'Content-Disposition': contentDisposition(offered.name) })
    ctx.set('Content-Length', String(part.end - part.start))
  }
  if (ctx.status === 206) ctx.set('Content-Range', `bytes ${part.start}-${part.end - 1}/${blob.size}`)
  // The bytes are written here, one piece at a time.
  ctx.respond = false
  if (giveBack === null) {
    res.end()
    return
  }
  const { sent, failure } = await pour(pieces, { name: offered.blob, blob, part }, res, deps.idleMs ?? IDLE_MS)
  // Reported before the answer ends: a server that stops waits for answers, and then for nothing more.
  if (sent < length) await giveBack(length - sent)
  if (failure !== null) throw failure
  res.end()
}
