// An entry as stored in the entries view, and as returned by the API.

import type { Decimal } from '../../domain/decimal.ts'
import { type JsonObject, type RecordedAt, unsafeCast } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import { memberOf } from '../../ranking/member.ts'
import type { Document } from '../../stores/contract/views.ts'

export interface Entry {
  readonly id: string
  readonly board: string
  /** The generation of the board's entries. */
  readonly generation: number
  readonly player: string
  readonly ranking: string
  readonly member: string
  readonly score: Decimal
  readonly secondary: Decimal | null
  /** Canonical JSON text, or null. */
  readonly extra: string | null
  /** The name submitted with the score, else the player's current one; null if the player is deleted. */
  readonly name: string | null
  readonly added: string
  readonly updated: string
}

/** Whether an entry is shown: those of banned players are stored but hidden. */
export const isShown = ({ body }: Document): boolean => body.member !== null

/** An entry and its rank from 1, best first. */
export interface Ranked {
  readonly entry: Entry
  readonly rank: number
}

export const asEntry = (document: Document): Entry => unsafeCast(document.body)

/** A submission and its time. */
export interface Sent extends ScoreSubmittedData, RecordedAt {}

/**
 * For `window=best` on a unique board: a player's entry as it would show one of their submissions. `present` is the
 * player's current name.
 */
export function inWindow(entry: Entry, sent: Sent, present: string | null, rules: Rules): Entry {
  const { score, secondary, extra, playerName, time } = sent
  const member = memberOf(sent, entry.id, rules)
  return { ...entry, score, secondary, extra, name: playerName ?? present, updated: time, member }
}

export function scoreAnswer(entry: Omit<Entry, 'board' | 'generation' | 'ranking' | 'member'>) {
  return {
    id: entry.id,
    player: entry.player,
    player_name: entry.name,
    score: entry.score,
    secondary_score: entry.secondary,
    added: entry.added,
    updated: entry.updated,
    extra_data: entry.extra === null ? null : (JSON.parse(entry.extra) as JsonObject),
  }
}

/** The JSON of an answer without its closing brace. */
export const openText = (entry: Entry): string => JSON.stringify(scoreAnswer(entry)).slice(0, -1)

export const rankedAnswer = ({ entry, rank }: Ranked) => Object.assign(scoreAnswer(entry), { rank })
