// A leaderboard's seasons at a position of the log.

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import {
  type ActiveRules,
  type BoardSeasons,
  chunkAfter,
  chunkOf,
  headAfter,
  type SeasonsChunk,
  type SeasonsHead,
  seasonChangedBy,
} from '../domain/season-records.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** As of the position; null: it never had seasons. O(the leaderboard's own events up to the position). */
export async function seasonsAt(
  log: Pick<Log, 'readStream'>,
  board: string,
  position: Position,
): Promise<BoardSeasons | null> {
  const chunks = new Map<number, SeasonsChunk>()
  let head: SeasonsHead | null = null
  let active: ActiveRules | null = null
  for await (const event of eventsFrom(log, boardStream(board))) {
    if (event.position > position) break
    if (event.type === 'LeaderboardCreated' || event.type === 'LeaderboardRulesChanged') {
      active = { generation: Number(event.data.generation ?? 1), rules: unsafeCast<Rules>(event.data.rules) }
    }
    if (active === null) continue
    head = headAfter(head, event, active)
    const season = seasonChangedBy(event)
    if (season === null) continue
    const chunk = chunkOf(season)
    chunks.set(chunk, chunkAfter(chunks.get(chunk) ?? null, event, active))
  }
  return head && { head, chunk: (number) => chunks.get(number)?.records ?? [] }
}
