// `window=best` on a unique board, with filters: what each player's submissions inside the window show, in rank order.
// No step handles more than some hundred entries, and only returned entries are held completely.

import { isCounted, shownAfter } from '../../domain/entry.ts'
import { type Position, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import type { ScoreContent, ScoreEvent } from '../../domain/score.ts'
import { sorted } from '../../ranking/sort.ts'
import { scoresOfSortKey, sortKeyOf } from '../../ranking/sort-key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { historyPages, upTo } from '../../stores/support/history-pages.ts'
import { toCaseless } from '../caseless.ts'
import { isTimeInside } from '../windows/shown-inside.ts'
import { risingPages } from './board.ts'
import { type Entry, inWindow, type Ranked, type Sent, sentIn } from './entry.ts'
import { type Matches, pageAround, pageOfSortKeys } from './filtered-page.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { isNameInside, isScoreInside } from './score-bounds.ts'

/** Names per read, and submissions handled between two checks of the clock. */
const PAGE = 50

/** O(entries + history + n log n), in time slices. */
export async function shownPage(reader: Reader, query: ScoresQuery, slices: TimeSlices): Promise<ScoresPage> {
  const all = await shownPerPlayer(reader, query, passesOf(query), slices)
  const inOrder = await rankOrder(all, slices)
  const found = await matchingOf(reader, inOrder, query, slices)
  if (query.around === null) return pageOfSortKeys(reader, found, query, slices)
  const own = await ownOf(reader, inOrder, query.around, slices)
  return pageAround(reader, found, { own, limit: query.limit })
}

/** A submission is shown with the name submitted with it, else the player's current one. */
function passesOf(query: ScoresQuery): Passes {
  const wanted = query.playerName === null ? null : toCaseless(query.playerName)
  return (player, shown) => {
    if ((query.player !== null && player !== query.player) || !isScoreInside(shown, query)) return false
    if (wanted === null) return true
    return shown.playerName === null ? 'by name' : isNameInside(shown.playerName, wanted, toCaseless)
  }
}

/** Sorts by rank, best first. */
async function rankOrder(all: readonly PlayerInside[], slices: TimeSlices): Promise<readonly PlayerInside[]> {
  const slots = new Uint32Array(all.length)
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot
  const isBefore = (a: number, b: number) => (all[a] as PlayerInside).sortKey < (all[b] as PlayerInside).sortKey
  // All keys are equal: every comparison is by sort key.
  const keys = new Float64Array(all.length)
  const order = await slices.result(sorted(slots, keys, (a, b) => (isBefore(a, b) ? -1 : 1)))
  const inOrder: PlayerInside[] = []
  for (const slot of order) {
    if (inOrder.length % PAGE === 0) await slices.yieldIfDue()
    inOrder.push(all[slot] as PlayerInside)
  }
  return inOrder
}

async function matchingOf(
  reader: Reader,
  inOrder: readonly PlayerInside[],
  { playerName }: ScoresQuery,
  slices: TimeSlices,
): Promise<Matches> {
  const wanted = playerName === null ? null : toCaseless(playerName)
  const sortKeys: string[] = []
  const matching = new Uint32Array(inOrder.length)
  let count = 0
  for (let from = 0; from < inOrder.length; from += PAGE) {
    if (from > 0) await slices.yieldIfDue()
    const page = inOrder.slice(from, from + PAGE)
    const unnamed = page.filter(({ passes }) => passes === 'by name').map(({ player }) => player)
    const names = unnamed.length === 0 ? [] : await reader.names(unnamed)
    let next = 0
    for (const { sortKey, passes } of page) {
      const isMatch =
        passes === 'by name' ? wanted !== null && isNameInside(names[next++] ?? null, wanted, toCaseless) : passes
      if (isMatch) matching[count++] = sortKeys.length
      sortKeys.push(sortKey)
    }
  }
  const entriesOf = (some: readonly string[]) =>
    entriesFrom(
      reader,
      some.map((sortKey) => at(inOrder, sortKey)),
      slices,
    )
  return { sortKeys, matching: matching.slice(0, count), known: new Map(), entriesOf }
}

/** Binary search. O(log n). */
function at(inOrder: readonly PlayerInside[], sortKey: string): PlayerInside | undefined {
  let [low, high] = [0, inOrder.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((inOrder[middle] as PlayerInside).sortKey < sortKey) low = middle + 1
    else high = middle
  }
  return inOrder[low]
}

/** Entries that show the submissions, without those deleted meanwhile. */
async function entriesFrom(
  reader: Reader,
  some: readonly (PlayerInside | undefined)[],
  slices: TimeSlices,
): Promise<Entry[]> {
  const found: Entry[] = []
  for (const one of some) {
    const [entry, sent] = one === undefined ? [] : [await reader.bestOf(one.player), await submissionOf(reader, one)]
    if (one === undefined || entry === null || entry === undefined || sent === null || sent === undefined) continue
    const [name = null] = sent.playerName === null ? await reader.names([one.player]) : []
    const made = inWindow(entry, scoresOfSortKey(one.sortKey, reader.rules), sent, name, reader.rules)
    // The player may have another entry by now.
    if (made.member === one.sortKey) found.push(made)
    await slices.yieldIfDue()
  }
  return found
}

/** With `around`: the player's entry, whether or not it matches. */
async function ownOf(
  reader: Reader,
  inOrder: readonly PlayerInside[],
  player: string,
  slices: TimeSlices,
): Promise<Ranked | null> {
  for (const [index, one] of inOrder.entries()) {
    if (index % PAGE === 0) await slices.yieldIfDue()
    if (one.player !== player) continue
    const [entry] = await entriesFrom(reader, [one], slices)
    return entry === undefined ? null : { entry, rank: index + 1 }
  }
  return null
}

// What each player's submissions inside a window of a unique board show, from the board's history. Per player it keeps
// only the sort key and a history position: objects held by a long read make the garbage collector copy them while
// others wait.

type Window = Pick<ScoresQuery, 'since' | 'until'>

/** Whether a submission passes the filters of a read; `by name`: only if the player's current name does. */
type Passes = (player: string, shown: Pick<ScoreContent, 'score' | 'playerName'>) => boolean | 'by name'

/** A player with an entry on the board, and what it would show of their submissions inside the window. */
interface PlayerInside {
  readonly player: string
  /** The id of the player's entry. */
  readonly id: string
  /** The sort key of that; empty if no submission inside the window counts. */
  sortKey: string
  passes: boolean | 'by name'
  /**
   * Position of the event before the submission whose details it shows, in the board's history; null: there is none.
   */
  previous: Position | null
}

/** The players with a submission inside the window, unordered. O(entries + history), in time slices. */
async function shownPerPlayer(
  reader: Reader,
  window: Window,
  passes: Passes,
  slices: TimeSlices,
): Promise<readonly PlayerInside[]> {
  // Read first: a player's first submission after this position may be missed below, so no submission after it may
  // count either.
  const reached = await reader.reached()
  const players = new Map<string, PlayerInside>()
  for await (const page of risingPages(reader, slices)) {
    for (const { player, id } of page) players.set(player, { player, id, sortKey: '', passes: false, previous: null })
  }
  const { deleted, last } = reader.generation > 1 ? await deletedOnes(reader, slices, reached) : NO_DELETIONS
  let previous: Position | null = null
  // Single deletions are known up to the last event of the first pass: read no further.
  for await (const page of historyOf(reader, slices, last ?? reached)) {
    for (const event of page) {
      const known = players.get(event.meta.player ?? '')
      if (known !== undefined) {
        const { type, data } = unsafeCast<ScoreEvent>(event)
        // Such a deletion removes everything that its player submitted before it.
        if (type === 'ScoreDeleted' && (data.upTo !== null || reader.generation === 1)) known.sortKey = ''
        if (type === 'ScoreSubmitted' && !deleted.has(data.id) && isTimeInside(window, event.meta.time)) {
          take(known, sentIn(event), previous)
        }
      }
      previous = event.position
    }
  }
  const found: PlayerInside[] = []
  let seen = 0
  for (const one of players.values()) {
    if (seen++ % PAGE === 0) await slices.yieldIfDue()
    if (one.sortKey !== '') found.push(one)
  }
  return found

  function take(known: PlayerInside, sent: Sent, previous: Position | null): void {
    const { rules } = reader
    if (!isCounted(rules, sent)) return
    const shown = known.sortKey === '' ? null : scoresOfSortKey(known.sortKey, rules)
    const values = shownAfter(rules, shown, sent)
    if (values === null) return
    const { score, secondary } = values
    const { position, time, playerName } = sent
    known.sortKey = sortKeyOf({ score, secondary, position, time }, known.id, rules)
    known.passes = passes(known.player, { score, playerName })
    known.previous = previous
  }
}

/** The submission; null if it is no longer recorded. */
async function submissionOf({ deps, board }: Reader, { previous }: PlayerInside): Promise<Sent | null> {
  const [event] = await deps.history.part({ board }, previous, 1)
  if (event === undefined) return null
  return event.type === 'ScoreSubmitted' ? sentIn(event) : null
}

interface Deletions {
  readonly deleted: ReadonlySet<string>
  /** Position up to which they are known; null: not needed. */
  readonly last: Position | null
}

const NO_DELETIONS: Deletions = { deleted: new Set(), last: null }

/** If the board's rules have ever changed, a deletion may have removed a single submission and not those before it. */
async function deletedOnes(reader: Reader, slices: TimeSlices, reached: Position | null): Promise<Deletions> {
  const deleted = new Set<string>()
  let last: Position | null = null
  for await (const page of historyOf(reader, slices, reached)) {
    for (const event of page) {
      const { type, data } = unsafeCast<ScoreEvent>(event)
      if (type === 'ScoreDeleted' && data.upTo === null) deleted.add(data.id)
    }
    last = page.at(-1)?.position ?? last
  }
  return { deleted, last }
}

/** The history up to a position; null: all of it. */
function historyOf(
  { deps: { history }, board }: Reader,
  slices: TimeSlices,
  last: Position | null,
): AsyncIterable<readonly StoredEvent[]> {
  const read = { limit: PAGE, ...(last !== null && { isIn: upTo(last) }) }
  return historyPages(history.part, { board }, read, () => slices.yieldIfDue())
}
