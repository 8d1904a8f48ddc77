// Checks a position that a caller sends against the log.

import { Refusal } from '../../domain/decider.ts'
import type { EventsDeps } from '../../queries/events.ts'
import { malformed } from '../problem.ts'

const DETAIL = 'is not a position of this log, or is beyond its end: send one from an event or a heartbeat'

/** Throws 400: `position_unknown` for a position from before a restore, `malformed` for other text. */
export async function requireKnownPosition(
  { isPosition, isFromBeforeRestore }: Pick<EventsDeps, 'isPosition' | 'isFromBeforeRestore'>,
  position: string | undefined,
): Promise<void> {
  if (position === undefined || (await isPosition(position))) return
  if (await isFromBeforeRestore(position)) {
    throw new Refusal(
      'malformed',
      'position_unknown',
      'This position is from before this installation was restored from a backup. Read from the beginning.',
    )
  }
  throw malformed([{ pointer: '/from', detail: DETAIL }], 'The query')
}
