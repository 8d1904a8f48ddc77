// Removes all data of a deleted game: documents, rankings, secrets, file bytes, mails, and its events in the log. It
// walks the game's history in pages; after a crash it starts again and skips what is already removed.

import { beginGameErasure, gameErased, listGameSecrets, tellDeleted } from '../commands/game.ts'
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
import { hasErasureBegun } from '../stores/support/erasure-begun.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { unopened } from '../stores/support/history-pages.ts'
import { blobsOf, destroySecrets, secretsOf } from './game-leftovers.ts'
import { ownContext } from './own-context.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { untilOld, viewsHave } from './wait.ts'

/** Events whose data is removed together: a few milliseconds of work between two yields to the event loop. */
const PAGE = 100
/** Replaces the command of an event that was removed from an embedded log. */
const REMOVED = 'removed'

export interface DeleteGamesDeps extends ProcessDeps {
  readonly files: FileStore
  /** With what other readers pass over. `history` may be a view: its documents are removed with the others. */
  readonly whole: { readonly log: Log; readonly history: History }
  readonly deletedGames: { add(game: string): void; hide(game: string): void }
  readonly clearing: { clear(page: readonly StoredEvent[], begun: StoredEvent): Promise<void> }
  readonly views: Pick<Views, 'commit' | 'list'>
  readonly logErasure: LogErasure | null
  readonly streamErasure: StreamErasure | null
  readonly documentErasure: Purge | null
  /**
   * How long after GameDeleted the removal begins: every node refuses the game's calls by then, and none of its appends is under
   * way.
   */
  readonly settleMs: number
  readonly rooms: Pick<Rooms, 'forget'>
  /** Removes what this process wrote beside the stores: mails of development, of the whole game or to some addresses. */
  forgetMails?(game: string, isTheirs?: (address: string) => boolean): Promise<void>
  /** Called after each page with the number of removed events, and whether the game is done. */
  progress(told: { readonly game: string; readonly events: number; readonly isDone: boolean }): void
}

export function deleteGames(deps: DeleteGamesDeps): Process {
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

/** Does what the call that deleted the game does too, where it died; then records the end of the game's history. */
async function begin(deps: DeleteGamesDeps, event: StoredEvent, game: string, signal: AbortSignal): Promise<void> {
  const { commands, queries, now, whole } = deps
  deps.deletedGames.add(game)
  const context = ownContext(now())
  await tellDeleted(commands, { game, position: event.position }, () => keysOf(queries, game), context)
  deps.progress({ game, events: 0, isDone: false })
  if (!(await untilOld(event, now, signal, deps.settleMs))) return
  if (await hasErasureBegun(whole.log, game)) return
  await beginGameErasure(commands, game, context)
}

async function erase(
  deps: DeleteGamesDeps,
  pages: PageErasure,
  begun: StoredEvent,
  game: string,
  signal: AbortSignal,
): Promise<void> {
  deps.deletedGames.add(game)
  // No view may be yet to apply an event of the game when its documents go.
  if (!(await viewsHave(deps, { game, position: begun.position }, signal))) return
  deps.deletedGames.hide(game)
  const events = await eraseHistory(deps, pages, begun, game, signal)
  if (events === null) return
  await pages.eraseSlots(game, begun)
  if (deps.logErasure === null) {
    await deps.streamErasure?.truncateStream(gameStream(game), await firstLeft(deps.whole.log, game))
  }
  await deps.forgetMails?.(game)
  await deps.rooms.forget(game)
  await deps.documentErasure?.purge()
  await deps.logErasure?.purge()
  await gameErased(deps.commands, game, events, ownContext(deps.now()))
  deps.progress({ game, events: 0, isDone: true })
}

/** Returns how many events were left, all removed now; null if the signal aborted first. */
async function eraseHistory(
  deps: DeleteGamesDeps,
  pages: PageErasure,
  begun: StoredEvent,
  game: string,
  signal: AbortSignal,
): Promise<number | null> {
  let events = 0
  let after: Position | null = null
  // Where the history is a view its documents go with each page, and the next one is at its beginning.
  for (;;) {
    const page: StoredEvent[] = await unopened(deps.whole.history)({ game }, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return events
    const left = page.filter((one) => !LEFT_OF_DELETED.has(one.type) && one.meta.command !== REMOVED)
    await pages.erasePage(left, begun)
    events += left.length
    deps.progress({ game, events: left.length, isDone: false })
    after = last.position
    if (signal.aborted) return null
  }
}

/** Revision of the game's GameDeleted. */
async function firstLeft(log: Log, game: string): Promise<number> {
  for await (const { type, revision } of eventsFrom(log, gameStream(game))) {
    if (type === 'GameDeleted') return revision
  }
  throw new Error(`game ${game} was deleted, and its stream does not say so`)
}

interface PageErasure {
  /** Removes the page's events last, so an interrupted page is read again. */
  erasePage(page: readonly StoredEvent[], begun: StoredEvent): Promise<void>
  /** The stream of slots is not in the game's history. It goes on a server once no document of it is left. */
  eraseSlots(game: string, begun: StoredEvent): Promise<void>
}

function createPageErasure(deps: DeleteGamesDeps): PageErasure {
  const { commands, now, whole, streamErasure } = deps

  async function erasePage(page: readonly StoredEvent[], begun: StoredEvent): Promise<void> {
    if (page.length === 0) return
    await eraseSecrets(page, begun)
    const blobs = page.flatMap(blobsOf)
    if (blobs.length > 0) await deps.files.remove(blobs)
    const streams = [...new Set(page.map(({ stream }) => stream))]
    await removeSnapshots(deps.views, streams)
    if (streamErasure !== null) {
      const own = gameStream(begun.meta.game ?? '')
      for (const stream of streams) if (stream !== own) await streamErasure.deleteStream(stream)
    }
    await deps.clearing.clear(page, begun)
    await emptyEvents(page)
  }

  /** They are listed first: a vault that is restored from an older copy holds them again. */
  async function eraseSecrets(page: readonly StoredEvent[], { meta }: StoredEvent): Promise<void> {
    const secrets = secretsOf(page)
    await listGameSecrets(commands, meta.game ?? '', secrets, ownContext(now()))
    await destroySecrets(commands.vault, secrets)
  }

  async function eraseSlots(game: string, begun: StoredEvent): Promise<void> {
    const stream = slotsStream(game)
    await removeSnapshots(deps.views, [stream])
    for (let from = 0; ; ) {
      const page = await whole.log.readStream(stream, from, PAGE)
      const last = page.at(-1)
      if (last === undefined) break
      const left = page.filter(({ meta }) => meta.command !== REMOVED)
      await eraseSecrets(left, begun)
      if (left.length > 0) await deps.clearing.clear(left, begun)
      await emptyEvents(left)
      from = last.revision + 1
    }
    await streamErasure?.deleteStream(stream)
  }

  async function emptyEvents(page: readonly StoredEvent[]): Promise<void> {
    if (page.length === 0) return
    await deps.logErasure?.rewriteEvents(page.map(({ position, meta }) => ({ position, data: {}, meta: blank(meta) })))
  }

  return { erasePage, eraseSlots }
}

/** What readers need to pass over the event. */
const blank = ({ v, game, time }: EventMeta): EventMeta => {
  return { v, game, command: REMOVED, actor: null, request: null, time }
}
