// A quota as JSON and back, for snapshots of its stream.

import type { JsonObject } from './event.ts'
import { shaped } from './event.ts'
import type { Quota, Share } from './quota.ts'
import { Shards } from './shards.ts'

type Pairs<Value> = readonly (readonly [string, Value])[]

type Written = Omit<Quota, 'owners' | 'uploads' | 'deletions' | 'downloads'> & {
  readonly owners: Pairs<{ readonly bytes: number; readonly files: number }>
  readonly uploads: Pairs<Share>
  readonly deletions: Pairs<number>
  readonly downloads: Pairs<{ readonly bytes: number; readonly sent: number; readonly expiresMs: number }>
}

export function writeQuota(quota: Quota): JsonObject {
  const written: Written = {
    ...quota,
    owners: [...quota.owners.entries()],
    uploads: [...quota.uploads.entries()],
    deletions: [...quota.deletions.entries()],
    downloads: [...quota.downloads.entries()],
  }
  return shaped<JsonObject>(written)
}

export function readQuota(stored: JsonObject): Quota {
  const written = shaped<Written>(stored)
  return {
    ...written,
    owners: Shards.of(written.owners),
    uploads: Shards.of(written.uploads),
    deletions: Shards.of(written.deletions),
    downloads: Shards.of(written.downloads),
  }
}
