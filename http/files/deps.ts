// What the door of the local file store asks of the rest of the house.

import { Refusal } from '../../domain/decider.ts'
import type { Stored } from '../../stores/contract/files.ts'
import type { DoorFiles } from '../../stores/contract/files-door.ts'

export interface LocalFileDeps {
  readonly files: DoorFiles
  /** Whether an upload takes bytes now. Asked before any are taken. */
  isOpen(upload: string): Promise<boolean>
  /**
   * The bytes are durable: asked before that is answered. Throws Refusal (404) where the upload is not open any more.
   */
  bytesStored(upload: string, stored: Stored): Promise<void>
  /**
   * So many bytes of a download are about to be sent: told once for each answer that has any, before the first of them.
   * Returns a function to call with the number of bytes not sent, if any.
   */
  sending(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /** The game of a bucket, or of an upload; null where there is none. */
  gameOfBucket(bucket: string): Promise<string | null>
  gameOfUpload(upload: string): Promise<string | null>
  /** Unix milliseconds. */
  now(): number
  /** In place of IDLE_MS. */
  readonly idleMs?: number
}

/** A transfer that stands still for so long is cut. */
export const IDLE_MS = 60_000

/** The same whether it never was a link, is altered, expired or used. */
export function invalidLink(): Refusal {
  return new Refusal('not_found', 'not_found', 'This link is not valid, or not any more: ask for a new one.')
}
