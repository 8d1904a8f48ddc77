// Reads a player's documents for a board's window index, and whether they are as they were at the position that the
// entries view had reached.

import type { Position } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { entryDocument } from '../../ranking/key.ts'
import type { IndexChange, WindowIndex } from '../../ranking/window-index.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Document } from '../../stores/contract/views.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { upTo } from '../../stores/support/history-pages.ts'
import type { QueryDeps } from '../deps.ts'
import { isShown } from '../scores/entry.ts'
import { bestInside, memberOfBest, streamOf } from './best.ts'
import type { BestInside, IndexedBoard } from './indexed.ts'

/** Events and documents per read: about a millisecond with a store in this process. */
const EVENTS = 100
const DOCUMENTS = 100

/** The entries of a player that may have changed, and the positions of the events that changed them. */
export interface Changed {
  readonly ids: Set<string>
  /** Whether all entries of the player on the board may have changed. */
  all: boolean
  /** Ascending. */
  at: Position[]
}

export interface PlayerRead {
  /** Changes that the index does not have yet. */
  readonly changes: readonly IndexChange[]
  /** The position of the entries view when it was read. */
  readonly applied: Position
  /** False if a document has a later event, or may have. */
  readonly isAtApplied: boolean
  /** Whether a document is missing, which does not tell when it was removed. */
  readonly hasMissing: boolean
}

export interface PlayerReadDeps extends Pick<QueryDeps, 'views' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  readonly of: IndexedBoard
  readonly index: Pick<WindowIndex, 'memberOf'>
  readonly applied: Position
  readonly slices: TimeSlices
}

export async function readPlayer(deps: PlayerReadDeps, player: string, changed: Changed): Promise<PlayerRead> {
  const { of, index, applied } = deps
  const { documents, members } = of.best
    ? await bestOfPlayer(deps, player, of.best)
    : await entriesOfPlayer(deps, player, changed)
  const changes = [...members].filter(([id, member]) => index.memberOf(id) !== member)
  const hasMissing = documents.includes(null)
  const isEarly = documents.some((document) => document !== null && document.pos > applied)
  // A pending event may be the one that removed it.
  const isPending = (changed.at.at(-1) ?? applied) > applied
  const mayBeEarly = isPending && hasMissing && changes.some(([, member]) => member === null)
  return { changes, applied, isAtApplied: !isEarly && !mayBeEarly, hasMissing }
}

interface Found {
  readonly documents: readonly (Document | null)[]
  readonly members: ReadonlyMap<string, string | null>
}

/** Reads entries; one without a document does not exist. */
async function entriesOfPlayer(deps: PlayerReadDeps, player: string, { ids, all }: Changed): Promise<Found> {
  const { of, log, views, viewKey, slices } = deps
  if (all) {
    // An entry has the id of a submission that the player once made.
    for await (const { type, data } of eventsFrom(log, scoreStream(of.board, player), 0, EVENTS)) {
      if (type === 'ScoreSubmitted') ids.add(String(data.id))
    }
  }
  const wanted = (of.unique ? [''] : [...ids]).map((submission) => entryDocument({ ...of, player, submission }))
  const documents: (Document | null)[] = []
  const members = new Map([...ids].map((id): [string, string | null] => [id, null]))
  for (let from = 0; from < wanted.length; from += DOCUMENTS) {
    if (from > 0) await slices.yieldIfDue()
    const found = await views.get(viewKey('entries'), 'entries', wanted.slice(from, from + DOCUMENTS))
    for (const document of found) {
      documents.push(document)
      if (document === null) continue
      const { id, member } = document.body as { id: string; member: string | null }
      members.set(id, isShown(document) ? member : null)
    }
  }
  return { documents, members }
}

/** Reads the player's best submission inside a window, from their stream up to `applied`. */
async function bestOfPlayer(deps: PlayerReadDeps, player: string, best: BestInside): Promise<Found> {
  const { views, viewKey, log, of, applied } = deps
  const stream = (await streamOf(log, of.board, player)).filter(upTo(applied))
  const [document = null] = await views.get(viewKey('entries'), 'entries', [
    entryDocument({ ...of, player, submission: '' }),
  ])
  const event = document !== null && isShown(document) ? bestInside(stream, best) : null
  const own = event === null ? null : String(document?.body.id)
  const members = new Map<string, string | null>()
  for (const { type, data } of stream) {
    if (type === 'ScoreSubmitted') members.set(String(data.id), null)
  }
  if (event !== null && own !== null) members.set(own, memberOfBest(event, own, best))
  return { documents: [document], members }
}
