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
import type { DocRef, Folding, Replays } from './projection.ts'

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
    const present = peek(...of)
    if (present === null) {
      const isCleared = event.type === 'LeaderboardSliceCleared' && past.type === 'ScoreSubmitted'
      return isCleared ? [of, ...clearedRefs(past, event)] : [of, names]
    }
    return [of, names, ...entryRefs(past, unsafeCast<Generation>(present), stream)]
  },

  handle(past, event, docs, stream) {
    const present = docs.get(...generationRef(event))
    const of = present === null ? null : unsafeCast<Generation>(present)
    if (event.type === 'LeaderboardSliceCleared') {
      if (past.type !== 'ScoreSubmitted') return
      const refs = of === null ? clearedRefs(past, event) : [entryRef(past, of)]
      for (const ref of refs) if (docs.get(...ref) !== null) docs.remove(...ref)
    } else if (of !== null) applyScoreEvent(past, of, docs, stream)
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
    return present !== null && needsStream(past, unsafeCast(present), peek)
  },
}

/**
 * Documents that a submission may have created in a generation whose kind is unknown. The write that cleared the last
 * range may have removed the generation's document and failed before it removed the entries; then the range is cleared
 * again.
 */
function clearedRefs(past: StoredEvent, { data }: StoredEvent): readonly DocRef[] {
  const generation = Number(data.generation)
  return [true, false].map((unique) => entryRef(past, { generation, rules: { unique } }))
}

/** The document of the generation that a rule change event names. */
export const generationRef = ({ meta, data }: StoredEvent): DocRef => [
  'generations',
  rankingKey(meta.board ?? '', Number(data.generation ?? 1)),
]
