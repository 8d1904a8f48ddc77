// Removes all data of a deleted game: documents, rankings, secrets, file bytes, mails, and its events in the log. It
// walks the game's history in pages; after a crash it starts again and skips what is already removed.

import { beginGameErasure, gameErased, listGameSecrets, publishDeletion } from '../commands/game.ts'
import { removeSnapshots } from '../commands/snapshots.ts'
import type { EventMeta, Position, StoredEvent } from '../domain/event.ts'
import { gameStream, LEFT_OF_DELETED } from '../domain/game.ts'
import { slotsStream } from '../domain/slots.ts'
import { keysOf } from '../queries/key.ts'
import type { LogErasure, Purge, StreamErasure } from '../stores/contract/erasure.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { History } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Rooms } from '../stores/contract/rooms.ts'
import type { Views } from '../stores/contract/views.ts'
import { eventsFrom, hasErasureBegun } from '../stores/support/events-from.ts'
import { unopened } from '../stores/support/history-pages.ts'
import { blobsOf, destroySecrets, secretsOf } from './game-leftovers.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge, waitForViews } from './wait.ts'

/** Events whose data is removed together: a few milliseconds of work between two yields to the event loop. */
const PAGE = 100
/** Replaces the command of an event that was removed from an embedded log. */
const REMOVED = 'removed'

export interface DeleteGamesDeps extends ReactionDeps {
  readonly files: FileStore
  /** Log and history including what other readers skip. `history` may be a view, whose documents are removed too. */
  readonly unfiltered: { readonly log: Log; readonly history: History }
  readonly deletedGames: { add(game: string): void; hide(game: string): void }
  /** Removes documents: projections/clear-game.ts. */
  readonly clearing: {
    begin(erasureBegun: StoredEvent, signal: AbortSignal): Promise<boolean>
    clear(page: readonly StoredEvent[], erasureBegun: StoredEvent): Promise<void>
    end(erasureBegun: StoredEvent): Promise<void>
  }
  readonly views: Pick<Views, 'commit' | 'list' | 'durable'>
  readonly logErasure: LogErasure | null
  readonly streamErasure: StreamErasure | null
  readonly documentErasure: Purge | null
  /**
   * How long after GameDeleted the removal begins: by then every node refuses the game's calls, and no append of one is
   * still running.
   */
  readonly settleMs: number
  readonly rooms: Pick<Rooms, 'forget'>
  /** Removes mails that were written to the data folder: all mails of the game, or those to matching addresses. */
  forgetMails?(game: string, isTheirs?: (address: string) => boolean): Promise<void>
  /** Called after each page with the number of removed events, and whether the game is done. */
  progress(report: { readonly game: string; readonly events: number; readonly isDone: boolean }): void
}

export function deleteGames(deps: DeleteGamesDeps): Reaction {
  const pages = createPageErasure(deps)
  return {
    name: 'delete_games',
    takes: ['GameDeleted', 'GameErasureBegun'],
    async react(event, signal) {
      const { game } = event.meta
      if (game === null) return
      if (event.type === 'GameDeleted') await begin(deps, event, game, signal)
      else await erase(deps, pages, event, game, signal)
    },
  }
}

/**
 * Repeats the steps of the call that deleted the game, in case it failed; then records the end of the game's history.
 */
async function begin(deps: DeleteGamesDeps, event: StoredEvent, game: string, signal: AbortSignal): Promise<void> {
  const { commands, queries, now, unfiltered } = deps
  deps.deletedGames.add(game)
  const context = ownContext(now())
  await publishDeletion(commands, { game, position: event.position }, () => keysOf(queries, game), context)
  deps.progress({ game, events: 0, isDone: false })
  if (!(await waitForAge(event, now, signal, deps.settleMs))) return
  if (await hasErasureBegun(unfiltered.log, game)) return
  // From GameErasureBegun on no view sees the game's events, not even one that lost some of them in a crash.
  if (!(await waitForViews(deps, { game, position: event.position }, signal))) return
  await deps.views.durable()
  await beginGameErasure(commands, game, context)
}

async function erase(
  deps: DeleteGamesDeps,
  pages: PageErasure,
  erasureBegun: StoredEvent,
  game: string,
  signal: AbortSignal,
): Promise<void> {
  deps.deletedGames.add(game)
  // All views must have applied the game's events before their documents are removed.
  if (!(await waitForViews(deps, { game, position: erasureBegun.position }, signal))) return
  deps.deletedGames.hide(game)
  if (!(await deps.clearing.begin(erasureBegun, signal))) return
  const events = await eraseHistory(deps, pages, erasureBegun, game, signal)
  if (events === null) return
  await pages.eraseSlots(game, erasureBegun)
  if (deps.logErasure === null) {
    await deps.streamErasure?.truncateStream(gameStream(game), await revisionOfDeletion(deps.unfiltered.log, game))
  }
  await deps.forgetMails?.(game)
  await deps.rooms.forget(game)
  await deps.clearing.end(erasureBegun)
  await deps.documentErasure?.purge()
  await deps.logErasure?.purge()
  await gameErased(deps.commands, game, events, ownContext(deps.now()))
  deps.progress({ game, events: 0, isDone: true })
}

/** Removes all remaining events and returns their number; null if the signal aborted first. */
async function eraseHistory(
  deps: DeleteGamesDeps,
  pages: PageErasure,
  erasureBegun: StoredEvent,
  game: string,
  signal: AbortSignal,
): Promise<number | null> {
  let events = 0
  let after: Position | null = null
  // If the history is a view, each page's documents are removed, so the next page is at its start.
  for (;;) {
    const page: StoredEvent[] = await unopened(deps.unfiltered.history)({ game }, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return events
    const left = page.filter((one) => !LEFT_OF_DELETED.has(one.type) && one.meta.command !== REMOVED)
    await pages.erasePage(left, erasureBegun)
    events += left.length
    deps.progress({ game, events: left.length, isDone: false })
    after = last.position
    if (signal.aborted) return null
  }
}

async function revisionOfDeletion(log: Log, game: string): Promise<number> {
  for await (const { type, revision } of eventsFrom(log, gameStream(game))) {
    if (type === 'GameDeleted') return revision
  }
  throw new Error(`game ${game} was deleted, but its stream has no GameDeleted`)
}

interface PageErasure {
  /** Removes the page's events last, and after the rest is durable, so that an interrupted page is read again. */
  erasePage(page: readonly StoredEvent[], erasureBegun: StoredEvent): Promise<void>
  /** Removes the stream of slots, which is not in the game's history, after its documents. */
  eraseSlots(game: string, erasureBegun: StoredEvent): Promise<void>
}

function createPageErasure(deps: DeleteGamesDeps): PageErasure {
  const { commands, now, unfiltered, streamErasure } = deps

  async function erasePage(page: readonly StoredEvent[], erasureBegun: StoredEvent): Promise<void> {
    if (page.length === 0) return
    await eraseSecrets(page, erasureBegun)
    const blobs = page.flatMap(blobsOf)
    if (blobs.length > 0) await deps.files.remove(blobs)
    const streams = [...new Set(page.map(({ stream }) => stream))]
    await removeSnapshots(deps.views, streams)
    if (streamErasure !== null) {
      const own = gameStream(erasureBegun.meta.game ?? '')
      for (const stream of streams) if (stream !== own) await streamErasure.deleteStream(stream)
    }
    await deps.clearing.clear(page, erasureBegun)
    await emptyEvents(page)
  }

  /** Lists the secrets first, because a vault restored from an older backup contains them again. */
  async function eraseSecrets(page: readonly StoredEvent[], { meta }: StoredEvent): Promise<void> {
    const secrets = secretsOf(page)
    await listGameSecrets(commands, meta.game ?? '', secrets, ownContext(now()))
    await destroySecrets(commands.vault, secrets)
  }

  async function eraseSlots(game: string, erasureBegun: StoredEvent): Promise<void> {
    const stream = slotsStream(game)
    await removeSnapshots(deps.views, [stream])
    for (let from = 0; ; ) {
      const page = await unfiltered.log.readStream(stream, from, PAGE)
      const last = page.at(-1)
      if (last === undefined) break
      const left = page.filter(({ meta }) => meta.command !== REMOVED)
      await eraseSecrets(left, erasureBegun)
      if (left.length > 0) await deps.clearing.clear(left, erasureBegun)
      await emptyEvents(left)
      from = last.revision + 1
    }
    await deps.views.durable()
    await streamErasure?.deleteStream(stream)
  }

  async function emptyEvents(page: readonly StoredEvent[]): Promise<void> {
    if (page.length === 0 || deps.logErasure === null) return
    await deps.views.durable()
    await deps.logErasure.rewriteEvents(page.map(({ position, meta }) => ({ position, data: {}, meta: blank(meta) })))
  }

  return { erasePage, eraseSlots }
}

/** The metadata that readers need to skip the event. */
const blank = ({ v, game, time }: EventMeta): EventMeta => {
  return { v, game, command: REMOVED, actor: null, request: null, time }
}
