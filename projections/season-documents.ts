// The documents of a leaderboard's seasons in the view of entries: the head and the chunks of the records.

import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import {
  type ActiveRules,
  type BoardSeasons,
  chunkAfter,
  chunkOf,
  FIRST_NUMBERING,
  headAfter,
  type SeasonsChunk,
  type SeasonsHead,
  seasonChangedBy,
} from '../domain/season-records.ts'
import { seasonsChunk } from '../ranking/key.ts'
import type { DocRef, Docs, Peek } from './projection.ts'

export const seasonsRef = ({ meta }: StoredEvent): DocRef => ['seasons', meta.board ?? '']

const chunkRef = (board: string, numbering: number, chunk: number): DocRef => [
  'season_chunks',
  seasonsChunk(board, numbering, chunk),
]

/** The documents that an event changes. */
export function changedSeasonDocuments(event: StoredEvent): readonly DocRef[] {
  const season = seasonChangedBy(event)
  if (season === null) return [seasonsRef(event)]
  return [seasonsRef(event), chunkRef(event.meta.board ?? '', FIRST_NUMBERING, chunkOf(season))]
}

// Each document follows from itself and the event: after a crash one of them may have later events than the other.

/** `active`: the generation that is active after the event. */
export function putSeasons(event: StoredEvent, active: ActiveRules, docs: Docs): void {
  const [headRef, chunkRef] = changedSeasonDocuments(event)
  if (headRef !== undefined) {
    const after = headAfter(unsafeCast<SeasonsHead | null>(docs.get(...headRef)), event, active)
    if (after !== null) docs.put(...headRef, unsafeCast<JsonObject>(after))
  }
  if (chunkRef !== undefined) {
    const after = chunkAfter(unsafeCast<SeasonsChunk | null>(docs.get(...chunkRef)), event, active)
    docs.put(...chunkRef, unsafeCast<JsonObject>(after))
  }
}

export interface LoadedSeasons extends BoardSeasons {
  /** Chunks that `chunk` was called for and that are not loaded: name them in `needs`. Until then they are empty. */
  readonly lacking: readonly DocRef[]
}

/** The seasons of the event's leaderboard; null: it has none. */
export function loadedSeasons({ meta }: StoredEvent, peek: Peek): LoadedSeasons | null {
  const { board = '' } = meta
  const head = unsafeCast<SeasonsHead | null>(peek('seasons', board))
  if (head === null) return null
  const lacking: DocRef[] = []
  const chunk = (number: number) => {
    const ref = chunkRef(board, head.numbering, number)
    const found = unsafeCast<SeasonsChunk | null>(peek(...ref))
    if (found === null) lacking.push(ref)
    return found?.records ?? []
  }
  return { head, chunk, lacking }
}
