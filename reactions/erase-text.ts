// Makes text of a deleted player unreadable in the files of the embedded stores: rewrites events that an older version
// recorded without encryption, and requests a purge once the views contain none of it. Also removes mails to the player
// that were written to the data folder.

import { forgetText } from '../commands/forget.ts'
import { digestOf } from '../commands/sign-in/claims.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { isOfFiles, ownerOf, personalTexts } from '../domain/personal.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { EventOwner, LogErasure } from '../stores/contract/erasure.ts'
import { type DeletedPlayer, onPlayerDeleted } from './deleted-player.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import type { Purges } from './purge-text.ts'
import { waitForViews } from './wait.ts'

/** Events searched per step: a few milliseconds. */
const EVENTS_PER_SEARCH = 2_000

export interface EraseTextDeps extends Omit<ProcessDeps, 'now'> {
  readonly logErasure: LogErasure | null
  readonly purges: Purges
  /** Removes mails to matching addresses from the data folder. Absent if no mails are written there. */
  forgetMails?(game: string, isTheirs: (address: string) => boolean): Promise<void>
}

export function eraseText(deps: EraseTextDeps): Process {
  const { commands, logErasure, purges } = deps
  return onPlayerDeleted('erase_text', async (gone, signal) => {
    const { game, player } = gone
    await forgetText(commands, player)
    const digests = addressesOf(gone)
    if (digests.size > 0)
      await deps.forgetMails?.(game, (address) => digests.has(digestOf(commands, 'email', game, address)))
    if (logErasure !== null) await rewriteOlder(logErasure, gone, isNotOfFiles, signal)
    if (signal.aborted || !(await waitForViews(deps, gone, signal))) return
    purges.request()
  })
}

const addressesOf = ({ links }: DeletedPlayer): ReadonlySet<string> =>
  new Set(links.filter(({ kind }) => kind === 'email').map(({ digest }) => digest))

/** erase-files.ts handles the names of files and folders. */
const isNotOfFiles = (event: StoredEvent): boolean => !isOfFiles(event)

/**
 * Removes the player's text from events of an older version. Idempotent: after an interruption the event is delivered
 * again.
 */
export async function rewriteOlder(
  erasure: LogErasure,
  owner: EventOwner,
  concerns: (event: StoredEvent) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let after: Position | null = null
  do {
    const { events, next } = await erasure.olderEvents(owner, after, EVENTS_PER_SEARCH)
    const own = events.filter((event) => concerns(event) && isTextOf(event, owner))
    await erasure.rewriteEvents(own.map(withoutText))
    after = next
    await yieldToEventLoop()
  } while (after !== null && !signal.aborted)
}

const isTextOf = (event: StoredEvent, { player }: EventOwner): boolean =>
  ownerOf(event) === player && personalTexts(event).length > 0

function withoutText(event: StoredEvent) {
  const { position, data, meta } = event
  const nothing = Object.fromEntries(personalTexts(event).map((field) => [field, null]))
  return { position, data: { ...data, ...nothing }, meta }
}
