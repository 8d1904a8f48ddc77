// The deleted games that this process knows of: their keys are refused, and once the erasure of their events has
// begun, every reader of the log skips what is left of them.

import {
  DELETED_GAMES_STREAM,
  type DeletedGamesEvent,
  type DeletedGamesState,
  deletedGames,
} from '../../../domain/deleted-games.ts'
import { type NewEvent, type Position, recordedAt, type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import { LEFT_OF_DELETED } from '../../../domain/game.ts'
import { gameOf } from '../../../domain/slots.ts'
import type { BriefEvent, History, HistoryFilter, HistoryPart } from '../../contract/history.ts'
import { type Append, type AppendResult, type Expected, type Log, OfDeletedGame } from '../../contract/log.ts'
import { appendAll, appendWithout } from '../../support/append-all.ts'
import { eventsFrom, hasErasureBegun } from '../../support/events-from.ts'

/** `erased`: the log said so when this process started. */
type State = 'deleted' | 'hidden' | 'erased'

export class DeletedGames {
  readonly #games = new Map<string, State>()

  /** Whether the game is deleted, so that its calls are rejected. */
  readonly has = (game: string | null): boolean => game !== null && this.#games.has(game)

  add(game: string): void {
    if (!this.#games.has(game)) this.#games.set(game, 'deleted')
  }

  /** From now on readers skip the game's events. */
  hide(game: string): void {
    if (this.#games.get(game) !== 'erased') this.#games.set(game, 'hidden')
  }

  /** Whether readers skip an event. */
  hides({ type, stream, meta }: Pick<StoredEvent, 'type' | 'stream' | 'meta'>): boolean {
    if (this.#games.size === 0) return false
    const game = gameOf(stream, meta.game)
    return game !== null && this.isHidden(game) && !LEFT_OF_DELETED.has(type)
  }

  /** Whether readers skip all events of a game. */
  isHidden(game: string): boolean {
    const state = this.#games.get(game)
    return state === 'hidden' || state === 'erased'
  }

  /** The games whose events readers skip, and whether the log said that they are erased when this process started. */
  hidden(): { readonly game: string; readonly isErased: boolean }[] {
    const all = [...this.#games].map(([game, state]) => ({ game, isErased: state === 'erased' }))
    return all.filter(({ game }) => this.isHidden(game))
  }

  get size(): number {
    return this.#games.size
  }

  /** Reads the deleted games from their stream, and the game's own stream of each that is not erased yet. */
  async read(log: Pick<Log, 'readStream'>): Promise<void> {
    let state: DeletedGamesState = deletedGames.initial
    for await (const event of eventsFrom(log, DELETED_GAMES_STREAM)) {
      state = deletedGames.evolve(state, unsafeCast<DeletedGamesEvent>(event), recordedAt(event))
    }
    for (const [game, isErased] of Object.entries(state)) {
      this.add(game)
      if (isErased) this.#games.set(game, 'erased')
      else if (await hasErasureBegun(log, game)) this.hide(game)
    }
  }
}

/**
 * The log without the remains of deleted games. A server keeps the events of deleted streams until it is scavenged, and
 * an embedded log keeps a row for each; hiding them makes views built before and after equal.
 *
 * `eventAt` does not hide events, because views identify the last applied event by position and id. An event that
 * begins an erasure hides its game when it is read. Appends of events of a game whose erasure has begun reject with
 * OfDeletedGame.
 */
export function hideInLog(inner: Log, deleted: DeletedGames): Log {
  const shown = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
    for (const { type, meta } of events) if (type === 'GameErasureBegun' && meta.game !== null) deleted.hide(meta.game)
    return deleted.size === 0 || !events.some((event) => deleted.hides(event))
      ? events
      : events.filter((event) => !deleted.hides(event))
  }

  async function readAll(after: Position | null, limit: number): Promise<StoredEvent[]> {
    for (let from = after; ; ) {
      const read = await inner.readAll(from, limit)
      const events = shown(read)
      const last = read.at(-1)
      // An empty page would mean the end of the log.
      if (events.length > 0 || last === undefined) return events as StoredEvent[]
      from = last.position
    }
  }

  async function readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = []
    for (let next = from; ; ) {
      const read = await inner.readStream(stream, next, limit)
      events.push(...shown(read))
      const last = read.at(-1)
      if (last === undefined || read.length < limit || events.length >= limit) return events.slice(0, limit)
      next = last.revision + 1
    }
  }

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    for await (const read of inner.subscribe(after, limit, signal)) {
      const events = shown(read)
      if (events.length > 0) yield events
    }
  }

  function refused({ stream, events }: Pick<Append, 'stream' | 'events'>): OfDeletedGame | null {
    const late = events.find(({ type, meta }) => deleted.hides({ type, stream, meta }))
    return late === undefined
      ? null
      : new OfDeletedGame(`Event ${late.id} (${late.type}) is of a game that was deleted`)
  }

  async function append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult> {
    const refusal = refused({ stream, events })
    if (refusal !== null) throw refusal
    return inner.append(stream, expected, events)
  }

  const allAppended = (appends: readonly Append[]) =>
    appendWithout<Append>(
      appends.map((one) => refused(one) ?? one),
      (shown) => appendAll(inner, shown),
    )

  return { ...inner, append, appendAll: allAppended, readAll, readStream, subscribe }
}

/** A deleted game has no history. Calls about its leaderboards are rejected earlier. */
export function hideInHistory(inner: History, deleted: DeletedGames): History {
  const isHidden = (filter: HistoryFilter) => 'game' in filter && deleted.isHidden(filter.game)
  const part: HistoryPart<StoredEvent> = async (filter, after, limit) =>
    isHidden(filter) ? [] : inner.part(filter, after, limit)
  const { unopened, brief } = inner
  const briefOf: HistoryPart<BriefEvent> | undefined =
    brief && (async (filter, after, limit) => (isHidden(filter) ? [] : brief(filter, after, limit)))
  return {
    part,
    skip: (...args) => inner.skip(...args),
    lastBy: async (game, ...args) => (deleted.isHidden(game) ? null : inner.lastBy(game, ...args)),
    nth: async (filter, after, count) => (isHidden(filter) ? null : inner.nth(filter, after, count)),
    ...(unopened && { unopened: async (...args) => (isHidden(args[0]) ? [] : unopened(...args)) }),
    ...(briefOf && { brief: briefOf }),
  }
}
