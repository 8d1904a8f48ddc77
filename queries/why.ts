// Why a score stands as it does: the events that made it so, from the streams of its board, its player, and that player on
// that board. What changed nothing of it under the rules in force is left out. Streams are read page by page and folded as commands do;
// only the reported events and the ids of single deletions are kept.

import type { Rules } from '../domain/board-rules.ts'
import { orderUnder } from '../domain/entry.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { momentOf, shaped } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { playerStream } from '../domain/player.ts'
import { type Placed, place, type ScoreEvent, scoreStream } from '../domain/score.ts'
import { type Standing, standing } from '../domain/standing.ts'
import { SubmissionsLeft } from '../domain/submissions-left.ts'
import type { TimeSlices } from '../scheduling/time-slices.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { eventAnswer } from './events.ts'
import type { Board } from './leaderboard.ts'
import type { Entry } from './scores/entry.ts'

/** Events told at most: the newest. */
const TOLD_MAX = 1_000
/** Events read at once: less than a millisecond where the log is in this process. */
const PAGE = 100

/** What an event did to the score; `removed`: it ended the one before it, so that this one could begin. */
export type Effect = 'rules' | 'removed' | 'began' | 'improved' | 'hidden' | 'shown'

interface Told {
  readonly effect: Effect
  readonly event: StoredEvent
}

interface Found {
  readonly entry: Pick<Entry, 'id' | 'player' | 'member'>
  readonly board: Pick<Board, 'id' | 'generation'> & { readonly state: { readonly rules: Rules } }
}

/** Reads a stream from a revision on, with turns of the event loop in between. */
type Source = (stream: string, revision?: number) => AsyncIterable<StoredEvent>

const slicedBy = (log: Pick<Log, 'readStream'>, slices: TimeSlices): Source =>
  async function* (stream, revision = 0) {
    for await (const event of eventsFrom(log, stream, revision, PAGE)) {
      yield event
      await slices.yieldIfDue()
    }
  }

/** In log order. O(events of the three streams). */
export async function whyAnswer(stored: Pick<Log, 'readStream'>, { entry, board }: Found, slices: TimeSlices) {
  const log = slicedBy(stored, slices)
  const own = new OwnTold()
  await ofScore(log, { entry, board }, own)
  const all = [own.removed, own.made, await ofBoard(log, board.id), await ofPlayer(log, entry.player, own.began)]
  const told = all.flatMap((one) => one.newest())
  told.sort((a, b) => (a.event.position < b.event.position ? -1 : 1))
  const shown = told.slice(-TOLD_MAX)
  const member: string | null = entry.member
  return {
    score: entry.id,
    leaderboard: board.id,
    player: entry.player,
    hidden: member === null,
    events: shown.map(({ effect, event }) => ({ effect, event: eventAnswer(event) })),
    left_out: all.reduce((sum, { count }) => sum + count, 0) - shown.length,
  }
}

/** The newest items in log order, and how many there are in total. */
class Newest {
  count = 0
  #told: Told[] = []

  push(...told: readonly Told[]): void {
    this.count += told.length
    this.#told.push(...told)
    if (this.#told.length > 2 * TOLD_MAX) this.#told = this.newest()
  }

  newest(): Told[] {
    return this.#told.slice(-TOLD_MAX)
  }
}

/** The relevant events of the player's stream on the board: since the score began, what ended it before, and what made it. */
class OwnTold {
  removed = new Newest()
  made = new Newest()
  /** Where the score began; '' where it did not. */
  began: Position = ''

  /** All that was, is over. */
  end(event: StoredEvent): void {
    this.removed = new Newest()
    this.removed.push({ effect: 'removed', event })
    this.beginAnew()
  }

  beginAnew(): void {
    this.made = new Newest()
    this.began = ''
  }

  submitted(before: Standing, after: Standing, event: StoredEvent): void {
    const begins = before.first === null
    if (begins) this.began = event.position
    if (begins || after.best !== before.best) this.made.push({ effect: begins ? 'began' : 'improved', event })
  }
}

async function ofBoard(log: Source, board: string): Promise<Newest> {
  const told = new Newest()
  for await (const event of log(boardStream(board))) if (RULES.has(event.type)) told.push({ effect: 'rules', event })
  return told
}

const RULES: ReadonlySet<string> = new Set(['LeaderboardCreated', 'LeaderboardRulesChanged'])

/** Bans since the score began: before that there was nothing to hide. */
async function ofPlayer(log: Source, player: string, began: Position): Promise<Newest> {
  const told = new Newest()
  for await (const event of log(playerStream(player))) {
    const effect = BANS[event.type]
    if (effect !== undefined && event.position > began) told.push({ effect, event })
  }
  return told
}

const BANS: Readonly<Record<string, Effect>> = { PlayerBanned: 'hidden', PlayerUnbanned: 'shown' }

async function ofScore(log: Source, { entry: { id, player }, board }: Found, told: OwnTold) {
  const stream = scoreStream(board.id, player)
  const { rules } = board.state
  if (!rules.unique) {
    // Each submission is a score of its own; one that was deleted is nowhere to be asked about.
    for await (const event of log(stream)) {
      if (event.type === 'ScoreSubmitted' && event.data.id === id) return told.submitted(NOTHING, NOTHING, event)
    }
    return
  }
  // Where rules have ever changed a deletion may have taken one submission of several: the entry stands by those left.
  const gone = board.generation > 1 ? await deletedSingly(log, stream) : NONE_GONE
  await untilEnded(log, stream, rules, gone, told)
  if (gone.ids.size === 0) return
  told.beginAnew()
  const { evolve, initial } = standing(rules)
  let stands = initial
  for await (const event of until(gone.end, log(stream, gone.from))) {
    if (event.type !== 'ScoreSubmitted' || gone.ids.has(String(event.data.id))) continue
    const before = stands
    stands = evolve(before, shaped<ScoreEvent>(event), momentOf(event))
    told.submitted(before, stands, event)
  }
}

const NOTHING: Standing = { first: null, best: null }

/** What was deleted by itself since all was last deleted at once. */
interface Gone {
  /** Revisions: of that, or 0; and of the last event that was read. */
  readonly from: number
  readonly end: number
  readonly ids: ReadonlySet<string>
}

const NONE_GONE: Gone = { from: 0, end: Number.POSITIVE_INFINITY, ids: new Set() }

async function deletedSingly(log: Source, stream: string): Promise<Gone> {
  let [from, end, ids] = [0, -1, new Set<string>()]
  for await (const { type, data, revision } of log(stream)) {
    end = revision
    if (type !== 'ScoreDeleted') continue
    if (data.upTo === null) ids.add(String(data.id))
    else [from, ids] = [revision, new Set()]
  }
  return { from, end, ids }
}

async function* until(end: number, events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
  for await (const event of events) {
    if (event.revision > end) return
    yield event
  }
}

/** Submission by submission and deletion by deletion. Of what stays for good, the first and the best are all that counts. */
async function untilEnded(log: Source, stream: string, rules: Rules, { from, end, ids }: Gone, told: OwnTold) {
  const { evolve, initial } = standing(rules)
  const order = orderUnder(rules)
  let staying = initial
  let doomed = SubmissionsLeft.none<Placed>(order)
  let before: Standing = NOTHING
  for await (const event of until(end, log(stream, from))) {
    const scored = shaped<ScoreEvent>(event)
    if (scored.type === 'ScoreSubmitted') {
      if (ids.has(scored.data.id)) doomed = doomed.with(place(scored.data, momentOf(event)))
      else staying = evolve(staying, scored, momentOf(event))
    } else if (scored.type === 'ScoreDeleted') {
      if (scored.data.upTo === null) doomed = doomed.without(scored.data.id)
      else [staying, doomed] = [initial, SubmissionsLeft.none<Placed>(order)]
    } else continue
    const after = {
      first: better(doomed.first, staying.first, (one, other) => one.revision < other.revision),
      best: better(doomed.best, staying.best, order.isBetter),
    }
    if (scored.type === 'ScoreSubmitted') told.submitted(before, after, event)
    else if (after.first === null) told.end(event)
    else if (after.first !== before.first || after.best !== before.best) told.removed.push({ effect: 'removed', event })
    before = after
  }
}

function better(one: Placed | null, other: Placed | null, isBetter: (one: Placed, other: Placed) => boolean) {
  if (one === null || other === null) return one ?? other
  return isBetter(one, other) ? one : other
}
