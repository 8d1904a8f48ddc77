// Answers that are long, or have no end: lines of JSON, made as fast as they are read and no faster. Whoever may
// read them no longer is cut off.

import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { STREAM_STALL_MS } from '../connections/limits.ts'

export const LINES_TYPE = 'application/x-ndjson'
/** Told to nginx before us, which would keep lines back until it has many of them. */
export const UNBUFFERED = { 'X-Accel-Buffering': 'no' }
/** Bytes that wait for a reader at most, beside the one piece on its way and what the system's own buffers hold. */
const WAITING_BYTES = 65_536
/** A piece has about so many characters. */
const PIECE_LENGTH = 65_536
/** How often it is asked whether the reader may read on. */
const ASK_EVERY_MS = 250
/** A client that reads nothing cannot be notified of the end: the connection is cut after this time. */
const CUT_AFTER_MS = 500

export interface LinesOptions {
  /** Whether the caller may read on; a rejection says no. */
  isStillAllowed(): Promise<boolean>
  /** Told once when all is over. */
  over(): void
  /** Where the lines have no end of their own: ends them in order. Others are finished. */
  readonly stopping?: AbortSignal | undefined
  readonly recheckEveryMs?: number
  /** In place of STREAM_STALL_MS: for how long a reader may take nothing. */
  readonly maxIdleMs?: number
}

/** Why lines end that have an end of their own, and have not come to it: their reader must not take them for whole. */
class CutShort extends Error {}

/**
 * A body of pieces of text, each asked for when there is room for it. `make` is given the signal that tells it to end:
 * where the caller may read no more, is gone, or the node stops.
 */
export function linesBody(make: (ending: AbortSignal) => AsyncIterator<string>, options: LinesOptions): Readable {
  const { isStillAllowed, over, stopping, recheckEveryMs = ASK_EVERY_MS, maxIdleMs = STREAM_STALL_MS } = options
  const hasEnd = stopping === undefined
  const ending = new AbortController()
  const pieces = make(ending.signal)
  let cutting: NodeJS.Timeout | undefined
  let isAsking = false
  /** Since when what was made waits to be taken; null where the reader waits for more. */
  let waitingSinceMs: number | null = null

  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    if (hasEnd) body.destroy(new CutShort('the caller may not read on'))
    else cutting = setTimeout(() => body.destroy(new CutShort('the reader takes nothing')), CUT_AFTER_MS)
  }
  const ask = async () => {
    if (waitingSinceMs !== null && performance.now() - waitingSinceMs > maxIdleMs) {
      body.destroy(new CutShort('the reader takes nothing'))
    }
    if (isAsking) return
    isAsking = true
    const may = await isStillAllowed().catch(() => false)
    isAsking = false
    if (!may) end()
  }
  const asking = setInterval(() => void ask(), recheckEveryMs)
  if (stopping !== undefined) setMaxListeners(0, stopping)
  stopping?.addEventListener('abort', end)

  const body = new Readable({
    highWaterMark: WAITING_BYTES,
    read() {
      waitingSinceMs = null
      pieces.next().then(
        ({ done, value }) => {
          waitingSinceMs = performance.now()
          body.push(done === true ? null : value)
        },
        (failure: Error) => body.destroy(failure),
      )
    },
    destroy(failure, done) {
      ending.abort()
      clearInterval(asking)
      clearTimeout(cutting)
      stopping?.removeEventListener('abort', end)
      // It ends by itself where it is under way; where it was not even begun, here.
      void pieces.return?.().catch(() => {})
      over()
      done(failure)
    },
  })
  if (stopping?.aborted) end()
  return body
}

/** These as lines of JSON, a few at a time. */
export function* ndjsonChunks(rows: Iterable<unknown>): Generator<string> {
  let piece = ''
  for (const row of rows) {
    piece += `${JSON.stringify(row)}\n`
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
