// Buffers a stream into large chunks: while one chunk is written, the next one fills, and the stream is paused beyond
// a bound. Many small writes become few large ones, and memory stays bounded whatever the sender does.

import { type Bytes, CutOff } from '../contract/local-files.ts'

/**
 * Bytes per batch, at which the stream is paused. One batch is written while the next one fills: twice this per upload.
 */
const BATCH_BYTES = 524_288
/** Maximum chunks per batch, because tiny chunks cost more than their bytes. */
const BATCH_CHUNKS = 256
/** Maximum milliseconds per batch, so that the file of a slow sender is visibly in use. */
const GATHERED_MS = 5_000

export interface IncomingBytes {
  /**
   * The next batch: full, the last one, or a partial one of a slow sender; null at the end. Rejects with CutOff, or the
   * reason of the signal.
   */
  next(): Promise<Buffer[] | null>
  /** Stops reading. */
  close(): void
}

export function createIncomingBytes(source: Bytes, signal: AbortSignal): IncomingBytes {
  const batch = new Batch()
  let hasEnded = false
  let fault: unknown = null
  let wake: (() => void) | null = null

  const woken = () => {
    wake?.()
    wake = null
  }
  const onData = (chunk: Buffer) => {
    batch.add(chunk)
    if (!batch.isFull()) return
    // A waiting reader gets it at once.
    if (wake === null) source.pause()
    woken()
  }
  const ended = () => {
    hasEnded = true
    woken()
  }
  const failed = (error: unknown) => {
    fault ??= error
    woken()
  }
  const cut = () => {
    if (!hasEnded) failed(new CutOff())
  }
  const stopped = () => failed(signal.reason)

  source.on('data', onData).on('end', ended).on('error', cut).on('close', cut)
  signal.addEventListener('abort', stopped)
  if (signal.aborted) stopped()
  if (source.destroyed) cut()

  return {
    async next() {
      while (fault === null && !hasEnded && (batch.isEmpty() || !batch.isFull())) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (fault !== null) throw fault
      if (batch.isEmpty()) return null
      const chunks = batch.take()
      source.resume()
      return chunks
    },
    close() {
      signal.removeEventListener('abort', stopped)
      source.off('data', onData).off('end', ended).off('close', cut)
      // Keep the error listener: a stream that fails later must not end the process.
      batch.take()
    },
  }
}

/** The chunks of the next write. */
class Batch {
  #chunks: Buffer[] = []
  #bytes = 0
  #sinceMs = 0

  add(chunk: Buffer): void {
    if (this.#chunks.length === 0) this.#sinceMs = performance.now()
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  isFull(): boolean {
    if (this.#bytes >= BATCH_BYTES || this.#chunks.length >= BATCH_CHUNKS) return true
    return performance.now() - this.#sinceMs > GATHERED_MS
  }

  take(): Buffer[] {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    return chunks
  }
}
