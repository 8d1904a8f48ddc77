// Applies events to one view: loads what they need, runs the handlers in log order, and writes what changed. Live and
// rebuild both come through here. An event that cannot be applied parks its stream; all other streams go on.

import type { Position, StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Checkpoint, Document, Find, Views } from '../stores/contract/views.ts'
import { NoSuchPlace } from '../stores/support/event-position.ts'
import { Folds } from './folds.ts'
import { DEFAULT_VIEWS_MEMORY, MemoryBudget } from './memory-budget.ts'
import { attempt, lacking, prefetch } from './needed.ts'
import { isParked, parkedStreams } from './parked.ts'
import {
  type DocRef,
  type DocumentQuery,
  indexCursorOf,
  PARKED,
  type Projection,
  type Replays,
  viewKey,
} from './projection.ts'
import { type ReplayDeps, replay, streamIfNeeded } from './replay.ts'
import { isFindable, isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { type ViewChanges, viewChangesOf, write } from './write.ts'

/** DocumentQuery documents that are changed and written from one turn of the event loop to the next: 0.01 s, embedded. */
const FOUND_AT_ONCE = 250

export interface Applier {
  readonly projection: Projection
  /**
   * Applies events in order; those the view does not take are passed over. Rejects with the signal, in the middle of an event
   * too: that comes again then.
   */
  apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void>
  /** How much is changed and not yet written: documents, and members that go from rankings. */
  changed(): number
  /** Notes how much is held, for those that share its bound. Whether that is so much that it is to be written, and let go of. */
  needsFlush(): boolean
  /** What is to be written with these checkpoints: the rankings first, then the batch. */
  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges
  /** Forgets everything applied and not yet written: after a failed write, before the same events come again. */
  forget(): void
}

export interface ApplyDeps extends ReplayDeps {
  readonly views: Views
  readonly rankings: AllRankings
  /** In place of the usual number: documents found for one event that are written together. */
  readonly foundAtOnce?: number
  /** Told of every event that was parked. */
  parked(view: string, event: StoredEvent, why: unknown): void
}

/** `held`: how much of documents those that run together hold from one write to the next; past that they are read again. */
export function createApplier(
  projection: Projection,
  deps: ApplyDeps,
  held: MemoryBudget = new MemoryBudget(DEFAULT_VIEWS_MEMORY.documents),
): Applier {
  return new ViewApplier(projection, deps, held)
}

const NONE: readonly never[] = []

class ViewApplier implements Applier {
  readonly projection: Projection
  readonly #deps: ApplyDeps & { readonly folds: Folds }
  readonly #held: MemoryBudget
  /** Null: every type. */
  readonly #types: ReadonlySet<string> | null
  #docs: WorkingSet
  /** Whether what is yet to be written is a part of something large. */
  #isOfMany = false
  /** Null until it is read from the store. */
  #parked: Map<string, Position> | null = null

  constructor(projection: Projection, deps: ApplyDeps, held: MemoryBudget) {
    this.projection = projection
    this.#deps = { ...deps, folds: deps.folds ?? new Folds(deps) }
    this.#held = held
    this.#types = projection.takes === 'every event' ? null : new Set(projection.takes)
    this.#docs = this.#fresh()
  }

  get #view(): string {
    return viewKey(this.projection)
  }

  changed(): number {
    return this.#docs.changed
  }

  needsFlush(): boolean {
    return this.#held.requiresFlush(this, this.#docs.bytes)
  }

  forget(): void {
    this.#docs = this.#fresh()
    this.#parked = null
    this.#isOfMany = false
  }

  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges {
    const changes = this.#docs.takeChanges()
    // Only what was written is released: the streams that are parked stay so.
    if (this.needsFlush()) this.#docs = this.#fresh()
    const taken = viewChangesOf(this.projection, changes, checkpoints, this.#isOfMany)
    this.#isOfMany = false
    return taken
  }

  async apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void> {
    this.#parked ??= await parkedStreams(this.#deps.views, this.#view)
    const parked = this.#parked
    const types = this.#types
    const taken = types === null ? events : events.filter((event) => types.has(event.type))
    await prefetch(taken, this.#missing, this.#docs)
    for (const event of taken) if (!isParked(parked, event)) await this.#applyEvent(event, parked, signal)
  }

  #fresh(): WorkingSet {
    return new WorkingSet(this.#deps.views, this.#view, this.projection.ranked, this.projection.collections)
  }

  async #applyEvent(event: StoredEvent, parked: Map<string, Position>, signal?: AbortSignal): Promise<void> {
    const { replays } = this.projection
    const finds = this.#findsOf(event)
    // No earlier event may come again to documents that are already as after this one.
    if (finds.length > 0) await write(this.#deps, this.take(new Map()))
    if (replays?.triggers.has(event.type) && !(await this.#replay(replays, event, parked))) return
    const recalling = replays?.needsStreamFor.has(event.type) ? { deps: this.#deps, replays, docs: this.#docs } : null
    const stream = recalling === null ? NONE : await streamIfNeeded(recalling, event, null, this.#missing)
    // What an event needs may come to light by the ones before it. Trying is cheaper than asking each one again.
    // An event that cannot make its own documents changes nothing at all, though those come after what it finds.
    const isTrial = finds.length > 0
    while (!this.#applyOne(event, stream, parked, isTrial)) await this.#docs.load(this.#missing(event, stream))
    if (!isTrial || isParked(parked, event)) return
    const failures = await this.#applyToFound(event, finds, signal)
    while (!this.#applyOne(event, stream, parked, false)) await this.#docs.load(this.#missing(event, stream))
    // Not before all others are written: an event that is parked does not come again.
    if (failures.length === 0) return
    this.#park(event, failures[0], parked)
    this.#docs.accept(event)
  }

  /** False where the event was parked. */
  async #replay(replays: Replays, event: StoredEvent, parked: Map<string, Position>): Promise<boolean> {
    this.#isOfMany = true
    try {
      await replay({ deps: this.#deps, replays, docs: this.#docs, parked }, event)
      return true
    } catch (error) {
      if (!(error instanceof NoSuchPlace)) throw error
      this.#park(event, error, parked)
      this.#docs.accept(event)
      return false
    }
  }

  /**
   * Page by page: each is written and released before the next one is read, and others run in between. The last one is left to be
   * written with the event's own documents and what comes after it. Gives why documents could not be changed.
   */
  async #applyToFound(event: StoredEvent, finds: readonly DocumentQuery[], signal?: AbortSignal): Promise<unknown[]> {
    const { foundAtOnce: limit = FOUND_AT_ONCE, views } = this.#deps
    const failures: unknown[] = []
    for (const find of finds) {
      for (let from: Partial<Find> = {}; ; ) {
        const found: Document[] = await views.find({ ...find, ...from, view: this.#view, limit })
        for (const document of found) this.#changeFound(event, find, document, failures)
        const last = found.at(-1)
        if (last === undefined || found.length < limit) break
        from = { behind: indexCursorOf(this.projection, find, last) }
        this.#isOfMany = true
        await write(this.#deps, this.take(new Map()))
        this.#docs = this.#fresh()
        await yieldToEventLoop()
        signal?.throwIfAborted()
      }
    }
    return failures
  }

  /** Where it cannot be changed it stays as it is, and `failures` gets why. */
  #changeFound(event: StoredEvent, { collection }: DocumentQuery, document: Document, failures: unknown[]): void {
    this.#docs.holdFound(collection, document)
    try {
      this.projection.updateEach?.(event, this.#docs, document.id)
    } catch (error) {
      this.#docs.reject()
      failures.push(error)
    }
    this.#docs.accept(event)
  }

  /** False where the handler ended early for lack of a document that is yet to be loaded. A trial changes nothing. */
  #applyOne(
    event: StoredEvent,
    stream: readonly StoredEvent[],
    parked: Map<string, Position>,
    isTrial: boolean,
  ): boolean {
    try {
      this.projection.handle(event, this.#docs, stream)
      if (isTrial) this.#docs.reject()
    } catch (error) {
      this.#docs.reject()
      if (this.#missing(event, stream).length > 0) return false
      this.#park(event, error, parked)
    }
    this.#docs.accept(event)
    return true
  }

  #park(event: StoredEvent, error: unknown, parked: Map<string, Position>): void {
    const { stream, position, revision, type } = event
    const reason = error instanceof Error ? error.message : String(error)
    parked.set(stream, position)
    this.#docs.holdAbsent(PARKED, stream)
    this.#docs.put(PARKED, stream, { position, revision, type, reason })
    this.#deps.parked(this.#view, event, error)
  }

  /** Nothing for an event that its projection cannot read: its handler fails on it too, and the event is parked. */
  #findsOf(event: StoredEvent): readonly DocumentQuery[] {
    const finds = attempt(() => this.projection.query?.(event) ?? NONE)
    return finds.length === 0 ? finds : finds.filter(({ equal }) => equal.every(isFindable))
  }

  /** What the event is known to need and is not loaded. */
  #missing = (event: StoredEvent, stream: readonly StoredEvent[] = NONE): readonly DocRef[] => {
    const docs = this.#docs
    const lacked = lacking(
      docs,
      attempt(() => this.projection.needs(event, docs.peek, stream)),
    )
    // What can be no id cannot be asked for: the handler fails on it.
    return lacked.length === 0 || lacked.every(isNamable) ? lacked : lacked.filter(isNamable)
  }
}
