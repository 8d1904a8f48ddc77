// Downloads a file completely: resumes a cut connection by a range request for the same version, and verifies length
// and sha256.

import type { Download, StoredFile } from './file-shapes.ts'
import { createPatience, type Persistence, persist } from './persist.ts'
import { problemOf, Unreachable } from './problem.ts'

/** Receives the bytes of a download in order. */
export interface Sink {
  /**
   * Number of bytes from an earlier try of the version with the ETag `version`. The download resumes after them if that
   * is still the current version.
   */
  readonly length: number
  readonly version: string | null
  write(bytes: Uint8Array): Promise<void>
  /** Discards all bytes, which are of another version; the download restarts at the first byte. */
  restart(): Promise<void>
  /** sha256 (hex) of all bytes. */
  sha256(): Promise<string>
}

/** The received bytes are not the file. */
export class TransferFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransferFault'
  }
}

/** Milliseconds without a byte after which the connection is closed and the download resumed. */
const IDLE_MS = 60_000
const HEX_ETAG = /^"([0-9a-f]{64})"$/

interface Had {
  length: number
  /** ETag, in quotes. */
  version: string | null
}

export async function fetchInto(offer: () => Promise<Download>, sink: Sink, options: Persistence): Promise<StoredFile> {
  const patience = createPatience(options)
  const had: Had = { length: sink.length, version: sink.version }
  const file = await persist(patience, async () => {
    const { url, expires_in: _, ...offered } = await offer()
    const before = had.length
    try {
      await part(url, offered.size, sink, had, options.signal)
    } finally {
      if (had.length > before) patience.gained()
    }
    return offered
  })
  await check(file, sink, had)
  return file
}

/** Fetches the missing bytes, or all. Rejects with Unreachable if the connection was cut. */
async function part(url: string, size: number, sink: Sink, had: Had, signal: AbortSignal | undefined): Promise<void> {
  const idle = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(new Error(`nothing came for ${IDLE_MS / 1_000} s`)), IDLE_MS)
  }
  const either = signal === undefined ? idle.signal : AbortSignal.any([idle.signal, signal])
  const origin = new URL(url).origin
  const cut = (error: unknown) => (signal?.aborted === true ? signal.reason : new Unreachable(origin, error))
  alive()
  try {
    const resumes = had.length > 0 && had.version !== null
    const headers = resumes ? { Range: `bytes=${had.length}-`, 'If-Range': had.version as string } : {}
    const answer = await fetch(url, { headers, redirect: 'error', signal: either }).catch((error: unknown) => {
      throw cut(error)
    })
    // 416: all bytes exist already. For another version the server would send the whole file.
    if (answer.status === 416 && answer.headers.get('Content-Range') === `bytes */${had.length}`) return
    if (answer.status === 416) {
      await restart(sink, had)
      throw new Unreachable(origin, new Error('the file ends before what was had of it'))
    }
    if (!answer.ok) throw await problemOf(answer)
    await begin(answer, sink, had)
    const stream = answer.body?.getReader()
    if (stream === undefined) throw new TransferFault(`${origin} answered without bytes.`)
    for (;;) {
      const { done, value } = await stream.read().catch((error: unknown) => {
        throw cut(error)
      })
      if (done) break
      alive()
      await sink.write(value)
      had.length += value.length
      if (had.length > size) throw new TransferFault(`More bytes arrived than the ${size} of the file.`)
    }
    if (had.length < size) throw new Unreachable(origin, new Error(`it ended after ${had.length} of ${size} bytes`))
  } finally {
    clearTimeout(timer)
    // Release the connection if the answer was not read to its end.
    idle.abort()
  }
}

/** Continues at the start of the answered range, or restarts at the first byte. */
async function begin(answer: Response, sink: Sink, had: Had): Promise<void> {
  const goesOn = answer.status === 206 && answer.headers.get('Content-Range')?.startsWith(`bytes ${had.length}-`)
  if (goesOn === true) return
  if (answer.status !== 200) throw new TransferFault('The store answered another byte range than requested.')
  await restart(sink, had)
  had.version = answer.headers.get('ETag')
}

async function restart(sink: Sink, had: Had): Promise<void> {
  if (had.length > 0) await sink.restart()
  had.length = 0
  had.version = null
}

async function check({ path, sha256 }: StoredFile, sink: Sink, { version }: Had): Promise<void> {
  const expected = sha256 ?? HEX_ETAG.exec(version ?? '')?.[1]
  if (expected === undefined) return
  const found = await sink.sha256()
  if (found === expected) return
  throw new TransferFault(`The received bytes of ${path} have the sha256 ${found}, but the file has ${expected}.`)
}
