// How the view of entries handles replayed events. A replay covers a range of a board's history; it adds to a
// generation of entries that is built beside the active one, or clears a generation.

import { type EventReference, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { BuiltRange, ClearedRange } from '../domain/rule-change.ts'
import { rankingKey } from '../ranking/key.ts'
import {
  applyScoreEvent,
  entryRef,
  entryRefs,
  entryStateRef,
  type Generation,
  needsStream,
  putEntry,
} from './entry-documents.ts'
import type { DocRef, Docs, Folding, Peek, Replays } from './projection.ts'
import { loadedSeasons, seasonsRef } from './season-documents.ts'
import { applyToSeasons, clearedSeasonRefs, seasonRefs, seasonsOfReplay } from './season-entries.ts'

/** Types of rule change events that trigger a replay of some of the history. */
export const REPLAY_TRIGGERS: ReadonlySet<string> = new Set([
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardSliceCleared',
])

/**
 * On a unique board each player has one entry. It is written once, from the fold of the whole history up to a position.
 */
const folding: Folding = {
  foldEnd: ({ type, data }) => (type === 'LeaderboardSliceBuilt' ? unsafeCast<BuiltRange>(data).asOf : null) ?? null,
  needs: (event) => [generationRef(event)],
  generation(event, docs) {
    const present = docs.get(...generationRef(event))
    return present === null ? null : { board: event.meta.board ?? '', ...unsafeCast<Generation>(present) }
  },
  reads: ({ player }) => [['names', player]],
  creates: (state, of) => entryStateRef(state, of.board, of),
  handle: (state, of, docs) => putEntry(state, of.board, of, docs),
}

export const replays: Replays = {
  triggers: REPLAY_TRIGGERS,
  takes: new Set(['ScoreSubmitted', 'ScoreDeleted']),

  range({ type, data, meta }) {
    const { board = '' } = meta
    if (type === 'LeaderboardSliceBuilt') return { board, ...unsafeCast<Pick<BuiltRange, 'after' | 'upTo'>>(data) }
    if (type === 'LeaderboardRulesChanged')
      return { board, after: unsafeCast<EventReference | null>(data.after), upTo: null }
    const { after, upTo } = unsafeCast<ClearedRange>(data)
    return type === 'LeaderboardSliceCleared' && upTo !== null ? { board, after, upTo } : null
  },

  needs(past, event, peek, stream) {
    const of = generationRef(event)
    const names: DocRef = ['names', past.meta.player ?? '']
    if (event.type === 'LeaderboardSliceCleared') {
      const cleared = past.type === 'ScoreSubmitted' ? clearedRefs(past, event, peek) : []
      return [of, seasonsRef(event), ...cleared]
    }
    const known = [of, names, seasonsRef(event)]
    const present = peek(...of)
    if (present === null) return known
    const seasons = seasonsOfReplay(event, unsafeCast<Generation>(present), peek)
    const ofSeasons = seasons === null ? [] : seasonRefs(past, seasons, stream)
    return [...known, ...entryRefs(past, unsafeCast<Generation>(present), stream), ...ofSeasons]
  },

  handle(past, event, docs, stream) {
    const get: Docs['get'] = (collection, id) => docs.get(collection, id)
    const present = get(...generationRef(event))
    if (event.type === 'LeaderboardSliceCleared') {
      if (past.type !== 'ScoreSubmitted') return
      for (const ref of clearedRefs(past, event, get)) if (get(...ref) !== null) docs.remove(...ref)
      return
    }
    if (present === null) return
    const of = unsafeCast<Generation>(present)
    applyScoreEvent(past, of, docs, stream)
    const seasons = seasonsOfReplay(event, of, get)
    if (seasons !== null) applyToSeasons(past, seasons, docs, stream)
  },

  failed(past, event, docs, reason) {
    const present = docs.get(...generationRef(event))
    const broken = `${past}: ${reason}`
    if (present !== null && present.broken === undefined) docs.put(...generationRef(event), { ...present, broken })
  },

  folding,

  needsStreamFor: new Set(['ScoreDeleted']),

  needsStream(past, event, peek) {
    if (event?.type === 'LeaderboardSliceCleared') return false
    const present = event === null ? peek('boards', past.meta.board ?? '') : peek(...generationRef(event))
    if (present === null) return false
    // Which seasons a deletion concerns follows from the submissions.
    return peek(...seasonsRef(past)) !== null || needsStream(past, unsafeCast(present), peek)
  },
}

/**
 * Documents that a submission may have created in a cleared generation. Its kind is unknown if the write that cleared
 * the last range has removed the generation's document and failed before it removed the entries; then the range is
 * cleared again.
 */
function clearedRefs(past: StoredEvent, event: StoredEvent, peek: Peek): readonly DocRef[] {
  const present = peek(...generationRef(event))
  const kinds = present === null ? [true, false] : [unsafeCast<Generation>(present).rules.unique]
  const generation = Number(event.data.generation)
  const ofBoard = kinds.map((unique) => entryRef(past, { generation, rules: { unique } }))
  const seasons = loadedSeasons(event, peek)
  if (seasons === null) return ofBoard
  return [...ofBoard, ...clearedSeasonRefs(past, { seasons, at: event.position, cleared: generation }, kinds)]
}

/** The document of the generation that a rule change event names. */
export const generationRef = ({ meta, data }: StoredEvent): DocRef => [
  'generations',
  rankingKey(meta.board ?? '', Number(data.generation ?? 1)),
]
