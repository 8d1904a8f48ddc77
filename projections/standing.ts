// A player's standing on a board: what the document of their entry is made of.

import { type StoredEvent, shaped } from '../domain/event.ts'
import type { ScoreSubmittedData } from '../domain/score.ts'

/** The submission that an entry began with: it gives its id, and the time it was added. */
export interface Begun {
  readonly id: string
  readonly added: string
}

export interface Standing {
  readonly player: string
  /** Null where that is the same submission. */
  readonly begun: Begun | null
  /** Id, time and revision of the submission that the entry shows; while it shows none, of the one it began with. */
  readonly id: string
  readonly time: string
  readonly revision: number
  /** Null while all of the player's submissions on a unique board are outside the bounds. */
  readonly shown: Pick<ScoreSubmittedData, 'score' | 'secondary' | 'extra' | 'playerName'> | null
}

export function standingBy({ data, meta, revision }: StoredEvent, begun: Begun | null, isInside: boolean): Standing {
  const sent = shaped<ScoreSubmittedData>(data)
  const { player = '', time } = meta
  return { player, begun, id: sent.id, time, revision, shown: isInside ? sent : null }
}
