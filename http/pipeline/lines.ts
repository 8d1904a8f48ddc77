// Streams long or endless answers as lines of JSON (NDJSON) with backpressure. A caller whose access ends is cut off.

import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { STREAM_STALL_MS } from '../connections/limits.ts'

export const LINES_TYPE = 'application/x-ndjson'
/** The same for callers that accept text and no NDJSON, such as generated clients. */
export const LINES_AS_TEXT_TYPE = 'text/plain'
/** Tells nginx not to buffer the lines. */
export const UNBUFFERED = { 'X-Accel-Buffering': 'no' }
/** Bytes buffered for a slow reader, besides the current chunk and the operating system's buffers. */
const WAITING_BYTES = 65_536
const CHUNK_LENGTH = 65_536
const RECHECK_EVERY_MS = 250
/** A client that reads nothing cannot be notified of the end: the connection is cut after this time. */
const CUT_AFTER_MS = 500

export interface LinesOptions {
  /** Whether the caller still has access; a rejection means no. */
  isStillAllowed(): Promise<boolean>
  over(): void
  /** For endless streams: ends them cleanly. Without it, a stream that is not complete is destroyed. */
  readonly stopping?: AbortSignal | undefined
  readonly recheckEveryMs?: number
  /** How long a reader may take nothing, in place of STREAM_STALL_MS. */
  readonly maxIdleMs?: number
}

/** Destroys an incomplete stream, so that its reader does not take it for complete. */
class CutShort extends Error {}

/**
 * A body made of text chunks, each requested when the buffer has room. `make` receives a signal that aborts when the
 * caller loses access or disconnects, or the node stops.
 */
export function linesBody(make: (ending: AbortSignal) => AsyncIterator<string>, options: LinesOptions): Readable {
  const { isStillAllowed, over, stopping, recheckEveryMs = RECHECK_EVERY_MS, maxIdleMs = STREAM_STALL_MS } = options
  const hasEnd = stopping === undefined
  const ending = new AbortController()
  const chunks = make(ending.signal)
  let cutting: NodeJS.Timeout | undefined
  let isRechecking = false
  /** Since when a chunk waits for the reader; null while the reader waits for more. */
  let waitingSinceMs: number | null = null

  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    if (hasEnd) body.destroy(new CutShort('the caller has lost access'))
    else cutting = setTimeout(() => body.destroy(new CutShort('the reader takes nothing')), CUT_AFTER_MS)
  }
  const recheck = async () => {
    if (waitingSinceMs !== null && performance.now() - waitingSinceMs > maxIdleMs) {
      body.destroy(new CutShort('the reader takes nothing'))
    }
    if (isRechecking) return
    isRechecking = true
    const may = await isStillAllowed().catch(() => false)
    isRechecking = false
    if (!may) end()
  }
  const timer = setInterval(() => void recheck(), recheckEveryMs)
  if (stopping !== undefined) setMaxListeners(0, stopping)
  stopping?.addEventListener('abort', end)

  const body = new Readable({
    highWaterMark: WAITING_BYTES,
    read() {
      waitingSinceMs = null
      chunks.next().then(
        ({ done, value }) => {
          waitingSinceMs = performance.now()
          body.push(done === true ? null : value)
        },
        (failure: Error) => body.destroy(failure),
      )
    },
    destroy(failure, done) {
      ending.abort()
      clearInterval(timer)
      clearTimeout(cutting)
      stopping?.removeEventListener('abort', end)
      // A started generator ends through the signal; this ends one that was never started.
      void chunks.return?.().catch(() => {})
      over()
      done(failure)
    },
  })
  if (stopping?.aborted) end()
  return body
}

export function* ndjsonChunks(rows: Iterable<unknown>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${JSON.stringify(row)}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
