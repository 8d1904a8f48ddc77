// Runs one reaction over its inbox: one event at a time, in log order, each retried until it succeeds.

import type { StoredEvent } from '../domain/event.ts'
import { TimeSlices } from '../runtime/time-slices.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Views } from '../stores/contract/views.ts'
import { type Inbox, SAVE_EVERY } from './inbox.ts'
import type { Reaction } from './reaction.ts'
import { type TryDeps, untilDone } from './wait.ts'

/** Maximum number of events per read; small, so that reading a long history yields to the event loop every few ms. */
export const BATCH = 500
/** Checkpoints are saved after this many handled events. */
const REACTIONS_UNSAVED = 100

export interface ReactDeps extends TryDeps {
  readonly log: Log
  readonly views: Views
}

export const reactionView = (reaction: Reaction): string => `process_${reaction.name}@1`

/**
 * Handles the inbox until the signal aborts, and reads dropped events from the log. Checkpoints are saved after the
 * event is handled, so a crash can deliver an event twice but never skips one.
 */
export async function react(deps: ReactDeps, reaction: Reaction, inbox: Inbox, signal: AbortSignal): Promise<void> {
  let handled = 0
  const save = async (last: StoredEvent | null) => {
    const checkpoints = inbox.checkpoints(last)
    const { unsaved } = inbox
    if (checkpoints !== null) await deps.views.commit([{ view: reactionView(reaction), writes: [], checkpoints }])
    inbox.unsaved -= unsaved
    handled = 0
  }
  const step = async () => {
    const [event] = inbox.waiting
    if (event !== undefined) {
      await reaction.react(event, signal)
      // The reaction may have returned early because of the abort.
      if (signal.aborted) return
      inbox.waiting.shift()
      handled++
      if (handled >= REACTIONS_UNSAVED) await save(event)
    } else if (handled > 0 || inbox.unsaved >= SAVE_EVERY) await save(null)
    else if (inbox.missed) inbox.take(await missedBy(inbox))
    else await inbox.more(signal)
  }
  const missedBy = async ({ reached, startsAfter }: Inbox) => {
    const events = await deps.log.readAll(reached?.position ?? startsAfter, BATCH)
    if (events.length === 0) throw new Error('the log does not return events that its subscription has delivered')
    return events
  }
  // If no step waits for I/O, promises alone would block the event loop.
  const slices = new TimeSlices()
  while (!signal.aborted) {
    await untilDone(deps, reaction.name, signal, step)
    if (slices.due) await slices.yieldIgnoringAbort()
  }
}
