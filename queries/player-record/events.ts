// The events of a game's history that concern one player, as an access request shows them.

import { type JsonObject, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { isNamed } from '../../domain/streams.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { BriefEvent, History, HistoryPart } from '../../stores/contract/history.ts'
import { historyPages, unopened } from '../../stores/support/history-pages.ts'

/** Events per read: less than a millisecond with a store in this process. */
const PAGE = 100

/**
 * Event fields that only reference stored data, or are keyed hashes of values that the record shows in clear: they say
 * nothing about the player.
 */
const INTERNAL: ReadonlySet<string> = new Set([
  ...['secret', 'digest', 'email', 'login', 'links', 'external'],
  ...['blob', 'folderKey', 'parentKey', 'replaced', 'deletion'],
])

/** Pages of a player's events, in log order. O(the game's history), however few are the player's, in time slices. */
export async function* eventsAbout(
  history: History,
  game: string,
  player: string,
  slices: TimeSlices,
): AsyncGenerator<readonly StoredEvent[]> {
  const filter = { game }
  let after: string | null = null
  const read: HistoryPart<BriefEvent | StoredEvent> = history.brief ?? unopened(history)
  for await (const page of historyPages(read, filter, { limit: PAGE }, () => slices.yieldIfDue())) {
    const wanted = new Set(page.filter((event) => isAbout(event, player)).map(({ position }) => position))
    if (wanted.size > 0) {
      const whole = await history.part(filter, after, page.length)
      yield whole.filter(({ position }) => wanted.has(position))
    }
    after = page.at(-1)?.position ?? after
  }
}

/** Whether the metadata names the player, or, for files, folders and uploads, the data does. */
function isAbout({ meta, data, stream }: BriefEvent | StoredEvent, player: string): boolean {
  const { player: named } = typeof meta === 'string' ? unsafeCast<StoredEvent['meta']>(JSON.parse(meta)) : meta
  if (named === player) return true
  if (isNamed(stream, 'upload-')) return data.player === player
  if (!isNamed(stream, 'file-') && !isNamed(stream, 'folder-')) return false
  const creator =
    data.creator ?? unsafeCast<{ readonly creator?: string | null } | null>(data.replaced ?? null)?.creator
  return creator === player
}

export function eventRow({ position, type, data, meta }: StoredEvent) {
  const shown = Object.fromEntries(Object.entries(data).filter(([name]) => !INTERNAL.has(name)))
  const { time, board = null, actor } = meta
  return { position, type, time, leaderboard: board, actor, data: shown as JsonObject }
}
