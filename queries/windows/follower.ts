// Keeps a board's window index up to date with the entry documents: the events of the game tell whose entries may have
// changed, and the documents tell their content. It needs nothing from the process that writes them, so each node has
// its own.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { entryDocument } from '../../ranking/key.ts'
import type { IndexChange, WindowIndex } from '../../ranking/window-index.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Document } from '../../stores/contract/views.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { historyPages, unopened, upTo } from '../../stores/support/history-pages.ts'
import type { QueryDeps } from '../deps.ts'
import { viewReached } from '../reached.ts'
import { isShown } from '../scores/entry.ts'
import type { IndexedBoard, SubmissionWindow } from './indexed.ts'
import { shownInside, sortKeyOfShown, streamOf } from './shown-inside.ts'

export interface FollowDeps extends Pick<QueryDeps, 'history' | 'views' | 'rankings' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  /** The position up to which a game's history is complete. */
  reached(game: string): Promise<Position | null>
}

/** Events per read: about a millisecond with a store in this process. */
const EVENTS = 100
/** Number of checks whether history, checkpoint and documents agree, and the pause between them. */
const MAX_CHECKS = 20
const RECHECK_MS = 5

/** Less than any position. */
const BEFORE_ALL: Position = ''

const OF_PLAYERS: ReadonlySet<string> = new Set(['PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])
/** Events that change entries of the generation they name, not of particular players. */
const OF_GENERATIONS: ReadonlySet<string> = new Set(['LeaderboardSliceBuilt', 'LeaderboardRulesChanged'])

/** Players read in this attempt and earlier ones. */
interface Attempt {
  readonly reads: Map<string, PlayerRead>
  /** The position that the entries view had reached in this attempt. */
  readonly applied: Position
  readonly slices: TimeSlices
}

export class Follower {
  readonly #deps: FollowDeps
  readonly #of: IndexedBoard
  #at: Position | null
  readonly #changed = new Map<string, Changed>()
  #isInvalid = false
  /** Whether it has caught up since the index was built. Before that the index may be ahead of the documents. */
  #isWhole = false

  /** `at`: the index has every event up to this position. */
  constructor(deps: FollowDeps, of: IndexedBoard, at: Position | null) {
    this.#deps = deps
    this.#of = of
    this.#at = at
  }

  /** Whether its generation was rebuilt, so that the index is invalid. */
  get isInvalid(): boolean {
    return this.#isInvalid
  }

  /**
   * Brings the index to the state of the entry documents at one position, which is at least where they were when this
   * was called. Returns false if the history does not reach as far, or the documents of no position could be read. Call
   * it one at a time.
   */
  async catchUp(index: WindowIndex): Promise<boolean> {
    const { views, viewKey } = this.#deps
    const reads = new Map<string, PlayerRead>()
    const slices = new TimeSlices()
    for (let check = 0; check < MAX_CHECKS; check++) {
      const checkpoint = await viewReached(views, viewKey('entries'), this.#of.game)
      const reached = await this.#historyAt(checkpoint)
      if (reached === null) return checkpoint === null
      await this.#note(reached)
      const applied = checkpoint ?? BEFORE_ALL
      const found = await this.#readAll(index, { reads, applied, slices })
      if (found === 'agree') {
        await this.#apply(index, { reads, applied, slices })
        return true
      }
      if (found === 'ahead') await pauseBeforeRecheck()
    }
    return false
  }

  /**
   * Reads the documents that may have changed up to `applied`. `agree`: all are as they were at that position; `ahead`:
   * one is newer. A read of an earlier attempt stays valid unless a later event changes the same player. `missing`: a
   * missing document does not tell when it was removed, so one more attempt is needed: an event after `applied` would
   * be known by then.
   */
  async #readAll(index: WindowIndex, { reads, applied, slices }: Attempt): Promise<'agree' | 'ahead' | 'missing'> {
    let found: 'agree' | 'ahead' | 'missing' = 'agree'
    for (const [player, changed] of this.#changed) {
      // The index is up to date for players whose changes are all later.
      if (this.#isWhole && !changed.at.some((position) => position <= applied)) continue
      const before = reads.get(player)
      const isBetween = (position: Position) => before && position > before.applied && position <= applied
      if (before?.isAtApplied && !changed.at.some(isBetween)) continue
      await slices.yieldIfDue()
      const read = await readPlayer({ ...this.#deps, of: this.#of, index, applied, slices }, player, changed)
      reads.set(player, read)
      if (!read.isAtApplied) found = 'ahead'
      else if (read.hasMissing && found === 'agree') found = 'missing'
    }
    return found
  }

  /**
   * Applies the changes without yielding if that takes no more than a time slice; otherwise the index reports
   * `isMoving` meanwhile.
   */
  async #apply(index: WindowIndex, { reads, applied, slices }: Attempt): Promise<void> {
    const changes: IndexChange[] = []
    for (const read of reads.values()) {
      await slices.yieldIfDue()
      for (const change of read.changes) changes.push(change)
    }
    if (changes.length > 0) {
      await slices.yieldIfDue()
      await slices.all(index.setAll(changes))
    }
    this.#isWhole = true
    for (const [player, changed] of this.#changed) {
      // Later changes are read again.
      changed.at = changed.at.filter((position) => position > applied)
      if (changed.at.length === 0) this.#changed.delete(player)
    }
  }

  async #historyAt(applied: Position | null): Promise<Position | null> {
    for (let check = 0; check < MAX_CHECKS; check++) {
      const reached = await this.#deps.reached(this.#of.game)
      if (applied === null || (reached !== null && reached >= applied)) return reached
      await pauseBeforeRecheck()
    }
    return null
  }

  /** Reads events only up to `reached`: beyond it the history may have gaps. */
  async #note(reached: Position): Promise<void> {
    const range = { after: this.#at, isIn: upTo(reached), limit: EVENTS }
    for await (const page of historyPages(unopened(this.#deps.history), { game: this.#of.game }, range)) {
      for (const event of page) this.#noteOne(event)
      this.#at = page.at(-1)?.position ?? this.#at
    }
  }

  #noteOne({ type, data, meta, position }: StoredEvent): void {
    const { board, generation, unique } = this.#of
    const { player = '' } = meta
    if (OF_PLAYERS.has(type)) this.#changes(player, position).all = true
    if (meta.board !== board) return
    if (OF_GENERATIONS.has(type) && data.generation === generation) this.#isInvalid = true
    if (type !== 'ScoreSubmitted' && type !== 'ScoreDeleted') return
    const changed = this.#changes(player, position)
    changed.ids.add(String(data.id))
    // A deletion made under rules of the other kind removes another entry than the one it names, or several.
    if (type === 'ScoreDeleted' && unique !== (data.upTo !== null)) changed.all = true
  }

  #changes(player: string, at: Position): Changed {
    const changed = this.#changed.get(player) ?? { ids: new Set<string>(), all: false, at: [] }
    changed.at.push(at)
    this.#changed.set(player, changed)
    return changed
  }
}

const pauseBeforeRecheck = () => new Promise<void>((again) => setTimeout(again, RECHECK_MS))

// Reads a player's documents for a board's window index, and whether they are as they were at the position that the
// entries view had reached.

const DOCUMENTS = 100

/** The entries of a player that may have changed, and the positions of the events that changed them. */
interface Changed {
  readonly ids: Set<string>
  /** Whether all entries of the player on the board may have changed. */
  all: boolean
  /** Ascending. */
  at: Position[]
}

interface PlayerRead {
  /** Changes that the index does not have yet. */
  readonly changes: readonly IndexChange[]
  /** The position of the entries view when it was read. */
  readonly applied: Position
  /** False if a document has a later event, or may have. */
  readonly isAtApplied: boolean
  /** Whether a document is missing, which does not tell when it was removed. */
  readonly hasMissing: boolean
}

interface PlayerReadDeps extends Pick<QueryDeps, 'views' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  readonly of: IndexedBoard
  readonly index: Pick<WindowIndex, 'sortKeyOf'>
  readonly applied: Position
  readonly slices: TimeSlices
}

async function readPlayer(deps: PlayerReadDeps, player: string, changed: Changed): Promise<PlayerRead> {
  const { of, index, applied } = deps
  const { documents, sortKeys } = of.window
    ? await shownOfPlayer(deps, player, of.window)
    : await entriesOfPlayer(deps, player, changed)
  const changes = [...sortKeys].filter(([id, sortKey]) => index.sortKeyOf(id) !== sortKey)
  const hasMissing = documents.includes(null)
  const isEarly = documents.some((document) => document !== null && document.pos > applied)
  // A pending event may be the one that removed it.
  const isPending = (changed.at.at(-1) ?? applied) > applied
  const mayBeEarly = isPending && hasMissing && changes.some(([, sortKey]) => sortKey === null)
  return { changes, applied, isAtApplied: !isEarly && !mayBeEarly, hasMissing }
}

interface Found {
  readonly documents: readonly (Document | null)[]
  readonly sortKeys: ReadonlyMap<string, string | null>
}

/** Reads entries; one without a document does not exist. */
async function entriesOfPlayer(deps: PlayerReadDeps, player: string, { ids, all }: Changed): Promise<Found> {
  const { of, log, views, viewKey, slices } = deps
  if (all) {
    // An entry has the id of a submission that the player once made.
    for await (const { type, data } of eventsFrom(log, scoreStream(of.board, player), 0, EVENTS)) {
      if (type === 'ScoreSubmitted') ids.add(String(data.id))
    }
  }
  const wanted = (of.unique ? [''] : [...ids]).map((submission) => entryDocument({ ...of, player, submission }))
  const documents: (Document | null)[] = []
  const sortKeys = new Map([...ids].map((id): [string, string | null] => [id, null]))
  for (let from = 0; from < wanted.length; from += DOCUMENTS) {
    if (from > 0) await slices.yieldIfDue()
    const found = await views.get(viewKey('entries'), 'entries', wanted.slice(from, from + DOCUMENTS))
    for (const document of found) {
      documents.push(document)
      if (document === null) continue
      const { id, member: sortKey } = document.body as { id: string; member: string | null }
      sortKeys.set(id, isShown(document) ? sortKey : null)
    }
  }
  return { documents, sortKeys }
}

/** Reads what the player's submissions inside a window show, from their stream up to `applied`. */
async function shownOfPlayer(deps: PlayerReadDeps, player: string, window: SubmissionWindow): Promise<Found> {
  const { views, viewKey, log, of, applied } = deps
  const stream = (await streamOf(log, of.board, player)).filter(upTo(applied))
  const [document = null] = await views.get(viewKey('entries'), 'entries', [
    entryDocument({ ...of, player, submission: '' }),
  ])
  const shown = document !== null && isShown(document) ? shownInside(stream, window) : null
  const own = shown === null ? null : String(document?.body.id)
  const sortKeys = new Map<string, string | null>()
  for (const { type, data } of stream) {
    if (type === 'ScoreSubmitted') sortKeys.set(String(data.id), null)
  }
  if (shown !== null && own !== null) sortKeys.set(own, sortKeyOfShown(shown, own, window))
  return { documents: [document], sortKeys }
}
