// One append, made sure of. Any failure that is not a conflict leaves the outcome unknown, so the same events are sent
// again at the same revision until the log says what became of them.

import { Refusal } from '../domain/decider.ts'
import type { NewEvent } from '../domain/event.ts'
import { noSuchGame } from '../domain/game.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import {
  AppendDenied,
  type AppendResult,
  type Expected,
  type Log,
  NotSent,
  OfDeletedGame,
} from '../stores/contract/log.ts'
import { MAX_TRIES, pauseBeforeRetry } from './retries.ts'

interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/**
 * Retries for about 3 s, and begins no further try once `isOver`: a silent log takes long to fail. Throws 503
 * `log_unavailable` when the log gives no answer: the outcome stays unknown, repeating the call is safe. The same code
 * where the log denies the append: nothing was recorded, and no further try is made. 404 `game_not_found` where the removal of
 * the game has begun.
 */
export async function appendSurely(
  log: Log,
  { stream, expected, events }: Append,
  isOver: () => boolean,
): Promise<AppendResult> {
  let cause: unknown
  for (let attempt = 0; attempt === 0 || (attempt < MAX_TRIES && !isOver()); attempt++) {
    if (attempt > 0) await pauseBeforeRetry(attempt)
    try {
      return await log.append(stream, expected, events)
    } catch (failure) {
      if (failure instanceof OfDeletedGame) throw noSuchGame()
      if (failure instanceof NotSent) throw failure
      if (failure instanceof AppendDenied && cause === undefined) throw denied(failure)
      cause = failure
    }
  }
  const detail = 'The log does not answer. Whether this was recorded is not known; repeating it is safe.'
  throw Object.assign(new Refusal('unavailable', 'log_unavailable', detail), { cause })
}

/** The log refuses until an operator acts: another try would be refused too. */
function denied(denial: AppendDenied): Refusal {
  const cause = denial.cause instanceof StoreUnavailable ? denial.cause : denial
  const detail = 'The log accepts no writes now. Nothing was recorded; repeat it later.'
  return Object.assign(new Refusal('unavailable', 'log_unavailable', detail), { cause })
}
