// What an entry is made of: a submission, or what is left of all of a player's; by the domain's own judgement of what
// beats what and what lies within bounds.

import { type StoredEvent, shaped } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import { beats, bestOf, placedOf, type ScoreSubmittedData, within } from '../../domain/score.ts'
import { encodeMember, memberOf, timeOfMember } from '../../ranking/member.ts'
import { fieldsOfMember } from '../../ranking/member-fields.ts'
import type { Own } from './rows.ts'

/**
 * What a submission makes of the entry that its player has on a unique board; of `null` elsewhere.
 * Null where it changes nothing.
 */
export function madeOf(rules: Rules, player: string, event: StoredEvent, held: Own | null): Own | null {
  const data = shaped<ScoreSubmittedData>(event.data)
  const { score, secondary } = data
  const { revision, meta } = event
  const isIn = within(rules, score)
  if (!isIn && (held !== null || !rules.unique)) return null
  if (held?.member && !beats(rules, data, fieldsOfMember(held.member, rules))) return null
  const timeMs = Date.parse(meta.time)
  const id = held?.id ?? data.id
  const member = isIn ? encodeMember({ score, secondary, timeMs, id }, rules) : null
  const begunMs = held === null ? timeMs : addedOf(held)
  return { player, member, revision, bare: isBare(data), addedMs: isIn && begunMs === timeMs ? null : begunMs, id }
}

/** A unique board's entry as what is left of its player's submissions makes it; null where that is nothing. */
export function madeOfAll(rules: Rules, player: string, left: readonly StoredEvent[]): Own | null {
  const [first] = left
  if (first === undefined) return null
  const best = bestOf(rules, left.map(placedOf))
  const { id } = shaped<ScoreSubmittedData>(first.data)
  const { revision, data } = best?.event ?? first
  const member = best === null ? null : memberOf(best, id, rules)
  const bare = isBare(shaped<ScoreSubmittedData>(data))
  return { player, member, revision, bare, addedMs: Date.parse(first.meta.time), id }
}

/** Unix milliseconds of when an entry began. */
const addedOf = ({ addedMs, member }: Own): number => addedMs ?? timeOfMember(member ?? '')

const isBare = ({ extra, playerName }: ScoreSubmittedData): boolean => extra === null && playerName === null
