// What submissions and deletions make of the documents of one generation of a board's entries, whether they are new or replayed.

import { type EventMeta, type JsonObject, type StoredEvent, shaped } from '../domain/event.ts'
import type { Rules } from '../domain/leaderboard.ts'
import { beats, bestOf, placedOf, type ScoreSubmittedData, submissionsLeft, within } from '../domain/score.ts'
import { entryDocument, rankingKey } from '../ranking/key.ts'
import { memberOf } from '../ranking/member.ts'
import type { DocRef, Docs, Peek } from './projection.ts'
import type { Begun, Standing } from './standing.ts'

/** One computing of a board's entries. */
export type Generation = {
  readonly generation: number
  readonly rules: Rules
}

/** What tells where entries lie. */
type EntryKind = Pick<Generation, 'generation'> & { readonly rules: Pick<Rules, 'unique'> }

/** What becomes of a player's entries. Kept in `names` as `standing`: another field name would take a new version. */
export type Visibility = 'shown' | 'hidden' | 'gone'

/** The document that a submission or a deletion is about: a unique board's entry is the player's; else a submission is one. */
export function entryRef({ meta, data }: StoredEvent, { generation, rules }: EntryKind): DocRef {
  const { board = '', player = '' } = meta
  const submission = data.id as string
  return ['entries', entryDocument({ board, generation, unique: rules.unique, player, submission })]
}

/** Every document that one of these two is about. */
export function entryRefs(event: StoredEvent, of: Generation, stream: readonly StoredEvent[]): readonly DocRef[] {
  if (of.rules.unique || stream.length === 0) return [entryRef(event, of)]
  return stream.filter(({ type }) => type === 'ScoreSubmitted').map((past) => entryRef(past, of))
}

/**
 * Whether a deletion's own words do not say what it does here, as it was made under rules of the other kind: one submission of
 * those that stand behind a unique board's entry, or all so far where each is an entry.
 */
export function isOfTheOtherKind(event: StoredEvent, of: Generation, peek: Peek): boolean {
  if (!of.rules.unique) return event.data.upTo !== null
  if (event.data.upTo !== null) return false
  const present = peek(...entryRef(event, of))
  return present !== null && (present.id === event.data.id || present.best === event.data.id)
}

export function visibilityOf(docs: Docs, player = ''): Visibility {
  return (docs.get('names', player)?.standing ?? 'shown') as Visibility
}

export function submitted(event: StoredEvent, of: Generation, docs: Docs): void {
  const visibility = visibilityOf(docs, event.meta.player)
  if (visibility === 'gone') return
  const { rules } = of
  const data = shaped<ScoreSubmittedData>(event.data)
  const [collection, id] = entryRef(event, of)
  const present = docs.get(collection, id)
  const counts = within(rules, data.score)
  // Outside the bounds it is no entry; but a unique board's entry is that of the first submission, wherever that lies.
  if (!counts && (present !== null || !rules.unique)) return
  if (present !== null && present.score !== null && !beats(rules, data, shaped(present))) return
  const begun = present === null ? null : { id: present.id as string, added: present.added as string }
  put(docs, [collection, id], counts ? entry(event, of, begun, docs) : outside(event, of, null, docs), visibility)
}

/** `stream` is the event's own up to and with it, where it is of the other kind; else nothing. */
export function deleted(event: StoredEvent, of: Generation, docs: Docs, stream: readonly StoredEvent[]): void {
  if (of.rules.unique) {
    if (stream.length > 0) {
      standAnew(event, of, docs, stream)
      return
    }
    if (event.data.upTo === null) return
  }
  for (const ref of entryRefs(event, of, stream)) if (docs.get(...ref) !== null) docs.remove(...ref)
}

/** A unique board's entry as what is left of the player's submissions makes it. */
function standAnew(event: StoredEvent, of: Generation, docs: Docs, stream: readonly StoredEvent[]): void {
  const ref = entryRef(event, of)
  const left = submissionsLeft(stream)
  const [first] = left
  if (first === undefined) {
    docs.remove(...ref)
    return
  }
  const begun = { id: first.data.id as string, added: first.meta.time }
  const best = bestOf(of.rules, left.map(placedOf))
  const made = best === null ? outside(first, of, begun, docs) : entry(best.event, of, begun, docs)
  put(docs, ref, made, visibilityOf(docs, event.meta.player))
}

function put(docs: Docs, ref: DocRef, made: JsonObject, visibility: Visibility): void {
  docs.put(...ref, visibility === 'hidden' ? hidden(made) : made)
}

/** The entry of a player on a unique board, of all that they submitted at once. */
export function stood(standing: Standing, board: string, of: Generation, docs: Docs): void {
  const { player, time, revision, data, begun, isOutside } = standing
  const visibility = visibilityOf(docs, player)
  if (visibility === 'gone') return
  const submission: Submission = { meta: { board, player, time }, revision, data: shaped<JsonObject>(data) }
  const made = isOutside ? outside(submission, of, begun, docs) : entry(submission, of, begun, docs)
  put(docs, standingRef(standing, board, of), made, visibility)
}

export function standingRef({ player }: Standing, board: string, { generation }: Generation): DocRef {
  return ['entries', entryDocument({ board, generation, unique: true, player, submission: '' })]
}

/** What an entry takes of the event. */
type Submission = Pick<StoredEvent, 'data' | 'revision'> & {
  readonly meta: Pick<EventMeta, 'board' | 'player' | 'time'>
}

function entry(event: Submission, of: Generation, begun: Begun | null, docs: Docs): JsonObject {
  const { meta, revision } = event
  const { id, score, secondary, extra, playerName } = shaped<ScoreSubmittedData>(event.data)
  const { generation, rules } = of
  const { board = '', player = '', time } = meta
  const own = begun?.id ?? id
  const made = {
    id: own,
    // A first generation's documents have the submission's own id where each is an entry.
    lookup: rules.unique || generation > 1 ? own : null,
    board,
    generation,
    player,
    ranking: rankingKey(board, generation),
    member: memberOf({ score, secondary, time }, own, rules),
    score,
    secondary,
    extra,
    ownName: playerName,
    name: playerName ?? docs.get('names', player)?.name ?? null,
    added: begun?.added ?? time,
    updated: time,
    revision,
  }
  return generation > 1 && rules.unique ? { ...made, best: id } : made
}

/** A unique board's entry that is none while all of its player's submissions lie outside the bounds. In no index. */
function outside(event: Submission, of: Generation, begun: Begun | null, docs: Docs): JsonObject {
  const { playerName: _, ...data } = shaped<ScoreSubmittedData>(event.data)
  const nothing = { score: null, secondary: null, extra: null, ownName: null, updated: null }
  const made = entry({ ...event, data: shaped<JsonObject>({ ...data, playerName: null }) }, of, begun, docs)
  return { ...made, ...nothing, lookup: null, ranking: null, member: null }
}

/** An entry that is not ranked, and so in none of the indexes that are read by; `aside` says where it comes back to. */
export function hidden(entry: JsonObject): JsonObject {
  if (entry.aside !== undefined) return entry
  const { ranking = null, member = null } = entry
  return { ...entry, ranking: null, member: null, aside: { ranking, member } }
}

/** The entry as it was, byte for byte, before it was hidden. */
export function shown({ aside, ...entry }: JsonObject): JsonObject {
  return { ...entry, ...shaped<JsonObject>(aside ?? {}) }
}
