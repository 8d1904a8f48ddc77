// Applies events to one view: loads what they need, runs the handlers in log order, and writes what changed. Live and
// rebuild both come through here. An event that cannot be applied parks its stream; all other streams go on.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { RankingChange, Rankings } from '../stores/contract/rankings.ts'
import type { Batch, Checkpoint, Document, Find, Views } from '../stores/contract/views.ts'
import { type DocRef, PARKED, type Projection, viewKey } from './projection.ts'
import { asWrite, type Change, WorkingSet } from './working-set.ts'

const FOUND_PAGE = 5_000

export interface Applier {
  readonly projection: Projection
  /** Applies events in order; those the view does not take are passed over. */
  apply(events: readonly StoredEvent[]): Promise<void>
  /** How much is changed and not yet written: documents, and members that go from rankings. */
  changed(): number
  /** What is to be written with these checkpoints: the rankings first, then the batch. */
  take(checkpoints: ReadonlyMap<number, Checkpoint>): Taken
  /** Forgets everything applied and not yet written: after a failed write, before the same events come again. */
  forget(): void
}

/** What one view has to write. */
export interface Taken {
  readonly batch: Batch
  readonly rankings: readonly RankingChange[]
}

export interface ApplyDeps {
  readonly views: Views
  readonly rankings: Rankings
  /** Told of every event that was parked. */
  parked(view: string, event: StoredEvent, why: unknown): void
}

const HELD_MAX = 400_000
const PARKED_PAGE = 1_000

/** `heldMax`: how many documents are held from one write to the next; past that they are read again. */
export function createApplier(projection: Projection, deps: ApplyDeps, heldMax: number = HELD_MAX): Applier {
  const view = viewKey(projection)
  const { takes, unread = NONE } = projection
  const types = takes === 'every event' ? null : new Set(takes)
  let docs = new WorkingSet(deps.views, view, projection.ranked)
  /** Streams that are passed over, each from this position on; null until read from the store. */
  let parked: Map<string, Position> | null = null

  return { projection, apply, changed: () => docs.changed, take, forget }

  function forget(): void {
    docs = new WorkingSet(deps.views, view, projection.ranked)
    parked = null
  }

  async function parkedSoFar(): Promise<Map<string, Position>> {
    parked ??= await parkedStreams(deps.views, view)
    return parked
  }

  async function apply(events: readonly StoredEvent[]): Promise<void> {
    const parked = await parkedSoFar()
    const taken = types === null ? events : events.filter((event) => types.has(event.type))
    await prefetch(taken)
    for (const event of taken) {
      // What stands before the event that parked its stream may yet be unwritten: a crash can come between documents.
      if (parked.size > 0 && event.position >= (parked.get(event.stream) ?? END)) continue
      const finds = findsOf(event)
      const found = finds.length === 0 ? NONE : await find(finds)
      // What an event needs may come to light by the ones before it. Trying is cheaper than asking each one again.
      while (!applyOne(event, found, parked)) await docs.load(missing(event))
    }
  }

  /** False where the handler did not come to its end for lack of a document that is yet to be loaded. */
  function applyOne(event: StoredEvent, found: readonly string[], passedOver: Map<string, Position>): boolean {
    try {
      projection.handle(event, docs, found)
    } catch (why) {
      docs.reject()
      if (missing(event).length > 0) return false
      park(event, why, passedOver)
    }
    docs.accept(event.position)
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
  function findsOf(event: StoredEvent): readonly Omit<Find, 'view'>[] {
    return attempt(() => projection.finds?.(event) ?? NONE)
  }

  /** Loads for many events at once, as far as what they need is known before the ones in front are applied. */
  async function prefetch(events: readonly StoredEvent[]): Promise<void> {
    for (let asking = events; asking.length > 0; ) {
      const refs: DocRef[] = []
      const incomplete: StoredEvent[] = []
      for (const event of asking) {
        const needed = missing(event)
        if (needed.length === 0) continue
        incomplete.push(event)
        refs.push(...needed)
      }
      await docs.load(refs)
      asking = incomplete
    }
  }

  /** What the event is known to need and is not held. */
  function missing(event: StoredEvent): readonly DocRef[] {
    let refs: DocRef[] | null = null
    for (const ref of attempt(() => projection.needs(event, docs.peek))) {
      if (docs.has(ref)) continue
      // As it is in the store, a write there that is not newer is passed over.
      if (unread.includes(ref[0])) {
        docs.holdAbsent(...ref)
        continue
      }
      refs ??= []
      refs.push(ref)
    }
    return refs ?? NONE
  }

  async function find(finds: readonly Omit<Find, 'view'>[]): Promise<readonly string[]> {
    await write(deps, take(new Map()))
    const found: string[] = []
    for (const one of finds) {
      for (let skip = 0, page = FOUND_PAGE; page === FOUND_PAGE; skip += page) {
        const documents = await deps.views.find({ ...one, view, skip, limit: FOUND_PAGE })
        for (const { id } of documents) found.push(id)
        page = documents.length
      }
      await docs.load(found.map((id) => [one.collection, id] as const))
    }
    return found
  }

  function take(checkpoints: ReadonlyMap<number, Checkpoint>): Taken {
    const changes = docs.taken()
    for (const collection of unread) docs.release(collection)
    // Only what was written is let go of: the streams that are parked stay so.
    if (docs.held > heldMax) docs = new WorkingSet(deps.views, view, projection.ranked)
    return { batch: { view, writes: changes.map(asWrite), checkpoints }, rankings: rankingChanges(projection, changes) }
  }
}

const NONE: readonly never[] = []

/** What a projection says of an event, or nothing where saying it fails. */
function attempt<Item>(say: () => readonly Item[]): readonly Item[] {
  try {
    return say()
  } catch {
    return NONE
  }
}

/** After every position. */
const END: Position = '\uffff'

async function parkedStreams(views: Views, view: string): Promise<Map<string, Position>> {
  const streams = new Map<string, Position>()
  for (let after: string | null = null; ; ) {
    const documents: Document[] = await views.scan(view, PARKED, after, PARKED_PAGE)
    for (const { id, body } of documents) streams.set(id, String(body.position))
    if (documents.length < PARKED_PAGE) return streams
    after = documents.at(-1)?.id ?? null
  }
}

/**
 * Writes what appliers gave: rankings before documents, documents before (or with) checkpoints. Where it breaks off the same
 * events come again; the rankings pass over what they have taken.
 */
export async function write(deps: Pick<ApplyDeps, 'views' | 'rankings'>, ...taken: readonly Taken[]): Promise<void> {
  const rankings = taken.flatMap((one) => one.rankings)
  if (rankings.length > 0) await deps.rankings.put(rankings)
  await deps.views.commit(taken.map((one) => one.batch))
}

function rankingChanges({ ranked }: Projection, changes: readonly Change[]): RankingChange[] {
  if (ranked === undefined) return []
  const result: RankingChange[] = []
  for (const { collection, pos, before, left, after } of changes) {
    if (collection !== ranked.collection) continue
    const is = (after?.[ranked.member] ?? null) as string | null
    if (left !== null) result.push({ key: left.key, before: left.members, after: is, pos })
    else if (is !== null && is !== before?.[ranked.member]) {
      result.push({ key: after?.[ranked.key] as string, before: NONE, after: is, pos })
    }
  }
  return result
}
