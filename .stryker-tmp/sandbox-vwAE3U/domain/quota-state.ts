// The state of a quota; as JSON and back, for snapshots of its stream.

import { Map as ImmutableMap } from 'immutable'
import type { JsonObject } from './event.ts'
import { unsafeCast } from './event.ts'

/** What is held, and against whom it counts; null: against nobody but the bucket. */
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
  /** Who asked for it; null: it counts against nobody. */
  readonly by: string | null
}

interface Held {
  readonly bytes: number
  readonly files: number
}

/** Sums are of what is held and what is reserved together. */
export interface Quota extends Held {
  readonly owners: ImmutableMap<string, Held>
  readonly uploads: ImmutableMap<string, Share>
  /** Deletion -> Unix milliseconds at which it was begun. */
  readonly deletions: ImmutableMap<string, number>
  /**
   * Uploads that were settled and deletions that were freed -> Unix milliseconds: the call that made them may be on its
   * way once more, and must not make them again.
   */
  readonly past: ImmutableMap<string, number>
  readonly downloads: ImmutableMap<string, Promised>
  /** Of the downloads above, what was promised and not sent. */
  readonly promised: number
  /** The same by who asked for them. */
  readonly askers: ImmutableMap<string, number>
  /** `2026-11`, and the bytes sent in it. */
  readonly month: string
  readonly sent: number
  /** The minute in which what is over was last forgotten. */
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
