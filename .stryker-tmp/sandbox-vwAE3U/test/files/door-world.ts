// The door of the local store on a real server and a folder of its own, with uploads that are a map in memory; and
// what its tests send, byte by byte.

import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Refusal } from '../../domain/decider.ts'
import { localFileRoutes } from '../../http/files/routes.ts'
import type { Expected, Stored } from '../../stores/contract/files.ts'
import type { DoorFiles } from '../../stores/contract/files-door.ts'
import type { Disk } from '../../stores/files/disk.ts'
import { openLocalFiles } from '../../stores/files/local.ts'
import { newId } from '../bytes.ts'
import { createWorld, NOW_MS, type World } from '../http/pipeline-world.ts'
import { newPath } from '../stores/folder.ts'

export const KEY = new Uint8Array(32).fill(9)
export const EXPIRES_MS = NOW_MS + 900_000

/** Bucket -> the game that it is of. */
const GAMES: Readonly<Record<string, string>> = { b1: 'g1', b2: 'g2' }

export interface DoorWorld extends World {
  readonly files: DoorFiles
  readonly folder: string
  /** Uploads that take bytes. */
  readonly open: Set<string>
  readonly stored: Map<string, Stored>
  /** The reported downloads: bucket, download, bytes; those that were given back below zero. */
  readonly metered: (readonly [string, string, number])[]
  /** Called with an upload before it counts as stored; rejects to refuse. */
  before: (upload: string) => Promise<void>
}

interface DoorOptions {
  readonly disk?: Disk
  readonly idleMs?: number
}

export async function openDoor({ disk, idleMs }: DoorOptions = {}): Promise<DoorWorld> {
  const folder = newPath('files')
  const unexpected = (failure: unknown) => {
    throw failure
  }
  const files = await openLocalFiles({
    folder,
    publicUrl: 'http://door.example/',
    key: KEY,
    onSweepFailure: unexpected,
    ...(disk === undefined ? {} : { disk }),
  })
  const open = new Set<string>()
  const stored = new Map<string, Stored>()
  const metered: (readonly [string, string, number])[] = []
  const clock = { now: () => NOW_MS }
  const rawRoutes = localFileRoutes({
    files,
    isOpen: async (upload) => open.has(upload),
    bytesStored: async (upload, facts) => {
      await door.before(upload)
      if (!open.delete(upload)) throw new Refusal('not_found', 'not_found', 'Not open any more.')
      stored.set(upload, facts)
    },
    sending: async (bucket, download, bytes) => {
      metered.push([bucket, download, bytes])
      return async (unsent) => void metered.push([bucket, download, -unsent])
    },
    gameOfBucket: async (bucket) => GAMES[bucket] ?? null,
    gameOfUpload: async () => 'g1',
    now: () => clock.now(),
    ...(idleMs === undefined ? {} : { idleMs }),
  })
  const world = await createWorld({ rawRoutes })
  clock.now = () => world.clock.nowMs
  const close = async () => {
    await world.close()
    await files.close()
  }
  const door: DoorWorld = { ...world, files, folder, open, stored, metered, before: async () => {}, close }
  return door
}

/** Bytes that count as sent. */
export const meteredBytes = ({ metered }: DoorWorld): number => metered.reduce((sum, [, , bytes]) => sum + bytes, 0)

interface Upload {
  readonly upload: string
  readonly expected: Expected
  /** The path of its link. */
  readonly path: string
}

/** An open upload for these bytes. */
export async function begin(door: DoorWorld, bytes: Uint8Array, facts: Partial<Expected> = {}): Promise<Upload> {
  const upload = newId()
  const expected = { blob: newId(), size: bytes.length, contentType: 'text/html', sha256: null, ...facts }
  const { url } = await door.files.uploadLink(upload, expected, EXPIRES_MS)
  door.open.add(upload)
  return { upload, expected, path: new URL(url).pathname }
}

/** The path of a link to a blob. */
export async function linkTo(door: DoorWorld, blob: string, facts: object = {}): Promise<string> {
  const offered = {
    blob,
    size: (await door.files.stored(blob))?.size ?? 1,
    contentType: 'text/html',
    sha256: null,
    name: 'a.html',
    bucket: 'b1',
    download: 'd1',
  }
  return new URL(await door.files.downloadLink({ ...offered, ...facts }, EXPIRES_MS)).pathname
}

/** Every file below a folder, by its path in there. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}

export interface Wire {
  readonly socket: Socket
  /** What came so far, as latin1. */
  heard(): string
  /** Settles when the answer holds this text; rejects when the connection ends without. */
  until(text: string): Promise<string>
  readonly ended: Promise<string>
}

/** A connection to the server. It stays open for both sides until it is ended. */
export function wire(port: number, options: { allowHalfOpen?: boolean } = {}): Wire {
  const chunks: Buffer[] = []
  const heard = () => Buffer.concat(chunks).toString('latin1')
  const socket = connect({ port, host: '127.0.0.1', ...options })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard())))
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const settle = (act: () => void) => {
        socket.off('data', look).off('close', cut)
        act()
      }
      const look = () => {
        if (heard().includes(text)) settle(() => resolve(heard()))
      }
      const cut = () => settle(() => reject(new Error(`the connection ended after ${JSON.stringify(heard())}`)))
      socket.on('data', look).on('close', cut)
      look()
    })
  return { socket, heard, until, ended }
}

/** The head of a PUT. */
export function putHead(path: string, ...headers: readonly string[]): string {
  return [`PUT ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
}
