// A file store whose links lead back to a door of this server: what that door asks of it. Stores whose links
// lead elsewhere have none of this.

import type { Expected, FileStore, Offered, Stored } from './files.ts'

/** What a link says, once it is known to be this store's, unaltered and not expired. */
export type Link =
  | { readonly kind: 'put'; readonly upload: string; readonly expected: Expected; readonly expiresMs: number }
  | { readonly kind: 'get'; readonly offered: Offered; readonly expiresMs: number }

/** Bytes as they come; held back by pausing. */
export interface Bytes extends NodeJS.ReadableStream {
  readonly destroyed: boolean
}

export interface Taken {
  /** The blob's bytes as stored durably. */
  readonly stored: Stored
  /**
   * False if other bytes were there already: the first bytes of an upload win.
   */
  readonly areThese: boolean
}

/** A blob held open: it can be read to its end even if its name is removed. */
export interface OpenBlob {
  readonly size: number
  /** Hex, lower case. */
  readonly sha256: string
  /** Fills `into` from byte `position` on; answers how many bytes, 0 at the end only. Rejects with StoreAway. */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export interface DoorFiles extends FileStore {
  /** Null for a link that is altered, expired or none. `nowMs`: Unix milliseconds. */
  linkOf(token: string, nowMs: number): Link | null
  /**
   * Takes all of `bytes` and answers when they are durable under the blob. Where it rejects, nothing of them is kept:
   * CutOff (they stopped coming, or are too few or too many), WrongBytes, FilesFull,
   * StoreAway, or the reason of `signal`.
   */
  take(expected: Expected, bytes: Bytes, signal: AbortSignal): Promise<Taken>
  /** Null if there is none. */
  open(blob: string): Promise<OpenBlob | null>
}

/** Whether a store's links lead back here. */
export const hasDoor = (files: FileStore): files is DoorFiles => 'linkOf' in files

/** The bytes are not those of the checksum given. */
export class WrongBytes extends Error {
  constructor() {
    super('The bytes are not those of the sha256 given')
    this.name = 'WrongBytes'
  }
}

/** Other than the bytes announced came. */
export class CutOff extends Error {
  constructor() {
    super('Other than the number of bytes announced came')
    this.name = 'CutOff'
  }
}
