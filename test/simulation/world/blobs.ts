// The file contents of a simulated history, shared by all nodes. A short text represents the bytes of a blob. The first
// content stored under a name is kept.

import type { FileStore, Stored } from '../../../stores/contract/files.ts'
import type { Running } from './node.ts'

interface Lying extends Stored {
  readonly content: string
}

export interface Blobs {
  /** All stored blobs, with their content. */
  readonly lying: ReadonlyMap<string, Lying>
  /** Blobs that were removed because an event released them; some may have been stored again since. */
  readonly swept: ReadonlySet<string>
  /** Stores the content unless the blob exists. Returns the stored blob. */
  put(blob: string, content: string, size: number, nowMs: number): Lying
  readonly store: FileStore
}

export function createBlobs(): Blobs {
  const lying = new Map<string, Lying>()
  const swept = new Set<string>()
  const stored = (one: Lying | undefined): Stored | null =>
    one === undefined ? null : { blob: one.blob, size: one.size, sha256: one.sha256, storedMs: one.storedMs }
  return {
    lying,
    swept,
    put(blob, content, size, nowMs) {
      const found = lying.get(blob) ?? { blob, content, size, sha256: null, storedMs: nowMs }
      lying.set(blob, found)
      return found
    },
    store: {
      uploadLink: async (upload, { blob }) => ({ method: 'PUT', url: JSON.stringify([upload, blob]), headers: {} }),
      downloadLink: async ({ bucket, download, blob }) => JSON.stringify([bucket, download, blob]),
      stored: async (blob) => stored(lying.get(blob)),
      async remove(blobs, why) {
        for (const blob of blobs) {
          lying.delete(blob)
          if (why !== 'orphans') swept.add(blob)
        }
      },
      async list(after, limit) {
        const names = [...lying.keys()].filter((blob) => after === null || blob > after).sort()
        return names.slice(0, limit).flatMap((blob) => stored(lying.get(blob)) ?? [])
      },
      close: async () => {},
    },
  }
}

/** Stores bytes as the local store's upload route does: durably, before the log learns of them. */
export function putBlob(
  { connection, blobs, now }: Running,
  blob: string,
  content: string,
  size: number,
): Promise<Stored> {
  return connection.write(`keep ${blob}`, async () => blobs.put(blob, content, size, now()))
}
