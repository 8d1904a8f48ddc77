// Applies events to one view: loads what they need, runs the handlers in log order, and writes what changed. Live and
// rebuild both come through here. An event that cannot be applied parks its stream; all other streams go on.

import type { StoredEvent } from '../domain/event.ts'
import type { RankingChange, Rankings } from '../stores/contract/rankings.ts'
import type { Batch, Checkpoint, Views } from '../stores/contract/views.ts'
import { PARKED, type Projection, viewKey } from './projection.ts'
import { asWrite, type Change, WorkingSet } from './working-set.ts'

/** A find may give this many documents; one more and the event is parked rather than half applied. */
const FOUND_MAX = 100_000

export interface Applier {
  readonly projection: Projection
  readonly takes: ReadonlySet<string>
  /** Applies events in order; those the view does not take are passed over. */
  apply(events: readonly StoredEvent[]): Promise<void>
  /** Documents changed and not yet written. */
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

/** Documents held from one write to the next; past that they are read again. */
const HELD_MAX = 400_000

export function createApplier(projection: Projection, deps: ApplyDeps): Applier {
  const view = viewKey(projection)
  const takes = new Set(projection.takes)
  let docs = new WorkingSet(deps.views, view)

  return { projection, takes, apply, changed: () => docs.changed, take, forget }

  function forget(): void {
    docs = new WorkingSet(deps.views, view)
  }

  async function apply(events: readonly StoredEvent[]): Promise<void> {
    const taken = events.filter((event) => takes.has(event.type))
    await prefetch(taken)
    for (const event of taken) {
      if (!loaded(event)) await loadFor(event)
      const found = projection.finds === undefined ? NONE : await find(event)
      if (docs.get(PARKED, event.stream) === null) applyOne(event, found)
    }
  }

  function applyOne(event: StoredEvent, found: readonly string[]): void {
    try {
      projection.handle(event, docs, found)
    } catch (why) {
      docs.reject()
      const reason = why instanceof Error ? why.message : String(why)
      docs.put(PARKED, event.stream, { position: event.position, revision: event.revision, type: event.type, reason })
      deps.parked(view, event, why)
    }
    docs.accept(event.position)
  }

  /** Loads for many events at once, as far as what they need is known before the ones in front are applied. */
  async function prefetch(events: readonly StoredEvent[]): Promise<void> {
    for (;;) {
      const before = docs.held
      await docs.load(
        events.flatMap((event) => [[PARKED, event.stream] as const, ...projection.needs(event, docs.peek)]),
      )
      if (docs.held === before) return
    }
  }

  function loaded(event: StoredEvent): boolean {
    return projection.needs(event, docs.peek).every((ref) => docs.has(ref))
  }

  async function loadFor(event: StoredEvent): Promise<void> {
    while (!loaded(event)) await docs.load(projection.needs(event, docs.peek))
  }

  async function find(event: StoredEvent): Promise<readonly string[]> {
    const finds = projection.finds?.(event) ?? []
    if (finds.length === 0) return NONE
    await write(deps, take(new Map()))
    const found: string[] = []
    for (const one of finds) {
      const documents = await deps.views.find({ ...one, view, limit: FOUND_MAX })
      if (documents.length === FOUND_MAX) throw new Error(`${view}: one event touches more than ${FOUND_MAX} documents`)
      const ids = documents.map((document) => document.id)
      await docs.load(ids.map((id) => [one.collection, id] as const))
      found.push(...ids)
    }
    return found
  }

  function take(checkpoints: ReadonlyMap<number, Checkpoint>): Taken {
    const changes = docs.taken()
    if (docs.held > HELD_MAX) forget()
    return { batch: { view, writes: changes.map(asWrite), checkpoints }, rankings: rankingChanges(projection, changes) }
  }
}

const NONE: readonly string[] = []

/** Writes what appliers gave: rankings before documents, documents before (or with) checkpoints. */
export async function write(deps: Pick<ApplyDeps, 'views' | 'rankings'>, ...taken: readonly Taken[]): Promise<void> {
  const rankings = taken.flatMap((one) => one.rankings)
  if (rankings.length > 0) await deps.rankings.put(rankings)
  await deps.views.commit(taken.map((one) => one.batch))
}

function rankingChanges({ ranked }: Projection, changes: readonly Change[]): RankingChange[] {
  if (ranked === undefined) return []
  const result: RankingChange[] = []
  for (const { collection, id, pos, before, after } of changes) {
    if (collection !== ranked.collection) continue
    const was = (before?.[ranked.member] ?? null) as string | null
    const is = (after?.[ranked.member] ?? null) as string | null
    const key = (after ?? before)?.[ranked.key] as string
    if (was !== is) result.push({ key, id, before: was, after: is, pos })
  }
  return result
}
