// What a unique board's history comes to for each of its players, under rules that are asked for: which submission their entry
// began with and which is its best. Folded once, and small, so that each entry is written once and not at every submission that
// bettered it. Names and bans are no part of it: they are as they stand when an entry is written.

import { type Position, type StoredEvent, shaped } from '../domain/event.ts'
import type { EventPlace } from '../domain/event-place.ts'
import type { Rules } from '../domain/leaderboard.ts'
import { beats, bestOf, placedOf, playerOf, type ScoreSubmittedData, submissionsLeft, within } from '../domain/score.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { History } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import { historyPages } from '../stores/support/history-pages.ts'
import { mayBeSealed, openedData, type PastEvent, readPast, timeOf } from './past-events.ts'
import { begunOf, type Standing, Standings } from './standing.ts'

interface Broken {
  /** The past event. */
  readonly past: string
  readonly why: string
}

export interface Folded {
  /** How many events that were. */
  readonly events: number
  /** Where it ends; null where there was none. */
  readonly end: { readonly place: EventPlace; readonly position: Position } | null
  /** Why a past event cannot be applied under these rules; null where all can. */
  readonly broken: Broken | null
  /** Those whose submission lies after one position and up to another. */
  standings(after: Position | null, upTo: Position): Standing[]
  /** The next part after a position, with about so many standings in it, and how many events it has; null after the last. */
  next(after: Position | null, standings: number): { readonly upTo: EventPlace; readonly events: number } | null
}

/** `isTaken`: whether a past event counts, or its stream was parked by then. */
interface ToFold {
  readonly board: string
  readonly rules: Rules
  /** Null: the end of the history, as it is when that is reached. */
  readonly upTo: Position | null
  isTaken(past: Pick<StoredEvent, 'stream' | 'position'>): boolean
}

export interface FoldDeps {
  readonly log: Pick<Log, 'readStream'>
  readonly history: History
}

/** Events read at once, and parts end where pages do: a few milliseconds, after which others have their turn. */
const PAGE = 500
const SORTED_AT_ONCE = 2_000
/** Each is read from its stream and opened by itself. */
const OPENED_AT_ONCE = 100
/** In pages: some tenths of a second. */
const TOLD_EVERY = 100
/** A part has no more events than this, however few entries that makes. */
const PART_MOST = 50_000

interface Page {
  readonly end: EventPlace
  readonly endAt: Position
  readonly events: number
  readonly standings: Standing[]
}

export interface FoldOptions {
  readonly signal?: AbortSignal
  /** Told now and then how many events are folded, and waited for. */
  readonly told?: (events: number) => Promise<void>
}

/** Null where it takes more memory than `mostBytes`. Rejects with the signal. */
export async function foldHistory(
  deps: FoldDeps,
  asked: ToFold,
  mostBytes: number,
  { signal, told }: FoldOptions = {},
): Promise<Folded | null> {
  const all = new Standings()
  const pages: Page[] = []
  let broken: Broken | null = null
  const isIn = ({ position }: PastEvent) => asked.upTo === null || position <= asked.upTo
  const read = { isIn, limit: PAGE, isAhead: true }
  for await (const page of historyPages(readPast(deps.history), { board: asked.board }, read)) {
    for (const past of page) {
      if ((past.type !== 'ScoreSubmitted' && past.type !== 'ScoreDeleted') || !asked.isTaken(past)) continue
      try {
        if (past.type === 'ScoreSubmitted') submitted(all, asked, past, pages.length)
        else await deleted(all, asked, past, pages, deps)
      } catch (why) {
        const { type, revision, stream } = past
        const message = why instanceof Error ? why.message : String(why)
        broken ??= { past: `${type} ${revision} of ${stream}`, why: message }
      }
    }
    const { stream, revision, position } = page.at(-1) as PastEvent
    pages.push({ end: { stream, revision }, endAt: position, events: page.length, standings: [] })
    if (all.bytes > mostBytes) return null
    signal?.throwIfAborted()
    if (page.length === PAGE && pages.length % TOLD_EVERY === 0) await told?.(pages.length * PAGE)
  }
  await sortInto(pages, all, asked.board, deps.log, signal)
  return partsOf(pages, broken)
}

function submitted(all: Standings, { rules, board }: ToFold, past: PastEvent, page: number): void {
  const player = playerOf(past.stream, board)
  const own = shaped<ScoreSubmittedData>(past.data)
  const present = all.get(player)
  const counts = within(rules, own.score)
  if (!counts && present !== undefined) return
  if (present !== undefined && !present.isOutside && !beats(rules, own, present.data)) return
  const { position: at, revision } = past
  const begun = present === undefined ? null : begunOf(present)
  const isSealed = mayBeSealed(past)
  const kept = { player, at, time: timeOf(past), revision, data: own, begun, isOutside: !counts, page, isSealed }
  all.set(kept, present)
}

/** What a deletion takes was said by other rules, maybe: then the player's stream tells what is left. */
async function deleted(
  all: Standings,
  { rules, board }: ToFold,
  { data, stream, revision }: PastEvent,
  pages: readonly Page[],
  { log }: FoldDeps,
): Promise<void> {
  const player = playerOf(stream, board)
  const present = all.get(player)
  if (present === undefined) return
  if (data.upTo !== null) return all.delete(present)
  if (present.data.id !== data.id && begunOf(present).id !== data.id) return
  const left = submissionsLeft(await log.readStream(stream, 0, revision + 1))
  const [first] = left
  if (first === undefined) return all.delete(present)
  const best = bestOf(rules, left.map(placedOf))?.event
  const shown = best ?? first
  const begun = { id: String(first.data.id), added: first.meta.time }
  const kept = {
    player,
    at: shown.position,
    time: shown.meta.time,
    revision: shown.revision,
    data: shaped<ScoreSubmittedData>(shown.data),
    begun,
    isOutside: best === undefined,
    page: pageOf(pages, shown.position),
    isSealed: false,
  }
  all.set(kept, present)
}

/** The first that ends there or later; the one being read where none does. */
function pageOf(pages: readonly Page[], position: Position): number {
  let [low, high] = [0, pages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pages[middle]?.endAt ?? '') < position) low = middle + 1
    else high = middle
  }
  return low
}

async function sortInto(
  pages: readonly Page[],
  all: Standings,
  board: string,
  log: FoldDeps['log'],
  signal: AbortSignal | undefined,
): Promise<void> {
  let [sorted, read] = [0, 0]
  for (const { page, isSealed, ...standing } of all.values()) {
    // Of all that were submitted only these are opened.
    const opened = isSealed ? await openedData(log, board, standing) : null
    pages[page]?.standings.push(opened === null ? standing : { ...standing, data: opened })
    if (isSealed) read++
    const isDue = ++sorted % SORTED_AT_ONCE === 0 || (isSealed && read % OPENED_AT_ONCE === 0)
    if (!isDue) continue
    await yieldToEventLoop()
    signal?.throwIfAborted()
  }
}

function partsOf(pages: readonly Page[], broken: Broken | null): Folded {
  const last = pages.at(-1)
  const after = (position: Position | null) =>
    position === null ? 0 : pageOf(pages, position) + (pages[pageOf(pages, position)]?.endAt === position ? 1 : 0)
  return {
    events: pages.reduce((sum, { events }) => sum + events, 0),
    end: last === undefined ? null : { place: last.end, position: last.endAt },
    broken,
    standings(from, upTo) {
      const found: Standing[] = []
      for (let at = after(from); at < pages.length && at <= pageOf(pages, upTo); at++) {
        for (const one of pages[at]?.standings ?? []) {
          if ((from === null || one.at > from) && one.at <= upTo) found.push(one)
        }
      }
      return found
    },
    next(from, most) {
      let [standings, events] = [0, 0]
      let end: EventPlace | null = null
      for (let at = after(from); at < pages.length; at++) {
        const page = pages[at] as Page
        if (end !== null && (standings + page.standings.length > most || events + page.events > PART_MOST)) break
        standings += page.standings.length
        events += page.events
        end = page.end
      }
      return end === null ? null : { upTo: end, events }
    },
  }
}
