// Writes log lines without ever affecting the service: it does not block the event loop, has a bounded buffer and never
// throws. A line that cannot be written (full disk, broken or stuck pipe) is dropped and counted.

import { fstatSync, write, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { type Logger, type LoggerOptions, pino } from 'pino'

/** A batch is written at this size or after this time. */
const BATCH_BYTES = 65_536
const BATCH_MS = 100
/** Buffer limit while the output is blocked; further lines are dropped. */
export const LOG_WAITING_MAX_BYTES = 1_048_576
/** How long the end of the process waits for its last lines to be written. */
const LOG_EXIT_MS = 500
const RETRY_MS = 5

export interface LogOutput {
  write(line: string): void
  /** Writes the buffer synchronously, or gives up after LOG_EXIT_MS. */
  flushSync(): void
  /** Resolves when the buffer is empty, or after LOG_EXIT_MS. */
  flushed(): Promise<void>
  readonly dropped: number
}

/** Writes all bytes and reports an error, or null. */
type Write = (bytes: Buffer, done: (failure: Error | null) => void) => void

const outputs = new WeakMap<Logger, LogOutput>()

/** A logger on a file descriptor. Buffered lines are written when the process exits. */
export function openLog(options: LoggerOptions, fd: number): Logger {
  const output = openLogOutput(fd, (lost) => {
    log.warn({ dropped: lost }, 'log lines were dropped, as they could not be written')
  })
  const log = pino(options, output)
  outputs.set(log, output)
  process.once('exit', output.flushSync)
  return log
}

/** The output of a logger made by `openLog`; undefined for any other. */
export const outputOf = (log: Logger): LogOutput | undefined => outputs.get(log)

/** `onResumed`: called with the number of lines lost, once a line could be written again. */
export function openLogOutput(fd: number, onResumed: (dropped: number) => void = () => {}): LogOutput {
  const waiting = new WaitingLines()
  const losses = new Losses(onResumed)
  const put = writerOf(fd)
  let isWriting = false
  let timer: NodeJS.Timeout | null = null
  let whenIdle: (() => void)[] = []

  const take = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    return waiting.take()
  }
  const idle = () => {
    for (const resolve of whenIdle) resolve()
    whenIdle = []
  }
  const send = () => {
    if (isWriting || waiting.isEmpty()) return
    const { bytes, count } = take()
    isWriting = true
    put(bytes, (failure) => {
      isWriting = false
      if (failure === null) losses.report()
      else losses.count += count
      if (waiting.bytes >= BATCH_BYTES || (whenIdle.length > 0 && !waiting.isEmpty())) send()
      else if (waiting.isEmpty()) idle()
    })
  }
  return {
    write: (line) => {
      if (!waiting.add(line)) losses.count++
      else if (waiting.bytes >= BATCH_BYTES) send()
      else timer ??= setTimeout(send, BATCH_MS).unref()
    },
    flushSync: () => {
      // An active write means that the output is full or slow; writing now would overtake its rest.
      if (isWriting || waiting.isEmpty()) return
      const { bytes, count } = take()
      if (!writeNow(fd, bytes)) losses.count += count
    },
    flushed: () => {
      if (!isWriting && waiting.isEmpty()) return Promise.resolve()
      return new Promise((resolve) => {
        setTimeout(resolve, LOG_EXIT_MS)
        whenIdle.push(resolve)
        send()
      })
    },
    get dropped() {
      return losses.count
    },
  }
}

class WaitingLines {
  bytes = 0
  #lines: string[] = []

  isEmpty(): boolean {
    return this.#lines.length === 0
  }

  /** False if the buffer is full. */
  add(line: string): boolean {
    if (this.bytes + line.length > LOG_WAITING_MAX_BYTES) return false
    this.#lines.push(line)
    this.bytes += line.length
    return true
  }

  take(): { readonly bytes: Buffer; readonly count: number } {
    const batch = { bytes: Buffer.from(this.#lines.join('')), count: this.#lines.length }
    this.#lines = []
    this.bytes = 0
    return batch
  }
}

/** Lines that were dropped, reported once a line could be written again. */
class Losses {
  count = 0
  #reported = 0
  readonly #onResumed: (dropped: number) => void

  constructor(onResumed: (dropped: number) => void) {
    this.#onResumed = onResumed
  }

  report(): void {
    if (this.count <= this.#reported) return
    const lost = this.count - this.#reported
    this.#reported = this.count
    this.#onResumed(lost)
  }
}

function writerOf(fd: number): Write {
  try {
    const stats = fstatSync(fd)
    return stats.isFIFO() || stats.isSocket() ? pipeWriter(fd) : fileWriter(fd)
  } catch (failure) {
    const error = failure instanceof Error ? failure : new Error(String(failure))
    return (_bytes, done) => setImmediate(done, error)
  }
}

/** Sockets make pipes non-blocking: a blocked fs write would occupy a thread that process exit waits for. */
function pipeWriter(fd: number): Write {
  const socket = fd === process.stdout.fd ? process.stdout : new Socket({ fd, readable: false, writable: true }).unref()
  socket.on('error', () => {})
  return (bytes, done) => {
    socket.write(bytes, (failure) => done(failure ?? null))
  }
}

function fileWriter(fd: number): Write {
  let isCut = false
  return (bytes, done) => {
    // A full disk may have cut off the last line: start the next one on a new line.
    const all = isCut ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes
    const from = (at: number) => {
      write(fd, all, at, all.length - at, null, (failure, written) => {
        if (failure === null && at + written < all.length) {
          from(at + written)
          return
        }
        isCut = failure === null ? false : isCut || at > 0
        done(failure)
      })
    }
    from(0)
  }
}

/** False if not everything was written. */
function writeNow(fd: number, bytes: Buffer): boolean {
  const endMs = performance.now() + LOG_EXIT_MS
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (failure) {
      const isFull = failure instanceof Error && 'code' in failure && failure.code === 'EAGAIN'
      if (!isFull || performance.now() > endMs) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
  return true
}
