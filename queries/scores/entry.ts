// An entry as stored in the entries view, and as returned by the API.

import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { type JsonObject, type Position, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import {
  type ScoreContent,
  type ScoreDetails,
  type ScoreSubmittedData,
  type ScoreValues,
  submissionOf,
} from '../../domain/score.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import type { DocumentValues } from '../../stores/contract/rankings.ts'
import type { Document } from '../../stores/contract/views.ts'

/** The content of a score as it is shown: with the player's name. */
interface ShownContent extends ScoreValues, Omit<ScoreDetails, 'playerName'> {
  /** The name submitted with the score, else the player's current one; null if the player is deleted. */
  readonly name: string | null
}

/** An entry without its content. */
export interface EntryFrame {
  readonly id: string
  readonly board: string
  /** The generation of the board's entries. */
  readonly generation: number
  readonly player: string
  readonly ranking: string
  /** The sort key. */
  readonly member: string
  readonly added: string
  readonly updated: string
  /** Of the submission that it shows, in its stream; only of entries that were read from their documents. */
  readonly revision?: number
}

export interface Entry extends EntryFrame, ShownContent {}

/** What an answer shows of an entry. */
export type AnsweredEntry = Pick<EntryFrame, 'id' | 'player' | 'added' | 'updated'> & ShownContent

/**
 * An entry that shows a submission. `present` is the player's current name. Fields are listed one by one, because a
 * spread that adds fields costs a microsecond.
 */
export function answeredEntry(
  frame: Pick<EntryFrame, 'id' | 'player' | 'added' | 'updated'>,
  values: ScoreValues,
  details: ScoreDetails,
  present: string | null,
): AnsweredEntry {
  return {
    id: frame.id,
    player: frame.player,
    score: values.score,
    secondary: values.secondary,
    extra: details.extra,
    name: details.playerName ?? present,
    added: frame.added,
    updated: frame.updated,
  }
}

/** The same for a whole entry. */
export function entryShowing(
  frame: EntryFrame,
  values: ScoreValues,
  details: ScoreDetails,
  present: string | null,
): Entry {
  return {
    id: frame.id,
    board: frame.board,
    generation: frame.generation,
    player: frame.player,
    ranking: frame.ranking,
    member: frame.member,
    score: values.score,
    secondary: values.secondary,
    extra: details.extra,
    name: details.playerName ?? present,
    added: frame.added,
    updated: frame.updated,
  }
}

/** Whether an entry is shown: those of banned players are stored but hidden. */
export const isShown = ({ body }: Document): boolean => body.member !== null

/** An entry and its rank from 1, best first. */
export interface Ranked {
  readonly entry: Entry
  readonly rank: number
}

export const asEntry = (document: Document): Entry => unsafeCast(document.body)

/** A submission with its time and its position. */
export interface Sent extends ScoreSubmittedData {
  readonly time: string
  readonly position: Position
}

export function sentIn({ data, meta, position }: StoredEvent): Sent {
  const sent = unsafeCast<ScoreSubmittedData>(data)
  return Object.assign(submissionOf(sent.id, sent), { time: meta.time, position })
}

/**
 * For `window=best` on a unique board: a player's entry as it would show these values with the details of one of their
 * submissions. `present` is the player's current name.
 */
export function inWindow(
  entry: Entry,
  { score, secondary }: ScoreValues,
  sent: Sent,
  present: string | null,
  rules: Rules,
): Entry {
  const { position, time } = sent
  const member = sortKeyOf({ score, secondary, position, time }, entry.id, rules)
  return entryShowing({ ...entry, updated: time, member }, { score, secondary }, sent, present)
}

/** The content of a submission as it was sent. */
export function contentAnswer({ score, secondary, extra, playerName }: ScoreContent) {
  return { score, secondary_score: secondary, extra_data: jsonOf(extra), player_name: playerName }
}

export function scoreAnswer(entry: AnsweredEntry) {
  return {
    id: entry.id,
    player: entry.player,
    player_name: entry.name,
    score: entry.score,
    secondary_score: entry.secondary,
    added: entry.added,
    updated: entry.updated,
    extra_data: jsonOf(entry.extra),
  }
}

const jsonOf = (text: string | null): JsonObject | null => (text === null ? null : (JSON.parse(text) as JsonObject))

/** The fields of an entry that `textBeforeRank` takes, in their order. */
export const ANSWERED_FIELDS = [
  'id',
  'player',
  'name',
  'score',
  'secondary',
  'added',
  'updated',
  'extra',
] as const satisfies readonly (keyof Entry)[]

type AnsweredValues = readonly [
  id: string,
  player: string,
  name: string | null,
  score: Decimal,
  secondary: Decimal | null,
  added: string,
  updated: string,
  extra: string | null,
]

/**
 * The JSON of `rankedAnswer` up to the rank. Ids, decimals and times are ASCII without characters that JSON escapes.
 * `JSON.stringify` of the answer costs two to three times as much.
 */
export function textBeforeRank(values: DocumentValues): string {
  const [id, player, name, score, secondary, added, updated, extra] = values as AnsweredValues
  // Joined, not concatenated: V8 would keep all parts of a concatenated text.
  return [
    '{"id":"',
    id,
    '","player":"',
    player,
    '","player_name":',
    JSON.stringify(name),
    ',"score":"',
    score,
    secondary === null ? '","secondary_score":null,"added":"' : `","secondary_score":"${secondary}","added":"`,
    added,
    '","updated":"',
    updated,
    extra === null ? '","extra_data":null,"rank":' : `","extra_data":${JSON.stringify(jsonOf(extra))},"rank":`,
  ].join('')
}

export const rankedAnswer = ({ entry, rank }: Ranked) => Object.assign(scoreAnswer(entry), { rank })

/** A row of a season. `finalRank`: null in an open one, and for an entry that was hidden at the closing. */
export const seasonRowAnswer = (ranked: Ranked, finalRank: number | null) =>
  Object.assign(rankedAnswer(ranked), { final_rank: finalRank })
