// Applies events to one view: loads what they need, runs the handlers in log order, and writes what changed. Live and
// rebuild both come through here. An event that cannot be applied parks its stream; all other streams go on.

import type { Position, StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Checkpoint, Document, Find, Views } from '../stores/contract/views.ts'
import { NoSuchPlace } from '../stores/support/event-position.ts'
import { Folds } from './folds.ts'
import { HeldBytes, VIEWS_MEMORY } from './held-bytes.ts'
import { attempt, lacking, prefetch } from './needed.ts'
import { type DocRef, type Found, PARKED, type Projection, placeOf, viewKey } from './projection.ts'
import { type ReplayDeps, recalled, replay } from './replay.ts'
import { isFindable, isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { type Taken, takenOf, write } from './write.ts'

/** Found documents that are changed and written from one turn of the event loop to the next: 0.01 s, embedded. */
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
  weigh(): boolean
  /** What is to be written with these checkpoints: the rankings first, then the batch. */
  take(checkpoints: ReadonlyMap<number, Checkpoint>): Taken
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

const PARKED_PAGE = 1_000

/** `held`: how much of documents those that run together hold from one write to the next; past that they are read again. */
export function createApplier(
  projection: Projection,
  deps: ApplyDeps,
  held: HeldBytes = new HeldBytes(VIEWS_MEMORY.documents),
): Applier {
  const view = viewKey(projection)
  const { takes, replays, ranked, collections } = projection
  const types = takes === 'every event' ? null : new Set(takes)
  const fresh = () => new WorkingSet(deps.views, view, ranked, collections)
  let docs = fresh()
  const folds = deps.folds ?? new Folds(deps)
  /** Whether what is yet to be written is a part of something large. */
  let isOfMany = false
  /** Streams that are passed over, each from this position on; null until read from the store. */
  let parked: Map<string, Position> | null = null

  const applier = { projection, apply, changed: () => docs.changed, weigh, take, forget }
  return applier

  function weigh(): boolean {
    return held.isTooMuch(applier, docs.bytes)
  }

  function forget(): void {
    docs = fresh()
    parked = null
    isOfMany = false
  }

  async function parkedSoFar(): Promise<Map<string, Position>> {
    parked ??= await parkedStreams(deps.views, view)
    return parked
  }

  async function apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void> {
    const parked = await parkedSoFar()
    const taken = types === null ? events : events.filter((event) => types.has(event.type))
    await prefetch(taken, missing, docs)
    for (const event of taken) {
      // What stands before the event that parked its stream may yet be unwritten: a crash can come between documents.
      const isParked = ({ stream, position }: StoredEvent) => parked.size > 0 && position >= (parked.get(stream) ?? END)
      if (isParked(event)) continue
      const finds = findsOf(event)
      // No earlier event may come again to documents that are already as after this one.
      if (finds.length > 0) await write(deps, take(new Map()))
      if (replays?.asks.has(event.type)) {
        isOfMany = true
        const failure = await replay({ ...deps, folds }, replays, event, docs, isParked, parked).catch(ifNoSuchPlace)
        if (failure instanceof NoSuchPlace) {
          park(event, failure, parked)
          docs.accept(event)
          continue
        }
      }
      const isRecalled = replays?.recalled.has(event.type) === true
      const stream = isRecalled ? await recalled(deps, replays, event, null, missing, docs) : NONE
      // What an event needs may come to light by the ones before it. Trying is cheaper than asking each one again.
      // Nothing at all becomes of an event that cannot make its own documents, though those come after what it finds.
      const isTrial = finds.length > 0
      while (!applyOne(event, stream, parked, isTrial)) await docs.load(missing(event, stream))
      if (isTrial && !isParked(event)) await applyToFound(event, finds, stream, parked, signal)
    }
  }

  /**
   * Page by page: each is written and let go of before the next one is read, and others have their turn. The last one is
   * left to be written with the event's own documents and what comes after it.
   */
  async function applyToFound(
    event: StoredEvent,
    finds: readonly Found[],
    stream: readonly StoredEvent[],
    passedOver: Map<string, Position>,
    signal?: AbortSignal,
  ) {
    const { foundAtOnce: limit = FOUND_AT_ONCE } = deps
    const failures: unknown[] = []
    for (const find of finds) {
      for (let from: Partial<Find> = {}; ; ) {
        const found: Document[] = await deps.views.find({ ...find, ...from, view, limit })
        for (const document of found) changeFound(event, find, document, failures)
        const last = found.at(-1)
        if (last === undefined || found.length < limit) break
        from = { behind: placeOf(projection, find, last) }
        isOfMany = true
        await write(deps, take(new Map()))
        docs = fresh()
        await yieldToEventLoop()
        signal?.throwIfAborted()
      }
    }
    while (!applyOne(event, stream, passedOver, false)) await docs.load(missing(event, stream))
    // Not before all others are written: an event that is parked does not come again.
    if (failures.length === 0) return
    park(event, failures[0], passedOver)
    docs.accept(event)
  }

  /** Where it cannot be changed it stays as it is, and `failures` gets why. */
  function changeFound(event: StoredEvent, { collection }: Found, document: Document, failures: unknown[]): void {
    docs.holdFound(collection, document)
    try {
      projection.handleFound?.(event, docs, document.id)
    } catch (why) {
      docs.reject()
      failures.push(why)
    }
    docs.accept(event)
  }

  /** False where the handler did not come to its end for lack of a document that is yet to be loaded. A trial changes nothing. */
  function applyOne(
    event: StoredEvent,
    stream: readonly StoredEvent[],
    passedOver: Map<string, Position>,
    isTrial: boolean,
  ): boolean {
    try {
      projection.handle(event, docs, stream)
      if (isTrial) docs.reject()
    } catch (why) {
      docs.reject()
      if (missing(event, stream).length > 0) return false
      park(event, why, passedOver)
    }
    docs.accept(event)
    return true
  }

  function park(event: StoredEvent, why: unknown, passedOver: Map<string, Position>): void {
    const { stream, position, revision, type } = event
    const reason = why instanceof Error ? why.message : String(why)
    passedOver.set(stream, position)
    docs.holdAbsent(PARKED, stream)
    docs.put(PARKED, stream, { position, revision, type, reason })
    deps.parked(view, event, why)
  }

  /** What cannot be said of an event is as nothing here: its handler will fail on it, and the event be parked. */
  function findsOf(event: StoredEvent): readonly Found[] {
    const finds = attempt(() => projection.finds?.(event) ?? NONE)
    return finds.length === 0 ? finds : finds.filter(({ equal }) => equal.every(isFindable))
  }

  /** What the event is known to need and is not held. */
  function missing(event: StoredEvent, stream: readonly StoredEvent[] = NONE): readonly DocRef[] {
    const lacked = lacking(
      docs,
      attempt(() => projection.needs(event, docs.peek, stream)),
    )
    // What can be no id cannot be asked for: the handler fails on it.
    return lacked.length === 0 || lacked.every(isNamable) ? lacked : lacked.filter(isNamable)
  }

  function take(checkpoints: ReadonlyMap<number, Checkpoint>): Taken {
    const changes = docs.taken()
    // Only what was written is let go of: the streams that are parked stay so.
    if (weigh()) docs = fresh()
    const taken = takenOf(projection, changes, checkpoints, isOfMany)
    isOfMany = false
    return taken
  }
}

const NONE: readonly never[] = []

function ifNoSuchPlace(why: unknown): NoSuchPlace {
  if (why instanceof NoSuchPlace) return why
  throw why
}

/** After every position. */
const END: Position = '\uffff'

export async function parkedStreams(views: Pick<Views, 'scan'>, view: string): Promise<Map<string, Position>> {
  const streams = new Map<string, Position>()
  for (let after: string | null = null; ; ) {
    const documents: Document[] = await views.scan(view, PARKED, after, PARKED_PAGE)
    for (const { id, body } of documents) streams.set(id, String(body.position))
    if (documents.length < PARKED_PAGE) return streams
    after = documents.at(-1)?.id ?? null
  }
}
