// A file store in memory. Tests use its links with `send` and `fetch`, which make the same checks as a real store.

import { type Expected, type FileStore, FilesFull, type Offered, type Stored } from '../../stores/contract/files.ts'
import { sha256 } from '../bytes.ts'

/** Called as the upload and download routes of a real store call. */
export interface FileHooks {
  isOpen(upload: string): Promise<boolean>
  bytesStored(upload: string, stored: Stored): Promise<void>
  downloaded(bucket: string, download: string, bytes: number): Promise<void>
}

export type Sending = 'stored' | 'dead' | 'wrong size' | 'wrong bytes'

/** An upload link, as answered. */
export interface AnsweredLink {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MemoryFiles extends Omit<FileStore, 'largestBytes'> {
  /** Set it to limit the size of a file. */
  largestBytes?: number
  /** Set them before links are used. */
  hooks: FileHooks | null
  /** Free bytes; beyond it uploads fail with FilesFull. */
  room: number
  /** Sends bytes to an upload's link. */
  send(link: AnsweredLink | string, bytes: Uint8Array): Promise<Sending>
  /** Fetches a download link from byte `from` on; null if the link is invalid. */
  fetch(url: string, from?: number): Promise<Buffer | null>
  /** Stores bytes without a link, like a remainder of a crash. */
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
    hooks: null,
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
      if (store.hooks !== null && !(await store.hooks.isOpen(put.upload))) return 'dead'
      if (bytes.length !== put.size) return 'wrong size'
      if (put.sha256 !== null && sha256(bytes) !== put.sha256) return 'wrong bytes'
      store.plant(put.blob, bytes, now())
      await store.hooks?.bytesStored(put.upload, storedAt(put.blob) as Stored)
      return 'stored'
    },
    async fetch(url, from = 0) {
      const get = gets.get(url)
      const found = lying.get(get?.blob ?? '')
      if (get === undefined || found === undefined || now() >= get.expiresMs) return null
      const bytes = found.bytes.subarray(from)
      await store.hooks?.downloaded(get.bucket, get.download, bytes.length)
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
