// Where a player's entry on a past board comes from, in one line of text: little enough to keep a million of them. What the
// member does not say (extra data, a name of its own) is read from the history when it is shown.

import type { ScoreSubmittedData } from '../../domain/score.ts'
import { idOfMember } from '../../ranking/member.ts'

export interface Own {
  readonly player: string
  /** Null for a unique board's entry that is none while all of its player's submissions lie outside the bounds. */
  readonly member: string | null
  /** Of the submission that the entry shows, in the player's stream on that board. */
  readonly revision: number
  /** Whether the submission has nothing that the member does not say. */
  readonly bare: boolean
  /** Unix milliseconds; null where it is the member's own time. */
  readonly addedMs: number | null
  readonly id: string
}

/** Sorts below every printable character, so that lines stay in the order of what comes first in them. */
const GAP = ' '
/** What stands after every line that begins with a text and a gap. */
const PAST_GAP = '!'
const NO_MEMBER = '-'

export function lineOf({ player, member, revision, bare, addedMs, id }: Own): string {
  const rest = `${bare ? '.' : '+'}${revision.toString(36)}`
  if (member === null) return [player, NO_MEMBER, rest, (addedMs ?? 0).toString(36), id].join(GAP)
  const line = player + GAP + member + GAP + rest
  return addedMs === null ? line : line + GAP + addedMs.toString(36)
}

export function ownOf(line: string): Own {
  const [player = '', member = '', rest = '', added, id] = line.split(GAP)
  return {
    player,
    member: member === NO_MEMBER ? null : member,
    revision: Number.parseInt(rest.slice(1), 36),
    bare: rest.charAt(0) === '.',
    addedMs: added === undefined ? null : Number.parseInt(added, 36),
    id: id ?? idOfMember(member),
  }
}

/** Where the lines that begin with these texts begin, and where they end. */
export const firstOf = (...texts: readonly string[]): string => texts.join(GAP) + GAP
export const endOf = (...texts: readonly string[]): string => texts.join(GAP) + PAST_GAP

/** A line of the ranking: in the order of members, and saying whose it is. */
export const placeLine = (member: string, player: string): string => member + GAP + player

export function placeOf(line: string): { readonly member: string; readonly player: string } {
  const gap = line.indexOf(GAP)
  return { member: line.slice(0, gap), player: line.slice(gap + 1) }
}

export const isBare = ({ extra, playerName }: ScoreSubmittedData): boolean => extra === null && playerName === null
