// One entry as the entries view keeps it, and as a Score is answered.

import type { Decimal } from '../../domain/decimal.ts'
import { type JsonObject, type Moment, shaped } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import { memberOf } from '../../ranking/member.ts'
import type { Document } from '../../stores/contract/views.ts'

export interface Entry {
  readonly id: string
  readonly board: string
  /** Of the board's entries. */
  readonly generation: number
  readonly player: string
  readonly ranking: string
  readonly member: string
  readonly score: Decimal
  readonly secondary: Decimal | null
  /** Canonical JSON text, or null. */
  readonly extra: string | null
  /** Shown beside the entry: the name given with it, else the player's present one; null when the player is deleted. */
  readonly name: string | null
  readonly added: string
  readonly updated: string
}

/** Whether an entry stands there to be read: those of a banned player are kept, and are not. */
export const isShown = ({ body }: Document): boolean => body.member !== null

/** An entry and its place under `best`, from 1. */
export interface Ranked {
  readonly entry: Entry
  readonly rank: number
}

export const asEntry = (document: Document): Entry => shaped(document.body)

/** A submission, and when it was made. */
export interface Sent extends ScoreSubmittedData, Moment {}

/**
 * `window=best` on a unique board: a player's entry as one of their submissions has it.
 * `present` is the player's name of now.
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

export const rankedAnswer = ({ entry, rank }: Ranked) => Object.assign(scoreAnswer(entry), { rank })
