// One append, made sure of. Any failure that is not a conflict leaves the outcome unknown, so the same events are sent
// again at the same revision until the log says what became of them.

import { Refusal } from '../domain/decider.ts'
import type { NewEvent } from '../domain/event.ts'
import { type AppendResult, type Expected, type Log, NotSent } from '../stores/contract/log.ts'

const TRIES = 5
const PAUSE_MS = 50

/**
 * Begins no further try once it is over: a log that is silent takes long to say nothing. Throws 503 `log_unavailable`
 * when the log gives no answer: the outcome stays unknown, repeating the call is safe.
 */
export async function appendSurely(
  log: Log,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
  isOver: () => boolean,
): Promise<AppendResult> {
  let cause: unknown
  for (let attempt = 0; attempt === 0 || (attempt < TRIES && !isOver()); attempt++) {
    try {
      return await log.append(stream, expected, events)
    } catch (failure) {
      if (failure instanceof NotSent) throw failure
      cause = failure
      await new Promise((wake) => setTimeout(wake, PAUSE_MS * attempt))
    }
  }
  const detail = 'The log does not answer. Whether this was recorded is not known; repeating it is safe.'
  throw Object.assign(new Refusal('unavailable', 'log_unavailable', detail), { cause })
}
