// The state of a bucket's quota, and its conversion to JSON and back for snapshots.

import { Map as ImmutableMap } from 'immutable'
import type { JsonObject } from './event.ts'
import { unsafeCast } from './event.ts'

/** Used quota and the player whose quota it is; null: only the bucket's. */
export type Share = {
  readonly owner: string | null
  readonly bytes: number
  readonly files: number
}

export interface Promised {
  readonly bytes: number
  readonly sent: number
  /** Unix milliseconds. */
  readonly expiresMs: number
  /** Who requested the link; null: it counts against no asker. */
  readonly by: string | null
}

interface Held {
  readonly bytes: number
  readonly files: number
}

/** Sums include both stored and reserved bytes and files. */
export interface Quota extends Held {
  readonly owners: ImmutableMap<string, Held>
  readonly uploads: ImmutableMap<string, Share>
  /** Deletion id -> when it began, in Unix milliseconds. */
  readonly deletions: ImmutableMap<string, number>
  /**
   * Ids of settled uploads and freed deletions -> Unix milliseconds: a delayed repeat of the call must not reserve them
   * again.
   */
  readonly past: ImmutableMap<string, number>
  readonly downloads: ImmutableMap<string, Promised>
  /** Promised and unsent bytes of all `downloads`. */
  readonly promised: number
  /** The same by asker. */
  readonly askers: ImmutableMap<string, number>
  /** `2026-11`, and the bytes sent in it. */
  readonly month: string
  readonly sent: number
  /** The minute (Unix) in which expired entries were last removed. */
  readonly minute: number
}

type Pairs<Value> = readonly (readonly [string, Value])[]

type Written = Omit<Quota, 'owners' | 'uploads' | 'deletions' | 'past' | 'downloads' | 'askers'> & {
  readonly owners: Pairs<{ readonly bytes: number; readonly files: number }>
  readonly uploads: Pairs<Share>
  readonly deletions: Pairs<number>
  readonly past: Pairs<number>
  readonly downloads: Pairs<{ bytes: number; sent: number; expiresMs: number; by: string | null }>
  readonly askers: Pairs<number>
}

export function writeQuota(quota: Quota): JsonObject {
  const written: Written = {
    ...quota,
    owners: [...quota.owners.entries()],
    uploads: [...quota.uploads.entries()],
    deletions: [...quota.deletions.entries()],
    past: [...quota.past.entries()],
    downloads: [...quota.downloads.entries()],
    askers: [...quota.askers.entries()],
  }
  return unsafeCast<JsonObject>(written)
}

export function readQuota(stored: JsonObject): Quota {
  const written = unsafeCast<Written>(stored)
  return {
    ...written,
    owners: ImmutableMap(written.owners),
    uploads: ImmutableMap(written.uploads),
    deletions: ImmutableMap(written.deletions),
    past: ImmutableMap(written.past),
    downloads: ImmutableMap(written.downloads),
    askers: ImmutableMap(written.askers),
  }
}
