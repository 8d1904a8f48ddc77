// Maps an event to a row of columns for spreadsheets and notebooks: one column for each common question, and the full
// event data as JSON.

import type { Json, StoredEvent } from '../../domain/event.ts'

/** Kind of a column: `decimal` is exact, as text; `number` the same as a double, for plotting. */
type Kind = 'text' | 'whole' | 'time' | 'decimal' | 'number' | 'json'

export interface Column {
  readonly name: string
  readonly kind: Kind
  readonly required?: boolean
  /** Text by players, which a spreadsheet may interpret as a formula. */
  readonly free?: boolean
  of(event: StoredEvent): string | number | null
}

export const COLUMNS: readonly Column[] = [
  { name: 'position', kind: 'text', required: true, of: ({ position }) => position },
  { name: 'stream', kind: 'text', required: true, of: ({ stream }) => stream },
  { name: 'revision', kind: 'whole', required: true, of: ({ revision }) => revision },
  { name: 'id', kind: 'text', required: true, of: ({ id }) => id },
  { name: 'type', kind: 'text', required: true, of: ({ type }) => type },
  { name: 'time', kind: 'time', required: true, of: ({ meta }) => meta.time },
  { name: 'game', kind: 'text', of: ({ meta }) => meta.game },
  { name: 'board', kind: 'text', of: ({ meta }) => meta.board ?? null },
  { name: 'player', kind: 'text', of: ({ meta }) => meta.player ?? null },
  { name: 'actor', kind: 'text', of: ({ meta }) => meta.actor },
  { name: 'score_id', kind: 'text', of: ofScore('id') },
  { name: 'score', kind: 'decimal', of: ofScore('score') },
  { name: 'score_number', kind: 'number', of: numberOf(ofScore('score')) },
  { name: 'secondary_score', kind: 'decimal', of: ofScore('secondary') },
  { name: 'secondary_score_number', kind: 'number', of: numberOf(ofScore('secondary')) },
  { name: 'player_name', kind: 'text', free: true, of: nameOf },
  { name: 'data', kind: 'json', required: true, of: ({ data }) => JSON.stringify(data) },
]

type Of = (event: StoredEvent) => string | null

function ofScore(field: string): Of {
  return ({ type, data }) => (type === 'ScoreSubmitted' || type === 'ScoreDeleted' ? textOf(data[field]) : null)
}

function numberOf(of: Of): (event: StoredEvent) => number | null {
  return (event) => {
    const decimal = of(event)
    return decimal === null ? null : Number(decimal)
  }
}

/** The name given with a submission, or the player's new name. */
function nameOf({ type, data }: StoredEvent): string | null {
  if (type === 'ScoreSubmitted') return textOf(data.playerName)
  return type.startsWith('Player') || type.endsWith('Claimed') ? textOf(data.name) : null
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
