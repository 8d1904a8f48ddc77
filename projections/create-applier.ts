// Creates the applier of one view: it loads the documents that events need, runs the handlers in log order, and
// collects the writes. The live projector and rebuilds use the same code. An event that cannot be applied parks its
// stream; all other streams continue.

import type { Position, StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Checkpoint, Document, Find } from '../stores/contract/views.ts'
import { EventNotFound } from '../stores/support/positions.ts'
import type { Applier, ApplyDeps } from './applier.ts'
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
import { replay, streamIfNeeded } from './replay.ts'
import { isFindable, isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { type ViewChanges, viewChangesOf, write } from './write.ts'

/** Queried documents that are updated and written between two yields: about 2 ms with the embedded store. */
const QUERIED_AT_ONCE = 50

/** `budget`: memory for loaded documents, shared by appliers that run together. Beyond it they are read again. */
export function createApplier(
  projection: Projection,
  deps: ApplyDeps,
  budget: MemoryBudget = new MemoryBudget(DEFAULT_VIEWS_MEMORY.documents),
): Applier {
  return new ViewApplier(projection, deps, budget)
}

const NONE: readonly never[] = []

class ViewApplier implements Applier {
  readonly projection: Projection
  readonly #deps: ApplyDeps & { readonly folds: Folds }
  readonly #budget: MemoryBudget
  /** Null: all types. */
  readonly #types: ReadonlySet<string> | null
  #docs: WorkingSet
  /** At the start, because another process may have ended between writing documents and their checkpoint. */
  #mayRepeat = true
  /** Null until loaded from the store. */
  #parked: Map<string, Position> | null = null

  constructor(projection: Projection, deps: ApplyDeps, budget: MemoryBudget) {
    this.projection = projection
    this.#deps = { ...deps, folds: deps.folds ?? new Folds(deps) }
    this.#budget = budget
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
    return this.#budget.requiresFlush(this, this.#docs.bytes)
  }

  onCaughtUp(): void {
    this.#budget.onCaughtUp()
    if (this.changed() > 0 || !this.needsFlush()) return
    this.#docs = this.#fresh()
    // The others are judged by what this one holds now.
    this.needsFlush()
  }

  forget(): void {
    this.#docs = this.#fresh()
    this.#parked = null
    this.#mayRepeat = true
  }

  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges {
    const repeats = this.#mayRepeat || this.#docs.hasRepeated
    const changes = this.#docs.takeChanges()
    // Releases written documents only: the map of parked streams stays.
    if (this.needsFlush()) this.#docs = this.#fresh()
    this.#mayRepeat = repeats && checkpoints.size === 0
    return viewChangesOf(this.projection, changes, checkpoints, repeats)
  }

  async apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void> {
    this.#parked ??= await parkedStreams(this.#deps.views, this.#view)
    const parked = this.#parked
    const types = this.#types
    const taken = types === null ? events : events.filter((event) => types.has(event.type))
    this.#addCreated(taken)
    await prefetch(taken, this.#missing, this.#docs)
    for (const event of taken) {
      if (isParked(parked, event)) continue
      const isDone = this.#needsDocumentsOnly(event) && this.#applyOne(event, NONE, parked, false)
      if (!isDone) await this.#applyEvent(event, parked, signal)
    }
  }

  /** A document that another process has written meanwhile, late, is as new as its event: no write replaces it. */
  #addCreated(events: readonly StoredEvent[]): void {
    const { creates } = this.projection
    if (creates === undefined || this.#mayRepeat) return
    for (const event of events) {
      const [created] = attempt(() => [creates(event)])
      if (created != null && isNamable(created)) this.#docs.addAbsent(...created)
    }
  }

  /** Whether all that an event changes are the documents that it names in `needs`. */
  #needsDocumentsOnly(event: StoredEvent): boolean {
    const { replays } = this.projection
    const readsLog = replays?.triggers.has(event.type) || replays?.needsStreamFor.has(event.type)
    return !readsLog && this.#queriesOf(event).length === 0
  }

  #fresh(): WorkingSet {
    return new WorkingSet(this.#deps.views, this.#view, this.projection.ranked, this.projection.collections)
  }

  async #applyEvent(event: StoredEvent, parked: Map<string, Position>, signal?: AbortSignal): Promise<void> {
    const { replays } = this.projection
    const queries = this.#queriesOf(event)
    if (queries.length > 0) {
      // Write earlier events first: after a crash they must not be replayed onto documents that already have this event.
      await write(this.#deps, this.take(new Map()))
      // The late write of a process that was frozen may have applied the event to a document, so that no query finds it:
      // a copy from before it must not be written over it.
      this.#docs = this.#fresh()
    }
    if (replays?.triggers.has(event.type) && !(await this.#replay(replays, event, parked))) return
    const context = replays?.needsStreamFor.has(event.type) ? { deps: this.#deps, replays, docs: this.#docs } : null
    const stream = context === null ? NONE : await streamIfNeeded(context, event, null, this.#missing)
    // Earlier events of the batch may determine what this event needs. Running the handler and retrying is cheaper than
    // computing `needs` again for each event. If the handler fails, the event must change nothing, so it runs as a
    // trial before the queried documents are updated.
    const isTrial = queries.length > 0
    while (!this.#applyOne(event, stream, parked, isTrial)) await this.#docs.load(this.#missing(event, stream))
    if (!isTrial || isParked(parked, event)) return
    const failures = await this.#updateQueried(event, queries, signal)
    while (!this.#applyOne(event, stream, parked, false)) await this.#docs.load(this.#missing(event, stream))
    // Park only after all other documents are written: a parked event is not applied again.
    if (failures.length === 0) return
    this.#park(event, failures[0], parked)
    this.#docs.accept(event)
  }

  /** Returns false if the event was parked. */
  async #replay(replays: Replays, event: StoredEvent, parked: Map<string, Position>): Promise<boolean> {
    try {
      await replay({ deps: this.#deps, replays, docs: this.#docs, parked }, event)
      return true
    } catch (error) {
      if (!(error instanceof EventNotFound)) throw error
      this.#park(event, error, parked)
      this.#docs.accept(event)
      return false
    }
  }

  /**
   * Updates the queried documents page by page: writes and releases each page before it reads the next, and yields in
   * between. The last page is written together with the event's own documents. Returns the errors of documents that
   * could not be updated.
   */
  async #updateQueried(
    event: StoredEvent,
    queries: readonly DocumentQuery[],
    signal?: AbortSignal,
  ): Promise<unknown[]> {
    const { queriedAtOnce: limit = QUERIED_AT_ONCE, views } = this.#deps
    const failures: unknown[] = []
    for (const query of queries) {
      for (let from: Partial<Find> = {}; ; ) {
        const found: Document[] = await views.find({ ...query, ...from, view: this.#view, limit })
        for (const document of found) this.#updateOne(event, query, document, failures)
        const last = found.at(-1)
        if (last === undefined || found.length < limit) break
        from = { behind: indexCursorOf(this.projection, query, last) }
        await write(this.#deps, this.take(new Map()))
        this.#docs = this.#fresh()
        await yieldToEventLoop()
        signal?.throwIfAborted()
      }
    }
    return failures
  }

  /** Leaves the document unchanged if the handler throws, and adds the error to `failures`. */
  #updateOne(event: StoredEvent, { collection }: DocumentQuery, document: Document, failures: unknown[]): void {
    this.#docs.addFound(collection, document)
    try {
      this.projection.updateEach?.(event, this.#docs, document.id)
    } catch (error) {
      this.#docs.reject()
      failures.push(error)
    }
    this.#docs.accept(event)
  }

  /** Returns false if the handler failed because a document is not loaded yet. A trial discards its changes. */
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
    this.#docs.addAbsent(PARKED, stream)
    this.#docs.put(PARKED, stream, { position, revision, type, reason })
    this.#deps.parked(this.#view, event, error)
  }

  /** Returns no query for an event that the projection cannot read: its handler fails too, and the event is parked. */
  #queriesOf(event: StoredEvent): readonly DocumentQuery[] {
    const queries = attempt(() => this.projection.query?.(event) ?? NONE)
    return queries.length === 0 ? queries : queries.filter(({ equal }) => equal.every(isFindable))
  }

  /** The documents that the event needs and that are not loaded. */
  #missing = (event: StoredEvent, stream: readonly StoredEvent[] = NONE): readonly DocRef[] => {
    const docs = this.#docs
    const lacked = lacking(
      docs,
      attempt(() => this.projection.needs(event, docs.peek, stream)),
    )
    // An invalid id cannot be loaded: the handler fails on it.
    return lacked.length === 0 || lacked.every(isNamable) ? lacked : lacked.filter(isNamable)
  }
}
