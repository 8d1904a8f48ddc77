// Dependencies and refusals of the routes that serve the local file store.

import { Refusal } from '../../domain/decider.ts'
import type { Stored } from '../../stores/contract/files.ts'
import type { LocalFiles } from '../../stores/contract/local-files.ts'
import type { Transient } from '../../stores/contract/transient.ts'

export interface LocalFileDeps {
  readonly files: LocalFiles
  /** What the link of an upload does with bytes. Called before any bytes are read. */
  linkState(upload: string): Promise<'open' | 'stored' | 'gone'>
  /** Called when the bytes are durable, before the answer. Throws Refusal (404) if the upload is no longer open. */
  bytesStored(upload: string, stored: Stored): Promise<void>
  /**
   * Called once per answer with a body, before its first byte, with the number of bytes that will be sent. Returns a
   * function to call with the number of bytes that were not sent, if any.
   */
  reserveBytes(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /** The game of a bucket, or of an upload; null if there is none. */
  gameOfBucket(bucket: string): Promise<string | null>
  gameOfUpload(upload: string): Promise<string | null>
  /** The locks of all nodes: one request at a time sends the bytes of an upload. */
  readonly locks: Pick<Transient, 'lock' | 'unlock'>
  /** Unix milliseconds. */
  now(): number
  /** In place of IDLE_MS. */
  readonly idleMs?: number
  /** In place of STILL_MS. */
  readonly stillMs?: number
}

/** A transfer without progress for this long is cut. */
export const IDLE_MS = 60_000

/** The same answer for unknown, altered, expired and used links, so that it does not reveal which. */
export function invalidLink(): Refusal {
  return new Refusal('not_found', 'not_found', 'This link is not valid or has expired. Request a new one.')
}

/** Only an operator can free space, so callers wait longer than for other limits. */
const RETRY_AFTER_S = 30

/** 503 `store_full`, with Retry-After. `outcome` says whether the call had an effect. */
export function storeFull(outcome: string): Refusal {
  const detail = `The file store does not have enough free space. ${outcome}`
  return new Refusal('unavailable', 'store_full', detail, { retry_after: RETRY_AFTER_S })
}
