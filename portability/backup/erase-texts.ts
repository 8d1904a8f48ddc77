// Text in clear of deleted players, which an older version recorded, while the log is read for a backup: a process
// removes it from the log some time after the deletion, and a backup must not have it even before that.

import type { StoredEvent } from '../../domain/event.ts'
import { ownerOf } from '../../domain/personal.ts'
import { playerStream } from '../../domain/player.ts'
import type { Log } from '../../stores/contract/log.ts'
import { clearTexts } from './chunk-maker.ts'
import { withoutTexts } from './deletions.ts'

const PAGE = 100
/** Number of players for which it remembers whether they are deleted. */
const MAX_KNOWN = 10_000

/** Returns the events without such text. */
export function erasingTexts(log: Pick<Log, 'readStream'>): (events: readonly StoredEvent[]) => Promise<StoredEvent[]> {
  const known = new Map<string, boolean>()

  async function isDeleted(player: string): Promise<boolean> {
    const remembered = known.get(player)
    if (remembered !== undefined) return remembered
    if (known.size >= MAX_KNOWN) known.clear()
    const found = await hasDeletion(log, player)
    known.set(player, found)
    return found
  }

  return async (events) => {
    const erased: StoredEvent[] = []
    for (const event of events) {
      const clear = clearTexts(event)
      const owner = clear.length === 0 ? null : ownerOf(event)
      erased.push(owner !== null && (await isDeleted(owner)) ? withoutTexts(event, clear) : event)
    }
    return erased
  }
}

async function hasDeletion(log: Pick<Log, 'readStream'>, player: string): Promise<boolean> {
  for (let from = 0; ; ) {
    const page = await log.readStream(playerStream(player), from, PAGE)
    if (page.some(({ type }) => type === 'PlayerDeleted')) return true
    const last = page.at(-1)
    if (last === undefined) return false
    from = last.revision + 1
  }
}
