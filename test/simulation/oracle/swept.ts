// Released blobs must be removed as such, not only hours later as unknown blobs.

import { unsafeCast } from '../../../domain/event.ts'
import type { World } from '../world/world.ts'

interface LetGo {
  readonly blob?: string
  readonly replaced?: { readonly blob: string } | null
}

/** Call it when all reactions have handled all events and the retention time of blobs is over. */
export async function checkSwept({ log, blobs: { lying, swept } }: World): Promise<string[]> {
  const events = await log.readAll(null, Number.MAX_SAFE_INTEGER)
  return events.flatMap(({ type, stream, data }) => {
    const { blob, replaced } = unsafeCast<LetGo>(data)
    const isGone = type === 'FileDeleted' || type === 'UploadExpired'
    const former = isGone ? blob : type === 'FileStored' || type === 'FileOverwritten' ? replaced?.blob : null
    // Bytes sent again after the sweep belong to nobody; the sweep of orphans removes them.
    if (former == null || !lying.has(former) || swept.has(former)) return []
    return [`${type} of ${stream} released blob ${former}, which is still there`]
  })
}
