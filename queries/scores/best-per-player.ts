// Each player's best submission made inside a window of a unique board, from the board's recorded history. Of a submission no
// more is held than its member and where it is recorded: what a long read holds, the collector copies while others wait.

import { bestOf } from '../../domain/entry.ts'
import { momentOf, type Position, type StoredEvent, shaped } from '../../domain/event.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { memberOf, scoreOfMember } from '../../ranking/member.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import { historyPages, upTo } from '../../stores/support/history-pages.ts'
import { risingPages } from './board.ts'
import type { Sent } from './entry.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

/** Events read before the clock is read. */
const PAGE = 50

type Window = Pick<ScoresQuery, 'since' | 'until'>

/** Whether a submission passes the filters of a read; `by name`: as far as its player's present name does. */
export type Passes = (player: string, sent: Sent) => boolean | 'by name'

/** A player who has an entry on the board, with the best submission inside the window. */
export interface BestOne {
  readonly player: string
  /** The id of the player's entry. */
  readonly id: string
  /** The entry as the submission makes it; empty where there is no submission inside the window. */
  member: string
  passes: boolean | 'by name'
  /** The event before the submission in the board's history; null: it is the first one. */
  behind: Position | null
}

/** In no order, each with a submission. O(entries + history), in slices. */
export async function bestPerPlayer(
  reader: Reader,
  window: Window,
  passes: Passes,
  slices: TimeSlices,
): Promise<readonly BestOne[]> {
  // Read first: a first submission after it may be missed below, so no improvement after it counts either.
  const reached = await reader.reached()
  const players = new Map<string, BestOne>()
  for await (const page of risingPages(reader, slices)) {
    for (const { player, id } of page) players.set(player, { player, id, member: '', passes: false, behind: null })
  }
  const { deleted, last } = reader.generation > 1 ? await deletedOnes(reader, slices, reached) : NO_DELETIONS
  let behind: Position | null = null
  // What was deleted one by one is known up to the last event: no later one is read.
  for await (const page of historyOf(reader, slices, last ?? reached)) {
    for (const event of page) {
      const known = players.get(event.meta.player ?? '')
      if (known !== undefined) {
        const { type, data } = shaped<ScoreEvent>(event)
        // Such a deletion takes all that its player submitted before it.
        if (type === 'ScoreDeleted' && (data.upTo !== null || reader.generation === 1)) known.member = ''
        if (type === 'ScoreSubmitted' && !deleted.has(data.id) && isInside(event, window)) {
          takeIfBetter(known, { ...data, ...momentOf(event) }, behind)
        }
      }
      behind = event.position
    }
  }
  const found: BestOne[] = []
  let seen = 0
  for (const one of players.values()) {
    if (seen++ % PAGE === 0) await slices.yieldIfDue()
    if (one.member !== '') found.push(one)
  }
  return found

  /** Of two with equal scores the first one counts. */
  function takeIfBetter(known: BestOne, sent: Sent, behind: Position | null): void {
    if (bestOf(reader.rules, [sent]) === null) return
    const member = memberOf(sent, known.id, reader.rules)
    if (known.member !== '' && scoreOfMember(member) >= scoreOfMember(known.member)) return
    known.member = member
    known.passes = passes(known.player, sent)
    known.behind = behind
  }
}

/** The submission itself; null where it is no longer recorded there. */
export async function submissionOf({ deps, board }: Reader, { behind }: BestOne): Promise<Sent | null> {
  const [event] = await deps.history.part({ board }, behind, 1)
  if (event === undefined) return null
  const { type, data } = shaped<ScoreEvent>(event)
  return type === 'ScoreSubmitted' ? { ...data, ...momentOf(event) } : null
}

interface Deletions {
  readonly deleted: ReadonlySet<string>
  /** Up to which event; null: there is no need to know. */
  readonly last: Position | null
}

const NO_DELETIONS: Deletions = { deleted: new Set(), last: null }

/** Where rules have ever changed, one submission of several may have been deleted, without those before it. */
async function deletedOnes(reader: Reader, slices: TimeSlices, reached: Position | null): Promise<Deletions> {
  const deleted = new Set<string>()
  let last: Position | null = null
  for await (const page of historyOf(reader, slices, reached)) {
    for (const event of page) {
      const { type, data } = shaped<ScoreEvent>(event)
      if (type === 'ScoreDeleted' && data.upTo === null) deleted.add(data.id)
    }
    last = page.at(-1)?.position ?? last
  }
  return { deleted, last }
}

const isInside = ({ meta: { time } }: StoredEvent, { since, until }: Window): boolean =>
  (since === null || time >= since) && (until === null || time < until)

/** Up to an event; null: all of it. */
function historyOf(
  { deps: { history }, board }: Reader,
  slices: TimeSlices,
  last: Position | null,
): AsyncIterable<readonly StoredEvent[]> {
  const read = { limit: PAGE, ...(last !== null && { isIn: upTo(last) }) }
  return historyPages(history.part, { board }, read, () => slices.yieldIfDue())
}
