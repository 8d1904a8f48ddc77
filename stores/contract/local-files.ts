// A file store whose links lead to an HTTP endpoint of this server, and what that endpoint needs from it. S3 links
// lead elsewhere, so that store implements only FileStore.

import type { Expected, FileStore, Offered, OwnableFiles, Stored } from './files.ts'

/** The content of a link whose signature and expiry were checked. */
export type Link =
  | { readonly kind: 'put'; readonly upload: string; readonly expected: Expected; readonly expiresMs: number }
  | { readonly kind: 'get'; readonly offered: Offered; readonly expiresMs: number }

/** The request body; pausing it applies backpressure. */
export interface Bytes extends NodeJS.ReadableStream {
  readonly destroyed: boolean
}

export interface StoredBytes {
  /** The blob as it is durably stored now. */
  readonly stored: Stored
  /** False if the blob already had other bytes: the first complete upload wins. */
  readonly areThese: boolean
}

/** An open blob. It stays readable to its end even if the blob is removed meanwhile. */
export interface OpenBlob {
  readonly size: number
  /** Hex, lower case. */
  readonly sha256: string
  /**
   * Reads into `into` from byte `position`; returns the number of bytes, 0 only at the end. Rejects with
   * StoreUnavailable.
   */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export interface LocalFiles extends FileStore {
  /** Null for a token that is malformed, altered or expired. `nowMs`: Unix milliseconds. */
  linkOf(token: string, nowMs: number): Link | null
  /**
   * Stores all of `bytes` and resolves when they are durable. If it rejects, it keeps none of them: with CutOff (the
   * body stopped, or is too short or too long), WrongBytes, FilesFull, StoreUnavailable, the reason of `signal`, or the
   * rejection of `admit`, which is called once all bytes have arrived, before they become the blob.
   */
  take(expected: Expected, bytes: Bytes, signal: AbortSignal, admit?: () => Promise<void>): Promise<StoredBytes>
  /** Null if there is no such blob. */
  open(blob: string): Promise<OpenBlob | null>
}

/** The same, as stores/files/ implements it. */
export type OwnableLocalFiles = LocalFiles & OwnableFiles

/** Whether a store's links lead to this server. */
export const isLocal = (files: FileStore): files is LocalFiles => 'linkOf' in files

export class WrongBytes extends Error {
  constructor() {
    super('The bytes do not match the given sha256')
    this.name = 'WrongBytes'
  }
}

export class CutOff extends Error {
  constructor() {
    super('The number of bytes received differs from the declared size')
    this.name = 'CutOff'
  }
}
