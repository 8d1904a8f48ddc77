// Folds the history of a unique board in memory under the rules of a generation, so that the projection writes each
// entry once and not for every submission that improved it. Names and bans are not part of the fold: they are read when
// an entry is written.

import type { Rules } from '../domain/board-rules.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { playerOf } from '../domain/score.ts'
import { BoardFold } from '../ranking/board-fold/board-fold.ts'
import type { FoldedEvent, LastEvent } from '../ranking/board-fold/folded-event.ts'
import { streamsFrom } from '../ranking/board-fold/streams.ts'
import { yieldToRequests } from '../runtime/yield-to-event-loop.ts'
import type { BriefEvent, History } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import { historyPages } from '../stores/support/history-pages.ts'
import { FoldedHistory, type Page, pageOf } from './folded-history.ts'

/** `isTaken`: whether a past event counts, which is false if its stream was parked by then. */
interface ToFold {
  readonly board: string
  readonly rules: Rules
  /** Null: the end of the history when it is read. */
  readonly upTo: Position | null
  isTaken(past: Pick<StoredEvent, 'stream' | 'position'>): boolean
}

export interface FoldDeps {
  readonly log: Pick<Log, 'readStream'>
  readonly history: History
}

/**
 * Events per read: a few milliseconds, after which the event loop gets a turn. The ranges of a build end at page ends,
 * so this number must never change.
 */
const PAGE = 500
/** Pages of players' streams, and players, between two yields to the event loop. */
const SETTLED_PER_YIELD = 10
/** Pages between two progress reports: some tenths of a second. */
const REPORT_EVERY = 100

export interface FoldOptions {
  readonly signal?: AbortSignal
  /** Called periodically with the number of folded events, and awaited. */
  readonly onProgress?: (events: number) => Promise<void>
}

/** Returns null if the fold needs more than `maxBytes`. Rejects with the signal's reason. O(history). */
export async function foldHistory(
  { log, history }: FoldDeps,
  { board, rules, upTo, isTaken }: ToFold,
  maxBytes: number,
  { signal, onProgress }: FoldOptions = {},
): Promise<FoldedHistory | null> {
  const pages: Page[] = []
  const fold = new BoardFold(rules, { pageOf: (position) => pageOf(pages, position) })
  let broken: FoldedHistory['broken'] = null
  const failed = ({ type, revision, stream }: LastEvent, error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    broken ??= { past: `${type} ${revision} of ${stream}`, reason }
  }
  const isIn = ({ position }: FoldedEvent) => upTo === null || position <= upTo
  const part = history.brief ?? history.part
  for await (const page of historyPages<BriefEvent | StoredEvent>(
    part,
    { board },
    { isIn, limit: PAGE, isAhead: true },
    yieldToRequests,
  )) {
    for (const past of page) {
      if ((past.type !== 'ScoreSubmitted' && past.type !== 'ScoreDeleted') || !isTaken(past)) continue
      try {
        fold.take(past, playerOf(past.stream, board))
      } catch (error) {
        failed(past, error)
      }
    }
    const { stream, revision, position } = page.at(-1) as FoldedEvent
    pages.push({ end: { stream, revision }, endAt: position, events: page.length })
    if (fold.bytes > maxBytes) return null
    signal?.throwIfAborted()
    if (page.length === PAGE && pages.length % REPORT_EVERY === 0) await onProgress?.(pages.length * PAGE)
  }
  let steps = 0
  for await (const _ of fold.settle(streamsFrom(log), failed)) {
    if (++steps % SETTLED_PER_YIELD === 0) await yieldToRequests()
    signal?.throwIfAborted()
  }
  return FoldedHistory.of({ log, part: history.part, board, pages, fold, broken })
}
