// The bytes of files, without their metadata. Bytes are stored under a blob id: a random name, given once and never
// again, so that an overwrite never touches what a running download reads. They never pass through the API: they come
// and go by links that a store makes and checks by itself.

/** What an upload's link binds: so many bytes and no other number, and these very bytes where a checksum was given. */
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
  /** To be sent with the bytes. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a download's link binds. Bytes sent count against `download`, an id of the caller's choosing. */
export interface Offered extends Expected {
  /** Last part of the path, for the name under which it is saved. */
  readonly name: string
  readonly bucket: string
  readonly download: string
}

/** Bytes that are there, durably. */
export interface Stored {
  readonly blob: string
  readonly size: number
  /** Null where the store cannot tell. */
  readonly sha256: string | null
  /** Unix milliseconds. */
  readonly storedMs: number
}

export interface FileStore {
  /** True where it sends bytes without telling how many: each link then counts as one whole download. */
  readonly isUnmetered?: boolean
  /** Bytes that a file may have here at most, whatever its bucket allows. Absent: as many as there is room for. */
  readonly largestBytes?: number
  /**
   * `upload` is the id that the store's own door tells of when the bytes are there.
   * Rejects with FilesFull without room.
   */
  uploadLink(upload: string, expected: Expected, expiresMs: number): Promise<UploadLink>
  downloadLink(offered: Offered, expiresMs: number): Promise<string>
  /**
   * The stored bytes of a blob, or null. `needsSha256`: includes the checksum even if the store must read all bytes
   * for it; otherwise it may be null.
   */
  stored(blob: string, needsSha256?: boolean): Promise<Stored | null>
  /** Gone for good; those that are not there are no error. */
  remove(blobs: readonly string[]): Promise<void>
  /** Every blob that lies here, by name, from after `after`, at most `limit`; for sweeps. */
  list(after: string | null, limit: number): Promise<Stored[]>
  close(): Promise<void>
}

/** No room for so many bytes: 503 `store_full`. */
export class FilesFull extends Error {
  constructor() {
    super('The file store has no room for so many bytes')
    this.name = 'FilesFull'
  }
}
