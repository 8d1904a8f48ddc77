// Sends a byte range of a blob. The next chunk is read while the previous one is being sent, so a download holds at
// most two chunks in memory, however slow its reader is.

import type { ServerResponse } from 'node:http'
import type { OpenBlob } from '../../stores/contract/local-files.ts'
import type { BlobChunk, DownloadBuffers } from './download-buffers.ts'
import type { ByteRange } from './ranges.ts'

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
export async function sendRange(
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
