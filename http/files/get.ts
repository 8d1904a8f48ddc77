// A download's bytes, as an attachment that no browser runs. They are counted before they are sent; of a caller who
// goes away half-way those that the system was handed for them stay counted, the others are given back.

import contentDisposition from 'content-disposition'
import type { Offered } from '../../stores/contract/files.ts'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { RawExchange } from '../pipeline/deps.ts'
import { HttpRefusal } from '../problem.ts'
import { type FileDoorDeps, IDLE_MS } from './deps.ts'
import type { Pieces } from './pieces.ts'
import { pour } from './pour.ts'
import { type Part, wantedOf } from './ranges.ts'

/** Whatever lies in the file, a browser that is led to it shows and runs nothing of it. */
const HARMLESS = "sandbox; default-src 'none'"

/** `pieces` are those that all downloads share. */
export async function get(
  deps: FileDoorDeps,
  pieces: Pieces,
  offered: Offered,
  blob: OpenBlob,
  exchange: RawExchange,
): Promise<void> {
  const { request, response } = exchange
  const etag = `"${blob.sha256}"`
  const isGet = request.method === 'GET'
  const wanted = wantedOf(request.headers, etag, blob.size, isGet)
  if (wanted === 'outside') {
    const detail = `The file has ${blob.size} bytes: ask for some of them.`
    throw new HttpRefusal(416, 'range_not_satisfiable', detail, { 'Content-Range': `bytes */${blob.size}`, ETag: etag })
  }
  const headers = [...harmless(await exchange.headers()), 'ETag', etag, 'Accept-Ranges', 'bytes']
  if (wanted === 'known') {
    response.writeHead(304, headers).end()
    return
  }
  const part: Part = wanted === 'whole' ? { start: 0, end: blob.size } : wanted
  headers.push('Content-Type', offered.contentType, 'Content-Disposition', contentDisposition(offered.name))
  headers.push('Content-Length', String(part.end - part.start))
  if (wanted !== 'whole') headers.push('Content-Range', `bytes ${part.start}-${part.end - 1}/${blob.size}`)
  const length = isGet ? part.end - part.start : 0
  const giveBack = length === 0 ? null : await deps.sending(offered.bucket, offered.download, length)
  response.writeHead(wanted === 'whole' ? 200 : 206, headers)
  if (giveBack === null) {
    response.end()
    return
  }
  const { sent, failure } = await pour(pieces, { name: offered.blob, blob, part }, response, deps.idleMs ?? IDLE_MS)
  // Told before the answer ends: a server that stops waits for answers, and then for nothing more.
  if (sent < length) await giveBack(length - sent)
  if (failure !== null) throw failure
  response.end()
}

/** The headers of every answer, with the strictest policy in place of theirs. */
function harmless(common: readonly string[]): string[] {
  const at = common.indexOf('Content-Security-Policy')
  return at < 0 ? [...common, 'Content-Security-Policy', HARMLESS] : common.with(at + 1, HARMLESS)
}
