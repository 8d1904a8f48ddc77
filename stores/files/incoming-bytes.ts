// Buffers the bytes of an upload into large batches: while one is written, the next one fills, and the sender is paused
// beyond a bound. Many small writes become few large ones, and memory stays bounded whatever the senders do.

import { type Bytes, CutOff } from '../contract/local-files.ts'

/**
 * Bytes per batch, at which the stream is paused. One batch is written while the next one fills: twice this per upload.
 */
export const BATCH_BYTES = 524_288
/** Bytes in the batches of all uploads of a process, above which … */
export const UPLOADS_HELD_BYTES = 67_108_864
/** … batches have this many. */
export const SMALL_BATCH_BYTES = 65_536
/** Maximum chunks per batch, because tiny chunks cost more than their bytes. */
const BATCH_CHUNKS = 256
/** Then a batch is written as it is: a sender that stops holds no memory, and its file is visibly in use. */
export const GATHERED_MS = 5_000

/** Counts the bytes that are in batches, over all uploads of a process. */
export class HeldBytes {
  #count = 0

  get count(): number {
    return this.#count
  }

  add(bytes: number): void {
    this.#count += bytes
  }
}

interface IncomingBytes {
  /**
   * The next batch: full, the last one, or a partial one of a slow sender; null at the end. Rejects with CutOff, or the
   * reason of the signal. The batch before it must have been written.
   */
  next(): Promise<Buffer[] | null>
  /** Call it once the last batch is written. */
  close(): void
}

export function createIncomingBytes(source: Bytes, signal: AbortSignal, held: HeldBytes): IncomingBytes {
  const batch = new Batch(held, () => woken())
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
      batch.written()
      while (fault === null && !hasEnded && !batch.isFull()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (fault !== null) throw fault
      if (batch.bytes === 0) return null
      const chunks = batch.take()
      source.resume()
      return chunks
    },
    close() {
      signal.removeEventListener('abort', stopped)
      source.off('data', onData).off('end', ended).off('close', cut)
      // Keep the error listener: a stream that fails later must not end the process.
      batch.close()
    },
  }
}

/** The chunks of the next write. */
class Batch {
  readonly #held: HeldBytes
  /** Called when the batch is due. */
  readonly #onDue: () => void
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes of the batch before it, which is being written. */
  #writing = 0
  #isDue = false
  #timer: NodeJS.Timeout | undefined

  constructor(held: HeldBytes, onDue: () => void) {
    this.#held = held
    this.#onDue = onDue
  }

  get bytes(): number {
    return this.#bytes
  }

  add(chunk: Buffer): void {
    if (this.#chunks.length === 0) this.#timer = setTimeout(() => this.#due(), GATHERED_MS)
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#held.add(chunk.length)
  }

  #due(): void {
    this.#isDue = true
    this.#onDue()
  }

  isFull(): boolean {
    if (this.#isDue || this.#chunks.length >= BATCH_CHUNKS) return true
    return this.#bytes >= (this.#held.count > UPLOADS_HELD_BYTES ? SMALL_BATCH_BYTES : BATCH_BYTES)
  }

  /** Its bytes count as held until `written`. */
  take(): Buffer[] {
    clearTimeout(this.#timer)
    const chunks = this.#chunks
    this.#writing = this.#bytes
    this.#chunks = []
    this.#bytes = 0
    this.#isDue = false
    return chunks
  }

  /** The batch that was taken last is written. */
  written(): void {
    this.#held.add(-this.#writing)
    this.#writing = 0
  }

  close(): void {
    this.written()
    this.take()
    this.written()
  }
}
