// Each player's best submission inside a window of a unique board, from the board's history. Per player it keeps only
// the member and a history position: objects held by a long read make the garbage collector copy them while others
// wait.

import { bestOf } from '../../domain/entry.ts'
import { type Position, recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { memberOf, scoreOfMember } from '../../ranking/member.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { historyPages, upTo } from '../../stores/support/history-pages.ts'
import { risingPages } from './board.ts'
import type { Sent } from './entry.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

/** Events handled between two checks of the clock. */
const PAGE = 50

type Window = Pick<ScoresQuery, 'since' | 'until'>

/** Whether a submission passes the filters of a read; `by name`: only if the player's current name does. */
export type Passes = (player: string, sent: Sent) => boolean | 'by name'

/** A player with an entry on the board, and their best submission inside the window. */
export interface BestOne {
  readonly player: string
  /** The id of the player's entry. */
  readonly id: string
  /** The sort key of the entry that shows the submission; empty if there is no submission inside the window. */
  member: string
  passes: boolean | 'by name'
  /** Position of the event before the submission in the board's history; null if it is the first one. */
  previous: Position | null
}

/** The players with a submission inside the window, unordered. O(entries + history), in time slices. */
export async function bestPerPlayer(
  reader: Reader,
  window: Window,
  passes: Passes,
  slices: TimeSlices,
): Promise<readonly BestOne[]> {
  // Read first: a player's first submission after this position may be missed below, so no improvement after it may
  // count either.
  const reached = await reader.reached()
  const players = new Map<string, BestOne>()
  for await (const page of risingPages(reader, slices)) {
    for (const { player, id } of page) players.set(player, { player, id, member: '', passes: false, previous: null })
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
        if (type === 'ScoreDeleted' && (data.upTo !== null || reader.generation === 1)) known.member = ''
        if (type === 'ScoreSubmitted' && !deleted.has(data.id) && isInside(event, window)) {
          takeIfBetter(known, { ...data, ...recordedAt(event) }, previous)
        }
      }
      previous = event.position
    }
  }
  const found: BestOne[] = []
  let seen = 0
  for (const one of players.values()) {
    if (seen++ % PAGE === 0) await slices.yieldIfDue()
    if (one.member !== '') found.push(one)
  }
  return found

  /** Of two submissions with equal scores the first one counts. */
  function takeIfBetter(known: BestOne, sent: Sent, previous: Position | null): void {
    if (bestOf(reader.rules, [sent]) === null) return
    const member = memberOf(sent, known.id, reader.rules)
    if (known.member !== '' && scoreOfMember(member) >= scoreOfMember(known.member)) return
    known.member = member
    known.passes = passes(known.player, sent)
    known.previous = previous
  }
}

/** The submission; null if it is no longer recorded. */
export async function submissionOf({ deps, board }: Reader, { previous }: BestOne): Promise<Sent | null> {
  const [event] = await deps.history.part({ board }, previous, 1)
  if (event === undefined) return null
  const { type, data } = unsafeCast<ScoreEvent>(event)
  return type === 'ScoreSubmitted' ? { ...data, ...recordedAt(event) } : null
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

const isInside = ({ meta: { time } }: StoredEvent, { since, until }: Window): boolean =>
  (since === null || time >= since) && (until === null || time < until)

/** The history up to a position; null: all of it. */
function historyOf(
  { deps: { history }, board }: Reader,
  slices: TimeSlices,
  last: Position | null,
): AsyncIterable<readonly StoredEvent[]> {
  const read = { limit: PAGE, ...(last !== null && { isIn: upTo(last) }) }
  return historyPages(history.part, { board }, read, () => slices.yieldIfDue())
}
