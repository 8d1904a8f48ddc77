// Local files for uploads and downloads: finds, hashes and sends them, and translates disk errors.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ProblemError, Unreachable } from '../clients/javascript/connect.ts'
import type { BegunUpload } from '../clients/javascript/file-shapes.ts'
import { CommandFault } from './failure.ts'
import { printable } from './terminal.ts'

export interface LocalFile {
  readonly local: string
  /** Path relative to the walked folder, with `/`. */
  readonly below: string
  readonly size: number
}

interface Walked {
  readonly files: readonly LocalFile[]
  /** Links, pipes and others that are neither file nor folder. */
  readonly passedOver: readonly string[]
  /** Paths relative to the walked folder, parents first. */
  readonly folders: readonly string[]
}

/** Everything in and below a folder, by name. Symbolic links are skipped, because they may lead anywhere. */
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

/** The sha256 (hex) of a file, or of its first bytes. */
export async function sha256Of(path: string, signal?: AbortSignal, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash('sha256')
  if (bytes > 0) {
    const reading = createReadStream(path, { end: bytes - 1, ...(signal === undefined ? {} : { signal }) })
    await onThisDisk(path, () => pipeline(reading, hash), signal)
  }
  return hash.digest('hex')
}

/** Milliseconds without traffic after which a connection is closed. */
const IDLE_MS = 60_000

/**
 * Sends a file to an upload's link; calls `sent` for each chunk. Rejects with Unreachable if the connection was cut.
 */
export function sendLocal(
  { local, size }: Pick<LocalFile, 'local' | 'size'>,
  { method, url, headers }: BegunUpload,
  sent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { origin, protocol } = new URL(url)
  const request = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // Use a new connection, because Node does not resend a body if a kept-alive one turns out to be closed.
    const options = { method, headers: { ...headers, 'Content-Length': size }, agent: false as const, timeout: IDLE_MS }
    const sending = request(url, options, (answer) => {
      // The server may reject before it has read the whole body.
      reading.destroy()
      text(answer).then(
        (body) => (answer.statusCode === 200 ? resolve() : reject(problemIn(answer.statusCode ?? 0, body))),
        (error: unknown) => fail(new Unreachable(origin, error)),
      )
    })
    const reading = size === 0 ? Readable.from([]) : createReadStream(local, { end: size - 1 })
    let read = 0
    const fail = (error: unknown) => {
      signal?.removeEventListener('abort', stop)
      reading.destroy()
      sending.destroy()
      reject(error)
    }
    const stop = () => fail(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    reading.on('error', (error: unknown) => fail(diskFault(local, error)))
    reading.on('data', (chunk: Buffer) => {
      read += chunk.length
      sent(chunk.length)
    })
    // If the file has become shorter, the server would wait for the rest.
    reading.on('end', () => {
      if (read < size) fail(new CommandFault(`${printable(local)} changed while it was sent.`))
    })
    sending.on('timeout', () => fail(new Unreachable(origin, new Error(`nothing went for ${IDLE_MS / 1_000} s`))))
    sending.on('error', (error) => fail(new Unreachable(origin, error)))
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

/** Runs a disk operation and translates its errors, with the path. */
export async function onThisDisk<T>(path: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    throw diskFault(path, error)
  }
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free space, then run the command again',
  EDQUOT: 'the disk quota of this user is used up: free space, then run the command again',
  EFBIG: 'the file is too large for this disk',
  EACCES: 'permission denied: check the permissions of the file and of its parent folders',
  EPERM: 'permission denied: check the permissions of the file and of its parent folders',
  EROFS: 'the disk is read-only',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a parent of this path is a file, not a folder',
  EISDIR: 'this is a folder, not a file',
  ENAMETOOLONG: 'the name is too long for this disk',
  EEXIST: 'the file exists: pass --force to overwrite it',
  EIO: 'a disk error occurred: check the disk',
}

export function diskFault(path: string, error: unknown): Error {
  if (error instanceof CommandFault || !(error instanceof Error)) return error as Error
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !error.message.startsWith(code)) return error
  return new CommandFault(`${printable(path)}: ${ERROR_TEXTS[code] ?? error.message}.`)
}
