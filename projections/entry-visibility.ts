// The forms of an entry document: shown, hidden while its player is banned, and what remains of an entry of a season
// that is gone. Entries of seasons note how they differ from the standing with which their season is closed, so that
// the rank at closing can be computed from the present one (queries/final-ranks.ts). Each form follows from the
// document before and the event alone.

import { type JsonObject, unsafeCast } from '../domain/event.ts'
import { absentFrom, lateIn, seasonKey } from '../ranking/key.ts'

/** In the index `differing`: the season of a leaderboard, how entries differ from its standing, and their sort keys. */
interface Difference {
  readonly differs?: string
  readonly differsAs?: string
  readonly differsKey?: string
}

/** An entry of a season, with what the forms need of it. `late`: it was hidden when its season was closed. */
type SeasonEntry = JsonObject & {
  readonly board: string
  readonly generation: number
  readonly season: number
  readonly player: string
  readonly ranking: string | null
  readonly member: string | null
  readonly aside?: { readonly ranking: string | null; readonly member: string | null }
  readonly late?: true
  readonly gone?: true
}

const ofSeason = (entry: JsonObject): SeasonEntry | null => (entry.season === undefined ? null : unsafeCast(entry))

/** Not ranked and in none of the read indexes; `aside` keeps its ranking and sort key. */
export function hidden(entry: JsonObject): JsonObject {
  if (entry.aside !== undefined || entry.gone === true) return entry
  const { ranking = null, member = null } = entry
  const body = { ...withoutDifference(entry), ranking: null, member: null, aside: { ranking, member } }
  return { ...body, ...absence(ofSeason(entry)) }
}

/** Byte for byte as it was before it was hidden. */
export function shown(entry: JsonObject): JsonObject {
  if (entry.gone === true) return entry
  const { aside, ...rest } = withoutDifference(entry)
  const body = { ...rest, ...unsafeCast<JsonObject>(aside ?? {}) }
  const own = ofSeason(body)
  return own?.late === true ? { ...body, ...difference(own, lateIn) } : body
}

/**
 * What remains of an entry of a season once its player or its submission is deleted, because the standing may have it:
 * its sort key. Of a late one, only that it was late: events that are applied again after a crash would otherwise make
 * it again, as one that was not hidden when its season was closed. Null: nothing remains.
 */
export function gone(entry: JsonObject): JsonObject | null {
  const own = ofSeason(entry)
  if (own === null) return null
  if (own.gone === true) return entry
  const { board, generation, season, player } = own
  const noted = own.late === true ? { late: true as const } : absence(own)
  if (own.late !== true && !('differs' in noted)) return null
  return { board, generation, season, player, ranking: null, member: null, gone: true, ...noted }
}

/** The entry, which differs from its standing, once its season is closed without it. Null: nothing remains. */
export function outOfStanding(entry: JsonObject): JsonObject | null {
  return entry.gone === true ? null : { ...withoutDifference(entry), late: true }
}

const absence = (own: SeasonEntry | null): Difference =>
  own === null || own.late === true ? {} : difference(own, absentFrom)

function difference(own: SeasonEntry, as: (ranking: string) => string): Difference {
  const { ranking, member } = own.aside ?? own
  if (ranking === null || member === null) return {}
  return { differs: seasonKey(own.board, own.season), differsAs: as(ranking), differsKey: member }
}

function withoutDifference(entry: JsonObject): JsonObject {
  if (entry.differs === undefined) return entry
  const { differs, differsAs, differsKey, ...rest } = entry
  return rest
}
