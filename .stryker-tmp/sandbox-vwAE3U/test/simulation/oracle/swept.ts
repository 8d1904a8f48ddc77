// Blobs that were let go must be taken away as such, and not only hours later, when whatever nobody knows is taken away.

import { unsafeCast } from '../../../domain/event.ts'
import type { World } from '../world/world.ts'

interface LetGo {
  readonly blob?: string
  readonly replaced?: { readonly blob: string } | null
}

/** To be asked when every process has reacted to everything, and the time is over for which blobs are kept. */
export async function checkSwept({ log, blobs: { lying } }: World): Promise<string[]> {
  const events = await log.readAll(null, Number.MAX_SAFE_INTEGER)
  return events.flatMap(({ type, stream, data, meta }) => {
    const { blob, replaced } = unsafeCast<LetGo>(data)
    const isGone = type === 'FileDeleted' || type === 'UploadExpired'
    const former = isGone ? blob : type === 'FileStored' || type === 'FileOverwritten' ? replaced?.blob : null
    const found = lying.get(former ?? '')
    // What came afterwards may have come after the sweep as well.
    if (found === undefined || found.storedMs > Date.parse(meta.time)) return []
    return [`${type} of ${stream} released blob ${former}, which is still there`]
  })
}
