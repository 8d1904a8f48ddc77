// The HTTP routes of the local file store on a real server with a folder of its own; uploads are kept in memory. Also
// raw connections to send requests byte by byte.

import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Refusal } from '../../domain/decider.ts'
import { localFileRoutes } from '../../http/files/routes.ts'
import type { Expected, Stored } from '../../stores/contract/files.ts'
import type { OwnableLocalFiles } from '../../stores/contract/local-files.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import type { Disk } from '../../stores/files/disk.ts'
import { openLocalFiles } from '../../stores/files/local.ts'
import { newId } from '../bytes.ts'
import { createWorld, NOW_MS, type World } from '../http/pipeline-world.ts'
import { newPath } from '../stores/folder.ts'

export const KEY = new Uint8Array(32).fill(9)
export const EXPIRES_MS = NOW_MS + 900_000

/** Bucket -> its game. */
const GAMES: Readonly<Record<string, string>> = { b1: 'g1', b2: 'g2' }

export interface FilesApi extends World {
  readonly files: OwnableLocalFiles
  readonly folder: string
  /** Uploads that accept bytes. */
  readonly open: Set<string>
  readonly stored: Map<string, Stored>
  /** The reported downloads: bucket, download, bytes; returned bytes are negative. */
  readonly counted: (readonly [string, string, number])[]
  /** Called with an upload before it is recorded as stored; rejects to refuse it. */
  before: (upload: string) => Promise<void>
}

interface FilesApiOptions {
  readonly disk?: Disk
  readonly idleMs?: number
  readonly stillMs?: number
  /** These two are shared by several nodes. */
  readonly locks?: Pick<Transient, 'lock' | 'unlock'>
  readonly folder?: string
}

export async function openFilesApi(options: FilesApiOptions = {}): Promise<FilesApi> {
  const { disk, idleMs, stillMs, locks = createTransient(), folder = newPath('files') } = options
  const files = await openLocalFiles({
    folder,
    publicUrl: 'http://door.example/',
    key: KEY,
    ...(disk === undefined ? {} : { disk }),
  })
  const open = new Set<string>()
  const stored = new Map<string, Stored>()
  const counted: (readonly [string, string, number])[] = []
  const clock = { now: () => NOW_MS }
  const rawRoutes = localFileRoutes({
    files,
    locks,
    linkState: async (upload) => (open.has(upload) ? 'open' : stored.has(upload) ? 'stored' : 'gone'),
    bytesStored: async (upload, facts) => {
      await api.before(upload)
      if (!open.delete(upload)) throw new Refusal('not_found', 'not_found', 'Not open any more.')
      stored.set(upload, facts)
    },
    reserveBytes: async (bucket, download, bytes) => {
      counted.push([bucket, download, bytes])
      return async (unsent) => void counted.push([bucket, download, -unsent])
    },
    gameOfBucket: async (bucket) => GAMES[bucket] ?? null,
    gameOfUpload: async () => 'g1',
    now: () => clock.now(),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(stillMs === undefined ? {} : { stillMs }),
  })
  const world = await createWorld({ rawRoutes })
  clock.now = () => world.clock.nowMs
  const close = async () => {
    await world.close()
    await files.close()
  }
  const api: FilesApi = { ...world, files, folder, open, stored, counted, before: async () => {}, close }
  return api
}

/** The sum of counted bytes. */
export const countedBytes = ({ counted }: FilesApi): number => counted.reduce((sum, [, , bytes]) => sum + bytes, 0)

interface Upload {
  readonly upload: string
  readonly expected: Expected
  /** The path of its link. */
  readonly path: string
}

/** An open upload for these bytes. */
export async function begin(api: FilesApi, bytes: Uint8Array, facts: Partial<Expected> = {}): Promise<Upload> {
  const upload = newId()
  const expected = { blob: newId(), size: bytes.length, contentType: 'text/html', sha256: null, ...facts }
  const { url } = await api.files.uploadLink(upload, expected, EXPIRES_MS)
  api.open.add(upload)
  return { upload, expected, path: new URL(url).pathname }
}

/** The path of a link to a blob. */
export async function linkTo(api: FilesApi, blob: string, facts: object = {}): Promise<string> {
  const offered = {
    blob,
    size: (await api.files.stored(blob))?.size ?? 1,
    contentType: 'text/html',
    sha256: null,
    name: 'a.html',
    bucket: 'b1',
    download: 'd1',
  }
  return new URL(await api.files.downloadLink({ ...offered, ...facts }, EXPIRES_MS)).pathname
}

/** Paths of all files below a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}

export interface RawConnection {
  readonly socket: Socket
  /** The received bytes, as latin1. */
  heard(): string
  /** Resolves when the received bytes contain this text; rejects if the connection ends first. */
  until(text: string): Promise<string>
  readonly ended: Promise<string>
}

/** Opens a connection to the server. Both sides stay open until they are ended. */
export function openRawConnection(port: number, options: { allowHalfOpen?: boolean } = {}): RawConnection {
  const chunks: Buffer[] = []
  const heard = () => Buffer.concat(chunks).toString('latin1')
  const socket = connect({ port, host: '127.0.0.1', ...options })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard())))
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const settle = (act: () => void) => {
        socket.off('data', check).off('close', cut)
        act()
      }
      const check = () => {
        if (heard().includes(text)) settle(() => resolve(heard()))
      }
      const cut = () => settle(() => reject(new Error(`the connection ended after ${JSON.stringify(heard())}`)))
      socket.on('data', check).on('close', cut)
      check()
      if (socket.closed) cut()
    })
  return { socket, heard, until, ended }
}

/** The head of a PUT. */
export function putHead(path: string, ...headers: readonly string[]): string {
  return [`PUT ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
}
