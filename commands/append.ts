// Appends with retries. After any failure other than a conflict the outcome is unknown, so the same events are sent
// again at the same revision until the log answers.

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../domain/decider.ts'
import { noSuchGame } from '../domain/game.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import {
  type Append,
  AppendDenied,
  type AppendResult,
  type Log,
  NotSent,
  OfDeletedGame,
} from '../stores/contract/log.ts'

/**
 * Retries for about 3 s; starts no attempt after `isOver`. Throws 503 `log_unavailable` if the log does not answer: the
 * outcome is unknown, and repeating the call is safe. Throws the same code without a retry if the log denies the
 * append: nothing was recorded. 404 `game_not_found` if the removal of the game has begun.
 */
export async function appendSurely(
  log: Pick<Log, 'append'>,
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
  const detail =
    'The server could not confirm that this was recorded. Send it again with the same Idempotency-Key; that is safe.'
  throw Object.assign(new Refusal('unavailable', 'log_unavailable', detail), { cause })
}

/** The log denies appends until an operator acts, so a retry would fail too. */
function denied(denial: AppendDenied): Refusal {
  const cause = denial.cause instanceof StoreUnavailable ? denial.cause : denial
  const detail = 'The server accepts no writes now. Nothing was recorded. Send it again later.'
  return Object.assign(new Refusal('unavailable', 'log_unavailable', detail), { cause })
}

// Retries of a command whose append was not answered: for about 3 s, which is longer than a leader election of the log.

const MAX_TRIES = 16
const STEP_MS = 50
const MAX_PAUSE_MS = 250

/** `attempt` counts from 1. The first retry follows at once, later ones after growing pauses. */
const pauseBeforeRetry = (attempt: number): Promise<void> => pause(Math.min(STEP_MS * (attempt - 1), MAX_PAUSE_MS))
