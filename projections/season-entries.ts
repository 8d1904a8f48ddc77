// The entries of seasons: each season of a leaderboard has a ranking and documents of its own, made as those of the
// whole board are, from the submissions that joined the season. A rule change builds the entries of the open season
// with those of the board; a closed season keeps the generation that it closed with.

import { keepOf, type Rules } from '../domain/board-rules.ts'
import { isCounted, shownAfter, shownOf, submissionsLeft } from '../domain/entry.ts'
import { type JsonObject, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { ScoreSubmittedData } from '../domain/score.ts'
import { type BoardSeasons, FIRST_NUMBERING, isClosedAt, recordOf, seasonJoined } from '../domain/season-records.ts'
import { playersKey, rankingKey, seasonKey } from '../ranking/key.ts'
import { entryRef, type Generation, presentEntry, putEntry, visibilityOf } from './entry-documents.ts'
import { entryStateOf, type FirstSubmission } from './entry-state.ts'
import { deleted, hidden, shown } from './entry-visibility.ts'
import type { DocRef, Docs, Peek } from './projection.ts'
import { type LoadedSeasons, loadedSeasons } from './season-documents.ts'

/** The entries of one season in one generation. */
interface SeasonEntries extends Generation {
  readonly season: number
  readonly isClosed: boolean
}

/** How a submission or deletion is applied to seasons. */
export interface OnSeasons {
  readonly seasons: LoadedSeasons
  /** Seasons that were closed before this position are closed. */
  readonly at: Position
  /** The generation that open seasons have entries in: the active one, or the one that is built. */
  readonly open: Generation
  /** Whether closed seasons are left alone: a rule change does not concern them. */
  readonly isReplay: boolean
}

/**
 * For an event of a leaderboard: one that is applied to its entries, or the trigger of a replay that adds to `open`.
 * Null: the leaderboard never had seasons.
 */
export function onSeasons(event: StoredEvent, open: Generation, peek: Peek, isReplay: boolean): OnSeasons | null {
  const seasons = loadedSeasons(event, peek)
  return seasons === null ? null : { seasons, at: event.position, open, isReplay }
}

/** Null: not to be changed. */
function entriesOf({ seasons, at, open, isReplay }: OnSeasons, season: number): SeasonEntries | null {
  const record = recordOf(seasons, season)
  const closed = isClosedAt(record, at) ? (record?.closed ?? null) : null
  if (closed === null) return { generation: open.generation, rules: open.rules, season, isClosed: false }
  return isReplay ? null : { generation: closed.generation, rules: closed.rules, season, isClosed: true }
}

/** Submissions by the season that they joined, without the seasons that are not to be changed. */
function bySeason(submissions: readonly StoredEvent[], on: OnSeasons) {
  const found = new Map<number, { readonly of: SeasonEntries; readonly submissions: StoredEvent[] }>()
  for (const one of submissions) {
    const season = seasonJoined(on.seasons, { position: one.position, time: one.meta.time })
    const known = season === null ? undefined : found.get(season)
    known?.submissions.push(one)
    const of = season === null || known !== undefined ? null : entriesOf(on, season)
    if (of !== null) found.set(of.season, { of, submissions: [one] })
  }
  return [...found.values()]
}

/** How a deletion changes the player's submissions in one season. */
interface SeasonDeletion {
  readonly of: SeasonEntries
  readonly removed: readonly StoredEvent[]
  readonly stay: readonly StoredEvent[]
  /** The player's first submission that is left on the whole board; null: none. */
  readonly first: StoredEvent | null
  /** Whether the one that was the first is deleted: the player's one entry of each season has its id. */
  readonly isFirstRemoved: boolean
}

/**
 * The seasons whose entries a deletion changes. `stream`: the player's, up to and including the deletion. O(stream),
 * but no document is read for what the deletion leaves.
 */
function deletionBySeason(on: OnSeasons, stream: readonly StoredEvent[]): SeasonDeletion[] {
  const before = submissionsLeft(stream.slice(0, -1))
  const left = new Set(submissionsLeft(stream))
  const [first = null] = left
  const isFirstRemoved = before.length > 0 && before[0] !== first
  return bySeason(before, on).flatMap(({ of, submissions }) => {
    const removed = submissions.filter((one) => !left.has(one))
    // A player's one entry has the id and time of their first submission to the board.
    if (removed.length === 0 && !(isFirstRemoved && of.rules.unique)) return []
    return [{ of, removed, stay: submissions.filter((one) => left.has(one)), first, isFirstRemoved }]
  })
}

/** Every document that a submission or deletion concerns. `stream`: as for `applyToSeasons`. */
export function seasonRefs(event: StoredEvent, on: OnSeasons, stream: readonly StoredEvent[]): readonly DocRef[] {
  const refs =
    event.type === 'ScoreSubmitted'
      ? bySeason([event], on).flatMap(({ of }) => [...refsOf(event, [event], of), ...rankingRefs(event.meta.board, of)])
      : deletionBySeason(on, stream).flatMap(({ of, removed }) => refsOf(event, removed, of))
  return [...on.seasons.lacking, ...refs]
}

/** The documents of a season that change with some submissions of the event's player. */
const refsOf = (event: StoredEvent, submissions: readonly StoredEvent[], of: SeasonEntries): readonly DocRef[] =>
  of.rules.unique ? [entryRef(event, of)] : [...submissions.map((one) => entryRef(one, of)), playerRef(event, of)]

/**
 * Applies a submission or a deletion to the entries of seasons, after it was applied to those of the board. `stream`:
 * the player's stream up to and including a deletion; not needed for a submission.
 */
export function applyToSeasons(event: StoredEvent, on: OnSeasons, docs: Docs, stream: readonly StoredEvent[]): void {
  if (visibilityOf(docs, event.meta.player) === 'gone') return
  if (event.type === 'ScoreSubmitted') {
    for (const { of } of bySeason([event], on)) submit(event, of, on, docs)
    return
  }
  for (const deletion of deletionBySeason(on, stream)) {
    const { of, removed } = deletion
    if (!of.rules.unique) for (const one of removed) removeOne(event, one, of, docs)
    else if (of.isClosed) removeShown(event, deletion, docs)
    else showLeft(event, deletion, docs)
  }
}

// A document may already have later events of this batch, from before a crash. So nothing here depends on whether a
// document of another entry was written, and a counted player's document is never removed while it may be counted
// again.

function submit(event: StoredEvent, of: SeasonEntries, on: OnSeasons, docs: Docs): void {
  putRankings(event, of, docs)
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  if (!isCounted(of.rules, sent)) return
  if (!of.rules.unique) {
    putEntry(entryStateOf(event, sent, null, of.rules), boardOf(event), of, docs)
    countEntry(event, event, of, 1, docs)
    return
  }
  const values = shownAfter(of.rules, presentEntry(docs.get(...entryRef(event, of)))?.shown ?? null, sent)
  if (values === null) return
  const first = unsafeCast<FirstSubmission | null>(docs.get(...entryRef(event, on.open)))
  putEntry(
    entryStateOf(event, values, first && { id: first.id, added: first.added }, of.rules),
    boardOf(event),
    of,
    docs,
  )
}

/** Each submission is an entry: removes that of a deleted one. */
function removeOne(event: StoredEvent, submission: StoredEvent, of: SeasonEntries, docs: Docs): void {
  if (!isCounted(of.rules, unsafeCast<ScoreSubmittedData>(submission.data))) return
  const ref = entryRef(submission, of)
  const stored = docs.get(...ref)
  if (stored !== null) remove(event, ref, stored, of, docs)
  countEntry(event, submission, of, -1, docs)
}

/**
 * Each player has one entry, in a closed season: it goes with the submission that it has its id from, and with what it
 * shows, which is a total of all that count. An earlier first submission would have taken the entry with it, so the
 * entry has the id of the one that is the first now.
 */
function removeShown(event: StoredEvent, deletion: SeasonDeletion, docs: Docs): void {
  const { of, isFirstRemoved } = deletion
  const ref = entryRef(event, of)
  const stored = docs.get(...ref)
  if (stored !== null && (isFirstRemoved || isShownRemoved(stored, deletion))) remove(event, ref, stored, of, docs)
}

function isShownRemoved({ best }: JsonObject, { of: { rules }, removed, stay }: SeasonDeletion): boolean {
  if (keepOf(rules) !== 'total') return !stay.some(({ data }) => data.id === best)
  return removed.some(({ data }) => isCounted(rules, unsafeCast<ScoreSubmittedData>(data)))
}

/** Each player has one entry, in an open season: it shows what is left. */
function showLeft(event: StoredEvent, { of, stay, first }: SeasonDeletion, docs: Docs): void {
  const ref = entryRef(event, of)
  const stored = docs.get(...ref)
  const kept = shownOf(of.rules, stay)
  if (kept === null || first === null) {
    if (stored !== null) docs.remove(...ref)
    return
  }
  const began = { id: String(first.data.id), added: first.meta.time }
  putEntry(entryStateOf(kept.event, kept.values, began, of.rules), boardOf(event), of, docs)
}

function remove(
  { position }: StoredEvent,
  ref: DocRef,
  stored: JsonObject,
  { isClosed }: SeasonEntries,
  docs: Docs,
): void {
  const left = isClosed ? deleted(stored, position) : null
  if (left === null) docs.remove(...ref)
  else docs.put(...ref, left)
}

const boardOf = ({ meta }: StoredEvent): string => meta.board ?? ''

/**
 * The document of a player of a season in which each submission is an entry: it is ranked so that players are counted.
 */
const playerRef = (
  { meta }: StoredEvent,
  { generation, season }: Pick<SeasonEntries, 'generation' | 'season'>,
): DocRef => ['entries', `${playersKey(meta.board ?? '', generation, season)}.${meta.player}`]

/** `event`: adds or removes the submission, which counts as `by` entries. */
function countEntry(event: StoredEvent, submission: StoredEvent, of: SeasonEntries, by: 1 | -1, docs: Docs): void {
  const ref = playerRef(submission, of)
  const stored = docs.get(...ref)
  if (stored?.deleted === true) return
  const { position } = event
  const { board = '', player = '', time } = submission.meta
  const { generation, season, isClosed } = of
  const entries = Number(stored?.entries ?? 0) + by
  const left = stored !== null && entries === 0 && isClosed ? deleted(stored, position) : null
  if (left !== null) {
    docs.put(...ref, left)
    return
  }
  const isRanked = entries > 0
  const ranked = { ranking: isRanked ? playersKey(board, generation, season) : null, member: isRanked ? player : null }
  const head = { board, generation, season, player, ...ranked, ofPlayer: null, updated: stored?.updated ?? time }
  const body = { ...head, entries, ...(stored?.hiddenAtClosing === true && { hiddenAtClosing: true }) }
  if (visibilityOf(docs, player) === 'hidden') docs.put(...ref, hidden(body, position))
  else docs.put(...ref, isClosed ? shown(body, position) : body)
}

/** The documents that name the rankings of a season. */
function rankingRefs(
  board = '',
  {
    generation,
    rules,
    season,
  }: Pick<SeasonEntries, 'generation' | 'season'> & { readonly rules: Pick<Rules, 'unique'> },
): readonly DocRef[] {
  const entries: DocRef = ['generations', rankingKey(board, generation, season)]
  return rules.unique ? [entries] : [entries, ['generations', playersKey(board, generation, season)]]
}

function putRankings({ meta }: StoredEvent, of: SeasonEntries, docs: Docs): void {
  const { board = '', game } = meta
  for (const ref of rankingRefs(board, of)) {
    if (docs.get(...ref) !== null) continue
    const [, ranking] = ref
    docs.put(...ref, { ranking, partition: partitionOf(game), season: seasonKey(board, FIRST_NUMBERING, of.season) })
  }
}

// A generation that is cleared has entries of the seasons that were open while it was active. The generation that
// replaced it may have entries of seasons that closed while it was built. These are removed; the entries that a season
// was closed with stay.

/**
 * The documents to remove for a submission of a cleared range: of entries, and those that name their rankings, which
 * only submissions of the range or others that are removed too have entries in. `unique`: what the cleared generation's
 * entries may be.
 */
export function clearedSeasonRefs(
  submission: StoredEvent,
  { seasons, at, cleared }: { readonly seasons: LoadedSeasons; readonly at: Position; readonly cleared: number },
  unique: readonly boolean[],
): readonly DocRef[] {
  const { position, meta } = submission
  const season = seasonJoined(seasons, { position, time: meta.time })
  const refs = season === null ? [] : refsOfStray(season)
  return [...seasons.lacking, ...refs]

  function refsOfStray(season: number): DocRef[] {
    return strayGenerations(seasons, season, at, cleared).flatMap((generation) =>
      (generation === cleared ? unique : [true, false]).flatMap((one) => [
        entryRef(submission, { generation, season, rules: { unique: one } }),
        ...rankingRefs(meta.board, { generation, season, rules: { unique: one } }),
        ...(one ? [] : [playerRef(submission, { generation, season })]),
      ]),
    )
  }
}

/** Those of the cleared and the active generation that do not have the entries of the season. */
function strayGenerations(seasons: BoardSeasons, season: number, at: Position, cleared: number): number[] {
  const record = recordOf(seasons, season)
  const { generation: owner } = (isClosedAt(record, at) ? record?.closed : null) ?? seasons.head
  return [cleared, seasons.head.generation].filter((generation) => generation !== owner)
}
