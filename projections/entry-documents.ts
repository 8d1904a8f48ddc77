// The entry documents of one generation of a board: how a submission or a deletion changes them, whether it is new or
// replayed.

import type { Rules } from '../domain/board-rules.ts'
import type { Decimal } from '../domain/decimal.ts'
import { entryOfStream, type PresentEntry, reduceEntry } from '../domain/entry.ts'
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { entryFields, type ScoreEvent, type ScoreValues } from '../domain/score.ts'
import { entryDocument, rankingKey } from '../ranking/key.ts'
import { type EntryState, entryStateOf, type FirstSubmission } from './entry-state.ts'
import { hidden } from './entry-visibility.ts'
import type { DocRef, Docs, Peek } from './projection.ts'

/** The entries of a board under one set of rules. */
export type Generation = {
  readonly generation: number
  readonly rules: Rules
  /** Of this season only; absent: of the whole board. */
  readonly season?: number
}

/** What determines the id of an entry document. */
type EntryKind = Pick<Generation, 'generation' | 'season'> & { readonly rules: Pick<Rules, 'unique'> }

/**
 * The visibility of a player's entries. Stored in `names` as `standing`: renaming that field would need a new view
 * version.
 */
export type Visibility = 'shown' | 'hidden' | 'gone'

/**
 * The document that a submission or a deletion concerns: on a unique board the player's entry, otherwise the
 * submission's.
 */
export function entryRef({ meta, data }: StoredEvent, { generation, season, rules }: EntryKind): DocRef {
  const { board = '', player = '' } = meta
  const submission = data.id as string
  return ['entries', entryDocument({ board, generation, season, unique: rules.unique, player, submission })]
}

/** Every document that a submission or deletion concerns. */
export function entryRefs(event: StoredEvent, of: Generation, stream: readonly StoredEvent[]): readonly DocRef[] {
  if (of.rules.unique || stream.length === 0 || event.data.upTo === null) return [entryRef(event, of)]
  return stream.filter(({ type }) => type === 'ScoreSubmitted').map((past) => entryRef(past, of))
}

/**
 * Whether the handler needs the player's stream up to and including this deletion. This is mostly so for deletions made
 * under rules of the other kind (unique or not).
 */
export function needsStream(event: StoredEvent, of: Generation, peek: Peek): boolean {
  const change = reduceEntry(of.rules, presentEntry(peek(...entryRef(event, of))), unsafeCast<ScoreEvent>(event))
  return change === 'read the stream' || change === 'remove all'
}

/** Documents of the first generation do not have the id of the submission that they show. */
export function presentEntry(stored: JsonObject | null): PresentEntry | null {
  if (stored === null || stored.deleted === true) return null
  const { id, best, score } = unsafeCast<{ id: string; best?: string; score: Decimal | null }>(stored)
  return { id, shownId: best, shown: score === null ? null : unsafeCast<ScoreValues>(stored) }
}

export function visibilityOf(docs: Docs, player = ''): Visibility {
  return (docs.get('names', player)?.standing ?? 'shown') as Visibility
}

/**
 * Applies a submission or a deletion to the documents. `stream`: the player's stream if `needsStream` returned true,
 * otherwise empty.
 */
export function applyScoreEvent(event: StoredEvent, of: Generation, docs: Docs, stream: readonly StoredEvent[]): void {
  if (visibilityOf(docs, event.meta.player) === 'gone') return
  const ref = entryRef(event, of)
  const stored = docs.get(...ref)
  const { board = '' } = event.meta
  const change = reduceEntry(of.rules, presentEntry(stored), unsafeCast<ScoreEvent>(event))
  if (typeof change === 'object') {
    const firstSubmission = stored === null ? null : unsafeCast<FirstSubmission>(stored)
    putEntry(entryStateOf(event, change, firstSubmission, of.rules), board, of, docs)
    return
  }
  switch (change) {
    case 'outside':
      putEntry(entryStateOf(event, null, null, of.rules), board, of, docs)
      break
    case 'remove':
      docs.remove(...ref)
      break
    case 'remove all':
      for (const one of entryRefs(event, of, stream)) if (docs.get(...one) !== null) docs.remove(...one)
      break
    case 'read the stream': {
      const { first, shown } = entryOfStream(of.rules, stream)
      const firstSubmission = { id: String(first?.data.id), added: first?.meta.time ?? '' }
      if (first === null) docs.remove(...ref)
      else
        putEntry(entryStateOf(shown?.event ?? first, shown?.values ?? null, firstSubmission, of.rules), board, of, docs)
    }
  }
}

/** Writes an entry; hidden if the player is banned. Does nothing if the player is deleted. */
export function putEntry(state: EntryState, board: string, of: Generation, docs: Docs): void {
  const visibility = visibilityOf(docs, state.player)
  if (visibility === 'gone') return
  const body = entry(state, board, of, docs)
  docs.put(...entryStateRef(state, board, of), visibility === 'hidden' ? hidden(body, null) : body)
}

export function entryStateRef(
  { player, id }: EntryState,
  board: string,
  { generation, season, rules }: Generation,
): DocRef {
  return ['entries', entryDocument({ board, generation, season, unique: rules.unique, player, submission: id })]
}

/** The document of an entry. One that shows no submission is in no index. */
function entry(state: EntryState, board: string, { generation, season, rules }: Generation, docs: Docs): JsonObject {
  const { player, firstSubmission, id, time, revision, shown, sortKey } = state
  const own = firstSubmission?.id ?? id
  const body = {
    id: own,
    // On a board that is not unique, a first-generation document already has the submission's id.
    lookup: season === undefined && shown !== null && (rules.unique || generation > 1) ? own : null,
    board,
    generation,
    player,
    ranking: shown === null ? null : rankingKey(board, generation, season),
    member: sortKey,
    // Orders the entries of one player. It is null where there is only one, so that a better score does not move it.
    ofPlayer: rules.unique ? null : sortKey,
    ...entryFields(shown),
    name: shown?.playerName ?? docs.get('names', player)?.name ?? null,
    added: firstSubmission?.added ?? time,
    updated: shown === null ? null : time,
    revision,
  }
  if (season !== undefined) return rules.unique ? { ...body, season, best: id } : { ...body, season }
  return generation > 1 && rules.unique ? { ...body, best: id } : body
}
