// How the view of entries handles replayed events: chunks of a board's history, which build a generation of
// entries beside the one in force, or clear one away.

import { type StoredEvent, shaped } from '../domain/event.ts'
import type { EventPlace } from '../domain/event-place.ts'
import type { BuiltSlice, ClearedSlice } from '../domain/rebuild.ts'
import { rankingKey } from '../ranking/key.ts'
import { entryRef, entryRefs, type Generation, needsStream, scored, standingRef, stood } from './entry-documents.ts'
import type { DocRef, Folding, Replays } from './projection.ts'

/** Of events about a rebuild, by type: whether they replay some of the history. */
export const SLICES: ReadonlySet<string> = new Set([
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardSliceCleared',
])

/** Where each player has one entry, it is written once, by what all of the history up to some place comes to. */
const folding: Folding = {
  asOf: ({ type, data }) => (type === 'LeaderboardSliceBuilt' ? shaped<BuiltSlice>(data).asOf : null) ?? null,
  needs: (event) => [generationRef(event)],
  generation(event, docs) {
    const present = docs.get(...generationRef(event))
    return present === null ? null : { board: event.meta.board ?? '', ...shaped<Generation>(present) }
  },
  reads: ({ player }) => [['names', player]],
  makes: (standing, of) => standingRef(standing, of.board, of),
  handle: (standing, of, docs) => stood(standing, of.board, of, docs),
}

export const replays: Replays = {
  triggers: SLICES,
  takes: new Set(['ScoreSubmitted', 'ScoreDeleted']),

  range({ type, data, meta }) {
    const { board = '' } = meta
    if (type === 'LeaderboardSliceBuilt') return { board, ...shaped<Pick<BuiltSlice, 'after' | 'upTo'>>(data) }
    if (type === 'LeaderboardRulesChanged') return { board, after: shaped<EventPlace | null>(data.after), upTo: null }
    const { after, upTo } = shaped<ClearedSlice>(data)
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
    return [of, names, ...entryRefs(past, shaped<Generation>(present), stream)]
  },

  handle(past, event, docs, stream) {
    const present = docs.get(...generationRef(event))
    const of = present === null ? null : shaped<Generation>(present)
    if (event.type === 'LeaderboardSliceCleared') {
      if (past.type !== 'ScoreSubmitted') return
      const refs = of === null ? clearedRefs(past, event) : [entryRef(past, of)]
      for (const ref of refs) if (docs.get(...ref) !== null) docs.remove(...ref)
    } else if (of !== null) scored(past, of, docs, stream)
  },

  failed(past, event, docs, why) {
    const present = docs.get(...generationRef(event))
    const broken = `${past}: ${why}`
    if (present !== null && present.broken === undefined) docs.put(...generationRef(event), { ...present, broken })
  },

  folding,

  needsStreamFor: new Set(['ScoreDeleted']),

  needsStream(past, event, peek) {
    if (event?.type === 'LeaderboardSliceCleared') return false
    const present = event === null ? peek('boards', past.meta.board ?? '') : peek(...generationRef(event))
    return present !== null && needsStream(past, shaped(present), peek)
  },
}

/**
 * What a submission may have been an entry as in a generation of which it is known no more what kind it was: the write of the
 * last slice that clears it may have removed that, and broken off before the entries. Then the slice comes again.
 */
function clearedRefs(past: StoredEvent, { data }: StoredEvent): readonly DocRef[] {
  const generation = Number(data.generation)
  return [true, false].map((unique) => entryRef(past, { generation, rules: { unique } }))
}

/** Of the generation that an event about a rebuild is about. */
export const generationRef = ({ meta, data }: StoredEvent): DocRef => [
  'generations',
  rankingKey(meta.board ?? '', Number(data.generation ?? 1)),
]
