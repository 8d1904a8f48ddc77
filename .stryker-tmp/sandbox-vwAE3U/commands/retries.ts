// How often, and for how long, a command tries again what the log did not answer: about 3 s, so that an election of the
// log's leader passes unnoticed.

import { setTimeout as pause } from 'node:timers/promises'

export const MAX_TRIES = 16
const STEP_MS = 50
const MAX_PAUSE_MS = 250

/** `attempt` counts from 1: the first retry follows at once, later ones after longer pauses. */
export const pauseBeforeRetry = (attempt: number): Promise<void> =>
  pause(Math.min(STEP_MS * (attempt - 1), MAX_PAUSE_MS))
