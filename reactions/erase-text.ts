// Makes text of a deleted player unreadable in the files of the embedded stores: rewrites events that an older version
// recorded without encryption, and purges the stores once the views contain none of it. Also removes mails to the
// player that were written to the data folder.

import { forgetText } from '../commands/forget.ts'
import { digestOf } from '../commands/sign-in/claims.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { isOfFiles, ownerOf, personalTexts } from '../domain/personal.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { EventOwner, LogErasure, Purge } from '../stores/contract/erasure.ts'
import { type DeletedPlayer, onPlayerDeleted, type Reaction, type ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'
import { waitForViews } from './wait.ts'

/** Events searched per step: a few milliseconds. */
const EVENTS_PER_SEARCH = 2_000

export interface EraseTextDeps extends Omit<ReactionDeps, 'now'> {
  readonly logErasure: LogErasure | null
  readonly purges: Purges
  /** Removes mails to matching addresses from the data folder. Absent if no mails are written there. */
  forgetMails?(game: string, isTheirs: (address: string) => boolean): Promise<void>
}

export function eraseText(deps: EraseTextDeps): Reaction {
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

/** Maximum delay in ms between a request and the start of its purge. */
const PURGE_EVERY_MS = 1_000

/**
 * Purges the embedded stores after deletions. Requests that come close together share one purge. One runs at each
 * start, because a killed process may have left one pending.
 */
interface Purges {
  /** Requests a purge of everything that was overwritten or deleted before the call. */
  request(): void
  readonly timed: Timed
}

/** `stores`: the embedded stores; empty if all are on servers. */
export function createPurges(stores: readonly Purge[]): Purges {
  let isDue = true
  return {
    request: () => {
      isDue = true
    },
    timed: {
      name: 'purge_text',
      everyMs: PURGE_EVERY_MS,
      async run() {
        if (!isDue) return
        isDue = false
        try {
          for (const store of stores) await store.purge()
        } catch (error) {
          isDue = true
          throw error
        }
      },
    },
  }
}
