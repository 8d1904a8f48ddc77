// What a stream brings, in gulps: while one gulp is written, the next one gathers, and the stream is held back beyond a
// bound. So many small pieces become few large writes, and memory stays bounded whatever a sender does.

import { type Bytes, CutOff } from '../contract/files-door.ts'

/** A gulp, and held back from here on. One being written and one gathering make twice this for each upload. */
const GULP_BYTES = 524_288
/** Many tiny pieces cost more than their bytes. */
const GULP_PIECES = 256
/** Who sends slowly is written in smaller gulps, so that the file is seen to be in use. */
const GATHERED_MS = 5_000

export interface Inbox {
  /**
   * A full gulp, or what there is at the end or of a slow sender; null at the end. Rejects with CutOff, or the reason
   * of the signal.
   */
  next(): Promise<Buffer[] | null>
  /** Reads no more, whatever comes. */
  close(): void
}

export function createInbox(source: Bytes, signal: AbortSignal): Inbox {
  let pieces: Buffer[] = []
  let bytes = 0
  let sinceMs = 0
  let hasEnded = false
  let fault: unknown = null
  let wake: (() => void) | null = null

  const woken = () => {
    wake?.()
    wake = null
  }
  const isFull = () => bytes >= GULP_BYTES || pieces.length >= GULP_PIECES || performance.now() - sinceMs > GATHERED_MS
  const took = (piece: Buffer) => {
    if (pieces.length === 0) sinceMs = performance.now()
    pieces.push(piece)
    bytes += piece.length
    if (!isFull()) return
    // Whoever waits takes it at once.
    if (wake === null) source.pause()
    woken()
  }
  const ended = () => {
    hasEnded = true
    woken()
  }
  const failed = (why: unknown) => {
    fault ??= why
    woken()
  }
  const cut = () => {
    if (!hasEnded) failed(new CutOff())
  }
  const stopped = () => failed(signal.reason)

  source.on('data', took).on('end', ended).on('error', cut).on('close', cut)
  signal.addEventListener('abort', stopped)
  if (signal.aborted) stopped()
  if (source.destroyed) cut()

  return {
    async next() {
      while (fault === null && !hasEnded && (pieces.length === 0 || !isFull())) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (fault !== null) throw fault
      if (pieces.length === 0) return null
      const gulp = pieces
      pieces = []
      bytes = 0
      source.resume()
      return gulp
    },
    close() {
      signal.removeEventListener('abort', stopped)
      source.off('data', took).off('end', ended).off('close', cut)
      // The listener for errors stays: a stream that fails later must not end the process.
      pieces = []
    },
  }
}
