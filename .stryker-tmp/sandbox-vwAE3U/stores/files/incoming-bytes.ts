// Buffers a stream into large chunks: while one chunk is written, the next one fills, and the stream is paused beyond
// a bound. Many small writes become few large ones, and memory stays bounded whatever the sender does.

import { type Bytes, CutOff } from '../contract/files-door.ts'

/** A gulp, and held back from here on. One being written and one gathering make twice this for each upload. */
const GULP_BYTES = 524_288
/** Many tiny pieces cost more than their bytes. */
const GULP_PIECES = 256
/** Who sends slowly is written in smaller gulps, so that the file is seen to be in use. */
const GATHERED_MS = 5_000

export interface IncomingBytes {
  /**
   * A full gulp, or what there is at the end or of a slow sender; null at the end. Rejects with CutOff, or the reason
   * of the signal.
   */
  next(): Promise<Buffer[] | null>
  /** Reads no more, whatever comes. */
  close(): void
}

export function createIncomingBytes(source: Bytes, signal: AbortSignal): IncomingBytes {
  const gulp = new Gulp()
  let hasEnded = false
  let fault: unknown = null
  let wake: (() => void) | null = null

  const woken = () => {
    wake?.()
    wake = null
  }
  const took = (piece: Buffer) => {
    gulp.add(piece)
    if (!gulp.isFull()) return
    // A waiting reader takes it at once.
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
      while (fault === null && !hasEnded && (gulp.isEmpty() || !gulp.isFull())) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (fault !== null) throw fault
      if (gulp.isEmpty()) return null
      const pieces = gulp.take()
      source.resume()
      return pieces
    },
    close() {
      signal.removeEventListener('abort', stopped)
      source.off('data', took).off('end', ended).off('close', cut)
      // The listener for errors stays: a stream that fails later must not end the process.
      gulp.take()
    },
  }
}

/** The pieces that gather for the next write. */
class Gulp {
  #pieces: Buffer[] = []
  #bytes = 0
  #sinceMs = 0

  add(piece: Buffer): void {
    if (this.#pieces.length === 0) this.#sinceMs = performance.now()
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  isFull(): boolean {
    if (this.#bytes >= GULP_BYTES || this.#pieces.length >= GULP_PIECES) return true
    return performance.now() - this.#sinceMs > GATHERED_MS
  }

  take(): Buffer[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.#bytes = 0
    return pieces
  }
}
