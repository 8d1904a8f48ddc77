// A file store in memory, whose links are sent to and fetched from by function: it binds
// and checks what a real one does.

import { type Expected, type FileStore, FilesFull, type Offered, type Stored } from '../../stores/contract/files.ts'
import { sha256 } from '../bytes.ts'

/** What the store tells of, as the doors of a real one do. */
export interface Doors {
  isOpen(upload: string): Promise<boolean>
  bytesStored(upload: string, stored: Stored): Promise<void>
  downloaded(bucket: string, download: string, bytes: number): Promise<void>
}

export type Sending = 'stored' | 'dead' | 'wrong size' | 'wrong bytes'

/** An upload's link, as it was answered. */
export interface AnsweredLink {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MemoryFiles extends Omit<FileStore, 'largestBytes'> {
  /** Set to bound the size of a file. */
  largestBytes?: number
  /** Set before links are used. */
  doors: Doors | null
  /** Bytes that fit; more is FilesFull. */
  room: number
  /** Sends bytes to an upload's link. */
  send(link: AnsweredLink | string, bytes: Uint8Array): Promise<Sending>
  /** Fetches a download's link, from a byte on; null where it is dead. */
  fetch(url: string, from?: number): Promise<Buffer | null>
  /** Puts bytes where no link leads, as a crash does. */
  plant(blob: string, bytes: Uint8Array, storedMs: number): void
  blobs(): string[]
}

interface Lying {
  readonly bytes: Buffer
  readonly sha256: string
  readonly storedMs: number
}

export function createMemoryFiles(now: () => number, isUnmetered = false): MemoryFiles {
  const lying = new Map<string, Lying>()
  const puts = new Map<string, Expected & { upload: string; expiresMs: number }>()
  const gets = new Map<string, Offered & { expiresMs: number }>()

  const storedAt = (blob: string): Stored | null => {
    const found = lying.get(blob)
    return found === undefined
      ? null
      : { blob, size: found.bytes.length, sha256: found.sha256, storedMs: found.storedMs }
  }

  const store: MemoryFiles = {
    isUnmetered,
    doors: null,
    room: Number.MAX_SAFE_INTEGER,
    async uploadLink(upload, expected, expiresMs) {
      if (expected.size > store.room) throw new FilesFull()
      const url = `memory:put/${upload}`
      puts.set(url, { ...expected, upload, expiresMs })
      return { method: 'PUT', url, headers: { 'Content-Type': expected.contentType } }
    },
    async downloadLink(offered, expiresMs) {
      const url = `memory:get/${offered.download}`
      gets.set(url, { ...offered, expiresMs })
      return url
    },
    async send(link, bytes) {
      const put = puts.get(typeof link === 'string' ? link : link.url)
      if (put === undefined || now() >= put.expiresMs) return 'dead'
      if (store.doors !== null && !(await store.doors.isOpen(put.upload))) return 'dead'
      if (bytes.length !== put.size) return 'wrong size'
      if (put.sha256 !== null && sha256(bytes) !== put.sha256) return 'wrong bytes'
      store.plant(put.blob, bytes, now())
      await store.doors?.bytesStored(put.upload, storedAt(put.blob) as Stored)
      return 'stored'
    },
    async fetch(url, from = 0) {
      const get = gets.get(url)
      const found = lying.get(get?.blob ?? '')
      if (get === undefined || found === undefined || now() >= get.expiresMs) return null
      const bytes = found.bytes.subarray(from)
      await store.doors?.downloaded(get.bucket, get.download, bytes.length)
      return bytes
    },
    plant(blob, bytes, storedMs) {
      lying.set(blob, { bytes: Buffer.from(bytes), sha256: sha256(bytes), storedMs })
    },
    blobs: () => [...lying.keys()].sort(),
    stored: async (blob) => storedAt(blob),
    async remove(blobs) {
      for (const blob of blobs) lying.delete(blob)
    },
    async list(after, limit) {
      const names = store.blobs().filter((blob) => after === null || blob > after)
      return names.slice(0, limit).map((blob) => storedAt(blob) as Stored)
    },
    close: async () => {},
  }
  return store
}
