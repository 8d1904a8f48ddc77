// What a player's documents say now, for the index of windows of a board, and whether that is what they said at the position
// that the entries had reached.

import type { Position } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import type { IndexChange, WindowIndex } from '../../ranking/window-index.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Document } from '../../stores/contract/views.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { upTo } from '../../stores/support/history-pages.ts'
import type { QueryDeps } from '../deps.ts'
import { isShown } from '../scores/entry.ts'
import { bestInside, memberOfBest, streamOf } from './best.ts'
import type { BestInside, Followed } from './indexed.ts'

/** Events and documents read at once: about a millisecond where a store is in this process. */
const EVENTS = 100
const DOCUMENTS = 100

/** Of a player whose entries may have changed: which ones, and the positions of the events that say so. */
export interface Changed {
  readonly ids: Set<string>
  /** More than those: whatever the player has on the board. */
  all: boolean
  /** Rising. */
  at: Position[]
}

export interface PlayerRead {
  /** What the index does not have yet. */
  readonly changes: readonly IndexChange[]
  /** How far the entries were when it was read. */
  readonly applied: Position
  /** False where a document has a later event, or may have. */
  readonly isOfApplied: boolean
  /** A document is missing, which does not say when it was removed. */
  readonly hasMissing: boolean
}

export interface PlayerReadDeps extends Pick<QueryDeps, 'views' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
  readonly of: Followed
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
  // An event that is not applied yet may be the one that removes it.
  const isPending = (changed.at.at(-1) ?? applied) > applied
  const mayBeEarly = isPending && hasMissing && changes.some(([, member]) => member === null)
  return { changes, applied, isOfApplied: !isEarly && !mayBeEarly, hasMissing }
}

interface Found {
  readonly documents: readonly (Document | null)[]
  readonly members: ReadonlyMap<string, string | null>
}

/** An entry without a document does not exist. */
async function entriesOfPlayer(deps: PlayerReadDeps, player: string, { ids, all }: Changed): Promise<Found> {
  const { of, log, views, viewKey, slices } = deps
  if (all) {
    // An entry has the id of a submission that the player once made.
    for await (const { type, data } of eventsFrom(log, scoreStream(of.board, player), 0, EVENTS)) {
      if (type === 'ScoreSubmitted') ids.add(String(data.id))
    }
  }
  const wanted = of.unique ? [of.documentFor(player, '')] : [...ids].map((id) => of.documentFor(player, id))
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

/** The same of the player's best inside a window, for which all that they submitted up to there is read. */
async function bestOfPlayer(deps: PlayerReadDeps, player: string, best: BestInside): Promise<Found> {
  const { views, viewKey, log, of, applied } = deps
  const stream = (await streamOf(log, of.board, player)).filter(upTo(applied))
  const [document = null] = await views.get(viewKey('entries'), 'entries', [of.documentFor(player, '')])
  const event = document !== null && isShown(document) ? bestInside(stream, best) : null
  const own = event === null ? null : String(document?.body.id)
  const members = new Map<string, string | null>()
  for (const { type, data } of stream) {
    if (type === 'ScoreSubmitted') members.set(String(data.id), null)
  }
  if (event !== null && own !== null) members.set(own, memberOfBest(event, own, best))
  return { documents: [document], members }
}
