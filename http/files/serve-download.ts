// Answers a download as an attachment that no browser executes. The bytes are counted against the quota before they are
// sent. If the caller disconnects, bytes already handed to the operating system stay counted; the rest is refunded.

import type { ServerResponse } from 'node:http'
import { attachmentOf } from '../../runtime/attachment.ts'
import type { Offered } from '../../stores/contract/files.ts'
import type { OpenBlob } from '../../stores/contract/local-files.ts'
import type { Context } from '../pipeline/context.ts'
import { HttpRefusal } from '../problem.ts'
import { IDLE_MS, type LocalFileDeps } from './deps.ts'
import type { BlobChunk, DownloadBuffers } from './download-buffers.ts'
import { type ByteRange, requestedRange } from './ranges.ts'

/** A browser that opens the link neither renders nor runs the file, whatever its content. */
const HARMLESS = "sandbox; default-src 'none'"

/** `buffers` are shared by all downloads. */
export async function serveDownload(
  { files: deps, buffers }: { readonly files: LocalFileDeps; readonly buffers: DownloadBuffers },
  { offered, blob }: { readonly offered: Offered; readonly blob: OpenBlob },
  ctx: Context,
): Promise<void> {
  const { req, res } = ctx
  const etag = `"${blob.sha256}"`
  const isGet = req.method === 'GET'
  const requested = requestedRange(req.headers, etag, blob.size, isGet)
  if (requested === 'outside') {
    const detail = `The file has ${blob.size} bytes. Request a range inside it.`
    throw new HttpRefusal(416, 'range_not_satisfiable', detail, { 'Content-Range': `bytes */${blob.size}`, ETag: etag })
  }
  const part: ByteRange = requested === 'whole' || requested === 'known' ? { start: 0, end: blob.size } : requested
  const length = isGet && requested !== 'known' ? part.end - part.start : 0
  const release = length === 0 ? null : await deps.reserveBytes(offered.bucket, offered.download, length)

  ctx.status = requested === 'known' ? 304 : requested === 'whole' ? 200 : 206
  ctx.set({ 'Content-Security-Policy': HARMLESS, ETag: etag, 'Accept-Ranges': 'bytes' })
  if (requested !== 'known') {
    ctx.set({ 'Content-Type': offered.contentType, 'Content-Disposition': attachmentOf(offered.name) })
    ctx.set('Content-Length', String(part.end - part.start))
  }
  if (ctx.status === 206) ctx.set('Content-Range', `bytes ${part.start}-${part.end - 1}/${blob.size}`)
  // The body is written to `res` directly, one chunk at a time.
  ctx.respond = false
  if (release === null) {
    res.end()
    return
  }
  const { sent, failure } = await sendRange(buffers, { name: offered.blob, blob, part }, res, deps.idleMs ?? IDLE_MS)
  // Before the answer ends: a stopping server waits only for unfinished answers.
  if (sent < length) await release(length - sent)
  if (failure !== null) throw failure
  res.end()
}

// A byte range of a blob is sent in chunks. The next chunk is read while the previous one is being sent, so a download
// holds at most two chunks in memory, however slow its reader is.

interface SendResult {
  /** Bytes handed to the operating system. The last chunk counts whole: how much of it was sent is unknown. */
  readonly sent: number
  /** The error that ended it early; null for a disconnect by the caller. The connection is destroyed on an error. */
  readonly failure: unknown
}

/** `name` identifies the blob's bytes in the shared buffers. */
interface BlobRange {
  readonly name: string
  readonly blob: OpenBlob
  readonly part: ByteRange
}

/** Never rejects. Destroys the connection if the caller takes longer than `idleMs` (milliseconds) for one chunk. */
async function sendRange(
  buffers: DownloadBuffers,
  { name, blob, part }: BlobRange,
  response: ServerResponse,
  idleMs: number,
): Promise<SendResult> {
  const { start, end } = part
  let sent = 0
  let previousSend: Promise<boolean> = Promise.resolve(true)
  try {
    for (let at = start; at < end; ) {
      const chunk = await buffers.take(name, blob, { start: at, end })
      if (!(await previousSend) || response.destroyed) {
        chunk.release()
        return { sent, failure: null }
      }
      at += chunk.bytes.length
      sent += chunk.bytes.length
      previousSend = sendChunk(response, chunk, idleMs)
    }
    await previousSend
    return { sent, failure: null }
  } catch (failure) {
    await previousSend
    response.destroy()
    return { sent, failure }
  }
}

async function sendChunk(response: ServerResponse, chunk: BlobChunk, idleMs: number): Promise<boolean> {
  const isTaken = await write(response, chunk.bytes, idleMs)
  if (isTaken) chunk.release()
  else chunk.drop()
  return isTaken
}

/** True once the operating system has taken the chunk; false if the connection closed. */
function write(response: ServerResponse, chunk: Buffer, idleMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer)
      response.off('close', onClose)
      resolve(isTaken)
    }
    const onClose = () => settle(false)
    const timer = setTimeout(() => response.destroy(), idleMs)
    response.once('close', onClose)
    response.write(chunk, (failure) => settle(failure === null || failure === undefined))
  })
}
