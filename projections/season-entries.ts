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
interface SeasonGeneration extends Generation {
  readonly season: number
  readonly isClosed: boolean
}

/** How a submission or deletion is applied to seasons. */
export interface SeasonContext {
  readonly seasons: LoadedSeasons
  /** Seasons that were closed before this position are closed. */
  readonly at: Position
  /** The generation that open seasons have entries in: the active one, or the one that is built. */
  readonly openGeneration: Generation
  /** Whether closed seasons are left alone: a rule change does not concern them. */
  readonly isReplay: boolean
}

/** For an event that is applied to the leaderboard's entries. Null: the leaderboard never had seasons. */
export function seasonsOfEvent(event: StoredEvent, active: Generation, peek: Peek): SeasonContext | null {
  const seasons = loadedSeasons(event, peek)
  return seasons === null ? null : { seasons, at: event.position, openGeneration: active, isReplay: false }
}

/** For the trigger of a replay that adds to a generation. Null: the leaderboard never had seasons. */
export function seasonsOfReplay(trigger: StoredEvent, built: Generation, peek: Peek): SeasonContext | null {
  const seasons = loadedSeasons(trigger, peek)
  return seasons === null ? null : { seasons, at: trigger.position, openGeneration: built, isReplay: true }
}

/** Null: not to be changed. */
function generationOf(
  { seasons, at, openGeneration: open, isReplay }: SeasonContext,
  season: number,
): SeasonGeneration | null {
  const record = recordOf(seasons, season)
  const closed = isClosedAt(record, at) ? (record?.closed ?? null) : null
  if (closed === null) return { generation: open.generation, rules: open.rules, season, isClosed: false }
  return isReplay ? null : { generation: closed.generation, rules: closed.rules, season, isClosed: true }
}

/** Submissions by the season that they joined, without the seasons that are not to be changed. */
function bySeason(submissions: readonly StoredEvent[], context: SeasonContext) {
  const found = new Map<number, { readonly target: SeasonGeneration; readonly submissions: StoredEvent[] }>()
  for (const one of submissions) {
    const season = seasonJoined(context.seasons, { position: one.position, time: one.meta.time })
    const known = season === null ? undefined : found.get(season)
    known?.submissions.push(one)
    const target = season === null || known !== undefined ? null : generationOf(context, season)
    if (target !== null) found.set(target.season, { target, submissions: [one] })
  }
  return [...found.values()]
}

/** How a deletion changes the player's submissions in one season. */
interface SeasonDeletion {
  readonly target: SeasonGeneration
  readonly removed: readonly StoredEvent[]
  readonly remaining: readonly StoredEvent[]
  /** The player's first submission that is left on the whole board; null: none. */
  readonly first: StoredEvent | null
  /** Whether the one that was the first is deleted: the player's one entry of each season has its id. */
  readonly isFirstRemoved: boolean
}

/**
 * The seasons whose entries a deletion changes. `stream`: the player's, up to and including the deletion. O(stream),
 * but no document is read for what the deletion leaves.
 */
function deletionBySeason(context: SeasonContext, stream: readonly StoredEvent[]): SeasonDeletion[] {
  const before = submissionsLeft(stream.slice(0, -1))
  const left = new Set(submissionsLeft(stream))
  const [first = null] = left
  const isFirstRemoved = before.length > 0 && before[0] !== first
  return bySeason(before, context).flatMap(({ target, submissions }) => {
    const removed = submissions.filter((one) => !left.has(one))
    // A player's one entry has the id and time of their first submission to the board.
    if (removed.length === 0 && !(isFirstRemoved && target.rules.unique)) return []
    return [{ target, removed, remaining: submissions.filter((one) => left.has(one)), first, isFirstRemoved }]
  })
}

/** Every document that a submission or deletion concerns. `stream`: as for `applyToSeasons`. */
export function seasonRefs(
  event: StoredEvent,
  context: SeasonContext,
  stream: readonly StoredEvent[],
): readonly DocRef[] {
  const refs =
    event.type === 'ScoreSubmitted'
      ? bySeason([event], context).flatMap(({ target }) => [
          ...refsOf(event, [event], target),
          ...rankingRefs(event.meta.board, target),
        ])
      : deletionBySeason(context, stream).flatMap(({ target, removed }) => refsOf(event, removed, target))
  return [...context.seasons.lacking, ...refs]
}

/** The documents of a season that change with some submissions of the event's player. */
const refsOf = (
  event: StoredEvent,
  submissions: readonly StoredEvent[],
  target: SeasonGeneration,
): readonly DocRef[] =>
  target.rules.unique
    ? [entryRef(event, target)]
    : [...submissions.map((one) => entryRef(one, target)), playerRef(event, target)]

/**
 * Applies a submission or a deletion to the entries of seasons, after it was applied to those of the board. `stream`:
 * the player's stream up to and including a deletion; not needed for a submission.
 */
export function applyToSeasons(
  event: StoredEvent,
  context: SeasonContext,
  docs: Docs,
  stream: readonly StoredEvent[],
): void {
  if (visibilityOf(docs, event.meta.player) === 'gone') return
  if (event.type === 'ScoreSubmitted') {
    for (const { target } of bySeason([event], context)) submit(event, target, context, docs)
    return
  }
  for (const deletion of deletionBySeason(context, stream)) {
    const { target, removed } = deletion
    if (!target.rules.unique) for (const one of removed) removeOne(event, one, target, docs)
    else if (target.isClosed) removeShown(event, deletion, docs)
    else showLeft(event, deletion, docs)
  }
}

// A document may already have later events of this batch, from before a crash. So nothing here depends on whether a
// document of another entry was written, and a counted player's document is never removed while it may be counted
// again.

function submit(event: StoredEvent, target: SeasonGeneration, context: SeasonContext, docs: Docs): void {
  putRankings(event, target, docs)
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  if (!isCounted(target.rules, sent)) return
  if (!target.rules.unique) {
    putEntry(entryStateOf(event, sent, null, target.rules), boardOf(event), target, docs)
    countEntry(event, event, target, 1, docs)
    return
  }
  const values = shownAfter(target.rules, presentEntry(docs.get(...entryRef(event, target)))?.shown ?? null, sent)
  if (values === null) return
  const first = unsafeCast<FirstSubmission | null>(docs.get(...entryRef(event, context.openGeneration)))
  putEntry(
    entryStateOf(event, values, first && { id: first.id, added: first.added }, target.rules),
    boardOf(event),
    target,
    docs,
  )
}

/** Each submission is an entry: removes that of a deleted one. */
function removeOne(event: StoredEvent, submission: StoredEvent, target: SeasonGeneration, docs: Docs): void {
  if (!isCounted(target.rules, unsafeCast<ScoreSubmittedData>(submission.data))) return
  const ref = entryRef(submission, target)
  const stored = docs.get(...ref)
  if (stored !== null) remove(event, ref, stored, target, docs)
  countEntry(event, submission, target, -1, docs)
}

/**
 * Each player has one entry, in a closed season: removes it if the submission that gave it its id is deleted, or one
 * that it shows; a total shows all that count. An earlier first submission would have removed the entry, so the entry
 * has the id of the one that is the first now.
 */
function removeShown(event: StoredEvent, deletion: SeasonDeletion, docs: Docs): void {
  const { target, isFirstRemoved } = deletion
  const ref = entryRef(event, target)
  const stored = docs.get(...ref)
  if (stored !== null && (isFirstRemoved || isShownRemoved(stored, deletion))) remove(event, ref, stored, target, docs)
}

function isShownRemoved({ best }: JsonObject, { target: { rules }, removed, remaining }: SeasonDeletion): boolean {
  if (keepOf(rules) !== 'total') return !remaining.some(({ data }) => data.id === best)
  return removed.some(({ data }) => isCounted(rules, unsafeCast<ScoreSubmittedData>(data)))
}

/** Each player has one entry, in an open season: it shows what is left. */
function showLeft(event: StoredEvent, { target, remaining, first }: SeasonDeletion, docs: Docs): void {
  const ref = entryRef(event, target)
  const stored = docs.get(...ref)
  const kept = shownOf(target.rules, remaining)
  if (kept === null || first === null) {
    if (stored !== null) docs.remove(...ref)
    return
  }
  const began = { id: String(first.data.id), added: first.meta.time }
  putEntry(entryStateOf(kept.event, kept.values, began, target.rules), boardOf(event), target, docs)
}

function remove(
  { position }: StoredEvent,
  ref: DocRef,
  stored: JsonObject,
  { isClosed }: SeasonGeneration,
  docs: Docs,
): void {
  const deletedEntry = isClosed ? deleted(stored, position) : null
  if (deletedEntry === null) docs.remove(...ref)
  else docs.put(...ref, deletedEntry)
}

const boardOf = ({ meta }: StoredEvent): string => meta.board ?? ''

/**
 * The document of a player of a season in which each submission is an entry: it is ranked so that players are counted.
 */
const playerRef = (
  { meta }: StoredEvent,
  { generation, season }: Pick<SeasonGeneration, 'generation' | 'season'>,
): DocRef => ['entries', `${playersKey(meta.board ?? '', generation, season)}.${meta.player}`]

/** `event`: adds or removes the submission, which counts as `by` entries. */
function countEntry(
  event: StoredEvent,
  submission: StoredEvent,
  target: SeasonGeneration,
  by: 1 | -1,
  docs: Docs,
): void {
  const ref = playerRef(submission, target)
  const stored = docs.get(...ref)
  if (stored?.deleted === true) return
  const { position } = event
  const { board = '', player = '', time } = submission.meta
  const { generation, season, isClosed } = target
  const entries = Number(stored?.entries ?? 0) + by
  const deletedPlayer = stored !== null && entries === 0 && isClosed ? deleted(stored, position) : null
  if (deletedPlayer !== null) {
    docs.put(...ref, deletedPlayer)
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
  }: Pick<SeasonGeneration, 'generation' | 'season'> & { readonly rules: Pick<Rules, 'unique'> },
): readonly DocRef[] {
  const entries: DocRef = ['generations', rankingKey(board, generation, season)]
  return rules.unique ? [entries] : [entries, ['generations', playersKey(board, generation, season)]]
}

function putRankings({ meta }: StoredEvent, target: SeasonGeneration, docs: Docs): void {
  const { board = '', game } = meta
  for (const ref of rankingRefs(board, target)) {
    if (docs.get(...ref) !== null) continue
    const [, ranking] = ref
    docs.put(...ref, {
      ranking,
      partition: partitionOf(game),
      season: seasonKey(board, FIRST_NUMBERING, target.season),
    })
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
