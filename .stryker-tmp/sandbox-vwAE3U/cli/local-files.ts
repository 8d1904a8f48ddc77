// Files on this machine's disk, for uploads and downloads: found, hashed, sent, and what the disk says in plain words.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ProblemError, Unreachable } from '../client/connect.ts'
import type { BegunUpload } from '../client/file-shapes.ts'
import { CommandFault } from './failure.ts'
import { printable } from './terminal.ts'

export interface LocalFile {
  readonly local: string
  /** Below the folder that was walked, with `/` between. */
  readonly below: string
  readonly size: number
}

interface Walked {
  readonly files: readonly LocalFile[]
  /** Links, pipes and the like: neither file nor folder. */
  readonly passedOver: readonly string[]
  /** Below the folder that was walked, the upper ones first. */
  readonly folders: readonly string[]
}

/** All that is in a folder, by name. Links are passed over: what they lead to may lie anywhere. */
export async function walk(folder: string): Promise<Walked> {
  const files: LocalFile[] = []
  const passedOver: string[] = []
  const folders: string[] = []
  const enter = async (inside: string) => {
    const names = (await onThisDisk(folder, () => readdir(join(folder, inside)))).toSorted()
    for (const name of names) {
      const below = inside === '' ? name : `${inside}/${name}`
      const local = join(folder, below)
      const facts = await onThisDisk(local, () => lstat(local))
      if (facts.isDirectory()) {
        folders.push(below)
        await enter(below)
      } else if (facts.isFile()) files.push({ local, below, size: facts.size })
      else passedOver.push(local)
    }
  }
  await enter('')
  return { files, passedOver, folders }
}

/** Hex sha256 of a file, or of its first bytes. */
export async function sha256Of(path: string, signal?: AbortSignal, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash('sha256')
  if (bytes > 0) {
    const reading = createReadStream(path, { end: bytes - 1, ...(signal === undefined ? {} : { signal }) })
    await onThisDisk(path, () => pipeline(reading, hash), signal)
  }
  return hash.digest('hex')
}

/** A connection over which nothing goes for so long is cut. */
const IDLE_MS = 60_000

/** Sends a file to an upload's link; calls `sent` for each chunk. Rejects with Unreachable if the connection was cut. */
export function sendLocal(
  { local, size }: Pick<LocalFile, 'local' | 'size'>,
  { method, url, headers }: BegunUpload,
  sent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { origin, protocol } = new URL(url)
  const request = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // Nothing may come of a connection that an earlier answer left open: a body is not sent twice by itself.
    const options = { method, headers: { ...headers, 'Content-Length': size }, agent: false as const, timeout: IDLE_MS }
    const sending = request(url, options, (answer) => {
      // What is refused is refused before all of it is there.
      reading.destroy()
      text(answer).then(
        (body) => (answer.statusCode === 200 ? resolve() : reject(problemIn(answer.statusCode ?? 0, body))),
        (why: unknown) => fail(new Unreachable(origin, why)),
      )
    })
    const reading = size === 0 ? Readable.from([]) : createReadStream(local, { end: size - 1 })
    let read = 0
    const fail = (why: unknown) => {
      signal?.removeEventListener('abort', stop)
      reading.destroy()
      sending.destroy()
      reject(why)
    }
    const stop = () => fail(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    reading.on('error', (why: unknown) => fail(diskFault(local, why)))
    reading.on('data', (piece: Buffer) => {
      read += piece.length
      sent(piece.length)
    })
    // Where the file has become shorter the other side would wait for the rest.
    reading.on('end', () => {
      if (read < size) fail(new CommandFault(`${printable(local)} changed while it was sent.`))
    })
    sending.on('timeout', () => fail(new Unreachable(origin, new Error(`nothing went for ${IDLE_MS / 1_000} s`))))
    sending.on('error', (why) => fail(new Unreachable(origin, why)))
    sending.on('close', () => signal?.removeEventListener('abort', stop))
    reading.pipe(sending)
  })
}

function problemIn(status: number, body: string): ProblemError {
  try {
    return new ProblemError(status, JSON.parse(body))
  } catch {
    return new ProblemError(status, {})
  }
}

/** Runs what works on the disk; what fails is said in plain words, with the path. */
export async function onThisDisk<T>(path: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run()
  } catch (why) {
    if (signal?.aborted === true) throw signal.reason
    throw diskFault(path, why)
  }
}

const SAID: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room, and run this again',
  EDQUOT: 'your share of the disk is full: make room, and run this again',
  EFBIG: 'the disk takes no file so large',
  EACCES: 'this user may not: look at the rights of the file and of the folders above it',
  EPERM: 'this user may not: look at the rights of the file and of the folders above it',
  EROFS: 'the disk cannot be written to',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is a file and no folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is longer than the disk takes',
  EEXIST: 'it is there already: --force puts the new one in its place',
  EIO: 'the disk failed',
}

export function diskFault(path: string, why: unknown): Error {
  if (why instanceof CommandFault || !(why instanceof Error)) return why as Error
  const { code } = why as NodeJS.ErrnoException
  if (code === undefined || !why.message.startsWith(code)) return why
  return new CommandFault(`${printable(path)}: ${SAID[code] ?? why.message}.`)
}
