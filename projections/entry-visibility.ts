// The forms of an entry document: shown, hidden while its player is banned, and what remains of an entry of a season
// that was deleted. Entries of seasons note how they differ from the ranking with which their season is closed, so that
// the rank at closing can be computed from the present one (queries/closed-season/). Each form follows from the
// document before and the event alone.

import { type JsonObject, type Position, unsafeCast } from '../domain/event.ts'
import { FIRST_NUMBERING } from '../domain/season-records.ts'
import { absentFrom, addedTo, seasonKey } from '../ranking/key.ts'

/** That an event has hidden, shown or deleted an entry of a season. In the indexes `differing` and `changed`. */
interface Change {
  /** The season. */
  readonly changedIn?: string
  /** Position of the last such event; null: of a submission, which no entry of a closed season has. */
  readonly changedAt?: Position | null
  /** How the entry differs since from the ranking at closing; null: it does not. */
  readonly differsAs?: string | null
  /** Its sort key. */
  readonly differsKey?: string
}

/** An entry of a season, with what the forms need of it. */
type SeasonEntry = JsonObject & {
  readonly board: string
  readonly generation: number
  readonly season: number
  readonly player: string
  readonly ranking: string | null
  readonly member: string | null
  readonly aside?: { readonly ranking: string | null; readonly member: string | null }
  /** So it is not in the ranking at closing. */
  readonly hiddenAtClosing?: true
  readonly deleted?: true
}

const ofSeason = (entry: JsonObject): SeasonEntry | null => (entry.season === undefined ? null : unsafeCast(entry))

/** Not ranked and in none of the read indexes; `aside` keeps its ranking and sort key. `at`: as in `Change`. */
export function hidden(entry: JsonObject, at: Position | null): JsonObject {
  if (entry.aside !== undefined || entry.deleted === true) return entry
  const { ranking = null, member = null } = entry
  const body = { ...withoutChange(entry), ranking: null, member: null, aside: { ranking, member } }
  return { ...body, ...absence(ofSeason(entry), at) }
}

/** As it was before it was hidden, byte for byte where it is of no season. */
export function shown(entry: JsonObject, at: Position): JsonObject {
  if (entry.deleted === true) return entry
  const { aside, ...rest } = withoutChange(entry)
  const body = { ...rest, ...unsafeCast<JsonObject>(aside ?? {}) }
  const own = ofSeason(body)
  if (own === null) return body
  return { ...body, ...change(own, own.hiddenAtClosing === true ? addedTo : null, at) }
}

/**
 * What remains of an entry of a season once its player or its submission is deleted, because the ranking at closing may
 * have it: its sort key. Of one that was hidden at closing, only that it was: events that are applied again after a
 * crash would otherwise make it again, as one that was not. Null: nothing remains.
 */
export function deleted(entry: JsonObject, at: Position): JsonObject | null {
  const own = ofSeason(entry)
  if (own === null) return null
  if (own.deleted === true) return entry
  const { board, generation, season, player, hiddenAtClosing } = own
  const noted = absence(own, at)
  if (hiddenAtClosing !== true && noted.changedIn === undefined) return null
  const rest = { ranking: null, member: null, deleted: true, ...(hiddenAtClosing && { hiddenAtClosing }) }
  return { board, generation, season, player, ...rest, ...noted }
}

/** An entry that was hidden, shown or deleted, once its season is closed. Null: nothing remains. */
export function atClosing(entry: JsonObject): JsonObject | null {
  if (entry.deleted === true) return null
  const body = withoutChange(entry)
  return entry.aside === undefined ? body : { ...body, hiddenAtClosing: true }
}

const absence = (own: SeasonEntry | null, at: Position | null): Change =>
  own === null ? {} : change(own, own.hiddenAtClosing === true ? null : absentFrom, at)

/** Nothing of an entry without a sort key, which was never ranked. */
function change(own: SeasonEntry, as: ((ranking: string) => string) | null, at: Position | null): Change {
  const { ranking, member } = own.aside ?? own
  if (ranking === null || member === null) return {}
  const changedIn = seasonKey(own.board, FIRST_NUMBERING, own.season)
  return { changedIn, changedAt: at, differsAs: as === null ? null : as(ranking), differsKey: member }
}

function withoutChange(entry: JsonObject): JsonObject {
  if (entry.changedIn === undefined) return entry
  const { changedIn, changedAt, differsAs, differsKey, ...rest } = entry
  return rest
}
