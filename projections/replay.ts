// Replays past events for an event that triggers it: a range of a board's history, page by page. Also reads the stream
// of one event as it was at that event. Both come from the log, so the result does not depend on when they are read.

import type { EventReference, StoredEvent } from '../domain/event.ts'
import { streamsFrom } from '../ranking/board-fold/streams.ts'
import { yieldToEventLoop, yieldToRequests } from '../runtime/yield-to-event-loop.ts'
import type { History } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import { historyPages } from '../stores/support/history-pages.ts'
import { positionOf } from '../stores/support/positions.ts'
import type { Folds } from './folds.ts'
import { attempt, lacking, prefetch } from './needed.ts'
import { isParked, type Parked } from './parked.ts'
import type { DocRef, Folding, HistoryRange, Replays } from './projection.ts'
import type { WorkingSet } from './working-set.ts'

/** Events per read: a few milliseconds, after which the event loop gets a turn. */
const PAGE = 200

/** Entries or events handled between two yields to the event loop: about 1 ms. */
const BATCH_SIZE = 50

export interface ReplayDeps {
  readonly log: Pick<Log, 'readStream'>
  /** Contains at least everything before the event that triggers the replay. */
  readonly history: History
  /** If the history is a view that another applier maintains: resolves once it contains everything up to this event. */
  readonly historyUpTo?: (event: StoredEvent) => Promise<void>
  /** Folds shared with the reaction that drives rule changes; if left out, the applier makes its own. */
  readonly folds?: Folds
}

const NONE: readonly never[] = []

/** The context of a replay. */
export interface ReplayContext {
  readonly deps: ReplayDeps & { readonly folds: Folds }
  readonly replays: Replays
  readonly docs: WorkingSet
  readonly parked: Parked
}

/**
 * Replays the range that `event` names. Throws EventNotFound if the log lacks an event that the range refers to.
 */
export async function replay(context: ReplayContext, event: StoredEvent): Promise<void> {
  const { deps, replays } = context
  const range = replays.range(event)
  if (range === null) return
  await deps.historyUpTo?.(event)
  const { folding } = replays
  const foldEnd = folding?.foldEnd(event) ?? null
  if (folding !== undefined && foldEnd !== null && range.upTo !== null) {
    await replayFolded(context, { folding, after: range.after, upTo: range.upTo, foldEnd }, event)
  } else await replayEvents(context, range, event)
}

async function replayEvents(context: ReplayContext, range: HistoryRange, event: StoredEvent): Promise<void> {
  const { deps, replays, docs, parked } = context
  const missing = (past: StoredEvent, stream: readonly StoredEvent[] = NONE) =>
    lacking(
      docs,
      attempt(() => replays.needs(past, event, docs.peek, stream)),
    )
  for await (const page of pagesOf(deps, range, event)) {
    const taken = page.filter((past) => replays.takes.has(past.type) && !isParked(parked, past))
    await prefetch(taken, missing, docs)
    for (const [i, past] of taken.entries()) {
      if (i > 0 && i % BATCH_SIZE === 0) await yieldToEventLoop()
      const stream = await streamIfNeeded(context, past, event, missing)
      while (!handled(past, stream)) await docs.load(missing(past, stream))
    }
  }

  function handled(past: StoredEvent, stream: readonly StoredEvent[]): boolean {
    try {
      replays.handle(past, event, docs, stream)
    } catch (error) {
      docs.reject()
      if (missing(past, stream).length > 0) return false
      replays.failed(`${past.type} ${past.revision} of ${past.stream}`, event, docs, messageOf(error))
    }
    docs.accept(event)
    return true
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface FoldedRange {
  readonly folding: Folding
  readonly after: EventReference | null
  readonly upTo: EventReference
  readonly foldEnd: EventReference
}

/** Handles each entry of a range once. The result is the same whether the fold was made before or is made now. */
async function replayFolded(
  { deps, replays, docs, parked }: ReplayContext,
  { folding, after, upTo, foldEnd }: FoldedRange,
  event: StoredEvent,
): Promise<void> {
  await docs.load(folding.needs(event))
  const generation = folding.generation(event, docs)
  if (generation === null) return
  const [from, to, end] = await Promise.all([
    after === null ? null : positionOf(deps.log, after),
    positionOf(deps.log, upTo),
    positionOf(deps.log, foldEnd),
  ])
  const folded = await deps.folds.get(generation, end, parked, to === end)
  if (folded.broken !== null) {
    replays.failed(folded.broken.past, event, docs, folded.broken.reason)
    docs.accept(event)
  }
  const entryStates = await folded.entryStates(from, to)
  for (let at = 0; at < entryStates.length; at += BATCH_SIZE) {
    if (at > 0) await yieldToRequests()
    const some = entryStates.slice(at, at + BATCH_SIZE)
    await docs.load(some.flatMap((one) => folding.reads(one)))
    for (const state of some) {
      docs.addAbsent(...folding.creates(state, generation))
      try {
        folding.handle(state, generation, docs)
      } catch (error) {
        docs.reject()
        const { player, revision } = state
        replays.failed(`submission ${revision} of ${player}`, event, docs, messageOf(error))
      }
      docs.accept(event)
    }
  }
}

/** The stream of an event up to and including it if its handler needs that; else empty. */
export async function streamIfNeeded(
  { deps, replays, docs }: Pick<ReplayContext, 'deps' | 'replays' | 'docs'>,
  past: StoredEvent,
  event: StoredEvent | null,
  missing: (past: StoredEvent) => readonly DocRef[],
): Promise<readonly StoredEvent[]> {
  if (!replays.needsStreamFor.has(past.type)) return NONE
  for (let refs = missing(past); refs.length > 0; refs = missing(past)) await docs.load(refs)
  const isNeeded = attempt(() => (replays.needsStream(past, event, docs.peek) ? [true] : NONE)).length > 0
  return isNeeded ? streamUpTo(deps.log, past) : NONE
}

async function streamUpTo(log: Pick<Log, 'readStream'>, event: StoredEvent): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = []
  for await (const page of streamsFrom(log)(event)) {
    if (all.length > 0) await yieldToEventLoop()
    all.push(...page)
  }
  return all
}

async function* pagesOf(deps: ReplayDeps, { board, after, upTo }: HistoryRange, event: StoredEvent) {
  const last = upTo === null ? null : await positionOf(deps.log, upTo)
  const isIn = ({ position }: StoredEvent) => position < event.position && (last === null || position <= last)
  const from = after === null ? null : await positionOf(deps.log, after)
  yield* historyPages(deps.history.part, { board }, { after: from, isIn, limit: PAGE })
}
