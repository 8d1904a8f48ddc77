// Retries of a command whose append was not answered: for about 3 s, which is longer than a leader election of the log.

import { setTimeout as pause } from 'node:timers/promises'

export const MAX_TRIES = 16
const STEP_MS = 50
const MAX_PAUSE_MS = 250

/** `attempt` counts from 1. The first retry follows at once, later ones after growing pauses. */
export const pauseBeforeRetry = (attempt: number): Promise<void> =>
  pause(Math.min(STEP_MS * (attempt - 1), MAX_PAUSE_MS))
