// Stores the bytes of files; everything else about files is in the log. Bytes are stored under a blob name, which is
// random and never reused, so an overwrite never touches bytes that a running download reads. Bytes do not pass
// through the API: clients send and fetch them with links that the store signs and checks.

/** What an upload link binds: the exact size, and the checksum if one was given. */
export interface Expected {
  readonly blob: string
  readonly size: number
  readonly contentType: string
  /** Hex, lower case. */
  readonly sha256: string | null
}

export interface UploadLink {
  readonly method: 'PUT'
  readonly url: string
  /** Headers that the client must send with the bytes. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a download link binds. Sent bytes are counted under `download`, an id that the caller chooses. */
export interface Offered extends Expected {
  /** Last segment of the path, used as the file name of the download. */
  readonly name: string
  readonly bucket: string
  readonly download: string
}

/** A blob that is durably stored. */
export interface Stored {
  readonly blob: string
  readonly size: number
  /** Null if the store does not know it. */
  readonly sha256: string | null
  /** Unix milliseconds. */
  readonly storedMs: number
}

export interface FileStore {
  /** True if the store cannot report how many bytes it sent: each link then counts as one full download. */
  readonly isUnmetered?: boolean
  /** Largest file in bytes that the store takes, independent of the bucket. Absent: limited by free space only. */
  readonly largestBytes?: number
  /** `upload` is the id that the store's own endpoint reports when the bytes have arrived. Rejects with FilesFull. */
  uploadLink(upload: string, expected: Expected, expiresMs: number): Promise<UploadLink>
  downloadLink(offered: Offered, expiresMs: number): Promise<string>
  /**
   * The stored blob, or null. With `needsSha256` the checksum is always set, even if the store must read all bytes to
   * compute it; otherwise it may be null.
   */
  stored(blob: string, needsSha256?: boolean): Promise<Stored | null>
  /** Resolves if uploads are accepted; rejects with the refusal if not. Absent: they always are. */
  checkUploads?(): Promise<void>
  /**
   * Deletes blobs for good, durably; missing ones are ignored. In a store that another installation owns it records
   * them instead, to be deleted once this installation owns the store; `orphans` are not recorded, because the next
   * sweep finds them again.
   */
  remove(blobs: readonly string[], what?: 'orphans'): Promise<void>
  /** Stored blobs by name, after `after` (exclusive), at most `limit`. Used to sweep orphans. */
  list(after: string | null, limit: number): Promise<Stored[]>
  close(): Promise<void>
}

/**
 * A small text in the store, apart from the blobs, that names the installation to which the store belongs. What it says
 * is decided in stores/owned/.
 */
export interface OwnerMarker {
  /** The text, which may be damaged or empty; null if there is no marker. */
  read(): Promise<string | null>
  /** Creates the marker durably, and changes nothing if there is one, also if several callers do it at once. */
  create(text: string): Promise<void>
  /** Replaces or creates the marker durably. At any instant it has the old text or the new one. */
  replace(text: string): Promise<void>
}

/**
 * A file store as adapters implement it. They delete each blob that a caller names: stores/owned/ decides whether it
 * may.
 */
export interface OwnableFiles extends FileStore {
  readonly owner: OwnerMarker
  /** Deletes what killed processes left: temporary files and test objects, old enough that no process uses them. */
  sweepTemporary(): Promise<void>
}

/** Longer than any marker that this program writes. */
export const OWNER_MARKER_MAX_BYTES = 1_024

/** Not enough free space: 503 `store_full`. */
export class FilesFull extends Error {
  constructor() {
    super('The file store has not enough free space')
    this.name = 'FilesFull'
  }
}
