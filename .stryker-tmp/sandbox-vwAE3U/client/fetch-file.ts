// A download as a whole: from the first byte to the last, by ranges of one and the same version where it was cut, and
// checked against the file's length and sha256.

import type { Download, StoredFile } from './file-shapes.ts'
import { createPatience, type Persistence, persist } from './persist.ts'
import { problemOf, Unreachable } from './problem.ts'

/** Where the bytes of a download go, in order. */
export interface Sink {
  /**
   * Bytes it has of an earlier try, of the version with the ETag `version`: gone on with, where that is still the one.
   */
  readonly length: number
  readonly version: string | null
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** What it has is of another version, or does not last: it begins at its first byte again. */
  restart(): Promise<void>
  /** Hex, of all that it has. */
  sha256(): Promise<string>
}

/** What came is not the file. */
export class TransferFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransferFault'
  }
}

/** A download that stands still for so long is cut, and gone on with. */
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

/** What is missing, or all of it; rejects with Unreachable where it was cut. */
async function part(url: string, size: number, sink: Sink, had: Had, signal: AbortSignal | undefined): Promise<void> {
  const idle = new AbortController()
  let timer: NodeJS.Timeout | number | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(new Error(`nothing came for ${IDLE_MS / 1_000} s`)), IDLE_MS)
  }
  const either = signal === undefined ? idle.signal : AbortSignal.any([idle.signal, signal])
  const origin = new URL(url).origin
  const cut = (why: unknown) => (signal?.aborted === true ? signal.reason : new Unreachable(origin, why))
  alive()
  try {
    const resumes = had.length > 0 && had.version !== null
    const headers = resumes ? { Range: `bytes=${had.length}-`, 'If-Range': had.version as string } : {}
    const answer = await fetch(url, { headers, redirect: 'error', signal: either }).catch((why: unknown) => {
      throw cut(why)
    })
    // All of it is there already, and it is the version asked for: otherwise the whole file were the answer.
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
      const { done, value } = await stream.read().catch((why: unknown) => {
        throw cut(why)
      })
      if (done) break
      alive()
      await sink.write(value as Uint8Array<ArrayBuffer>)
      had.length += value.length
      if (had.length > size) throw new TransferFault(`More came than the ${size} bytes of the file.`)
    }
    if (had.length < size) throw new Unreachable(origin, new Error(`it ended after ${had.length} of ${size} bytes`))
  } finally {
    clearTimeout(timer)
    // Whatever of the answer is left must not hold its connection.
    idle.abort()
  }
}

/** Goes on where the answer does, or at the first byte. */
async function begin(answer: Response, sink: Sink, had: Had): Promise<void> {
  const goesOn = answer.status === 206 && answer.headers.get('Content-Range')?.startsWith(`bytes ${had.length}-`)
  if (goesOn === true) return
  if (answer.status !== 200) throw new TransferFault('The store answered another part than was asked for.')
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
  throw new TransferFault(`What came of ${path} has the sha256 ${found}, and the file's is ${expected}.`)
}
