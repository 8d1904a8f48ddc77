// The rules of a leaderboard at a position of the log.

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/**
 * The rules in force at a position, and those before them, newest first. Empty if the leaderboard was created later.
 * O(the leaderboard's own events).
 */
export async function rulesUpTo(
  log: Pick<Log, 'readStream'>,
  board: string,
  position: Position,
): Promise<readonly Rules[]> {
  const rules: Rules[] = []
  for await (const event of eventsFrom(log, boardStream(board))) {
    if (event.position > position) break
    if (event.type === 'LeaderboardCreated' || event.type === 'LeaderboardRulesChanged') {
      rules.unshift(unsafeCast(event.data.rules))
    }
  }
  return rules
}
