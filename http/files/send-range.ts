// A part of a blob goes out: one chunk is read while the one before is on its way, so that a download holds two buffers,
// however slow its reader.

import type { ServerResponse } from 'node:http'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { BlobChunk, DownloadBuffers } from './download-buffers.ts'
import type { ByteRange } from './ranges.ts'

interface SendResult {
  /**
   * Bytes handed to the system. Of the last chunk it may have sent a part only, and does
   * not say which: all of it counts.
   */
  readonly sent: number
  /** Why it ended early, where that was not the caller's going away; the connection is cut then. */
  readonly failure: unknown
}

/** What goes out: a part of a blob, whose name its bytes are known again by. */
interface BlobRange {
  readonly name: string
  readonly blob: OpenBlob
  readonly part: ByteRange
}

/** Never rejects. A caller who takes no whole chunk within `idleMs` is cut. */
export async function sendRange(
  buffers: DownloadBuffers,
  { name, blob, part }: BlobRange,
  response: ServerResponse,
  idleMs: number,
): Promise<SendResult> {
  const { start, end } = part
  let sent = 0
  let sending: Promise<boolean> = Promise.resolve(true)
  try {
    for (let at = start; at < end; ) {
      const chunk = await buffers.take(name, blob, { start: at, end })
      if (!(await sending) || response.destroyed) {
        chunk.release()
        return { sent, failure: null }
      }
      at += chunk.bytes.length
      sent += chunk.bytes.length
      sending = sendChunk(response, chunk, idleMs)
    }
    await sending
    return { sent, failure: null }
  } catch (failure) {
    await sending
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

/** Whether the system took it; false when the connection is gone. */
function write(response: ServerResponse, chunk: Buffer, idleMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer)
      response.off('close', gone)
      resolve(isTaken)
    }
    const gone = () => settle(false)
    const timer = setTimeout(() => response.destroy(), idleMs)
    response.once('close', gone)
    response.write(chunk, (failure) => settle(failure === null || failure === undefined))
  })
}
