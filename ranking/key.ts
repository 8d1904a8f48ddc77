// The keys of a board's rankings and the ids of its entry documents, each for one generation of entries, of the whole
// board or of one season.

/** `season`: absent for the ranking of the whole board. */
export const rankingKey = (board: string, generation: number, season?: number): string =>
  season === undefined ? `${board}.${generation}` : `${board}.${generation}.s${season}`

/** The key of the ranking that has each player of a season once, where each submission is an entry. */
export const playersKey = (board: string, generation: number, season: number): string =>
  `${rankingKey(board, generation, season)}.players`

/** Names a season of a board in a numbering of its seasons, in any generation. */
export const seasonKey = (board: string, numbering: number, season: number): string =>
  `${board}.${numbering}.s${season}`

/** The id of a document with records of a board's seasons (domain/season-records.ts). */
export const seasonsChunk = (board: string, numbering: number, chunk: number): string =>
  `${board}.${numbering}.${chunk}`

/** The entries of a season's ranking at its closing that are hidden or deleted now. */
export const absentFrom = (ranking: string): string => `${ranking}-`

/** The entries of a season's ranking that were hidden at its closing. */
export const addedTo = (ranking: string): string => `${ranking}+`

/** What identifies an entry document. */
interface EntryKey {
  readonly board: string
  /** From 1. Documents of the first generation have shorter ids. */
  readonly generation: number
  /** Absent: an entry of the whole board. */
  readonly season?: number | undefined
  readonly unique: boolean
  readonly player: string
  /** The submission that the entry is, if each submission is an entry. */
  readonly submission: string
}

/**
 * The id of an entry's document: derived from the player on a unique board, else from the submission. The `id` field of
 * a unique board's entry differs: it changes when the player's submissions were deleted and a new entry begins.
 */
export function entryDocument({ board, generation, season, unique, player, submission }: EntryKey): string {
  if (season !== undefined) return `${rankingKey(board, generation, season)}.${unique ? player : submission}`
  if (unique) return generation === 1 ? uniqueEntry(board, player) : `${board}.${generation}.${player}`
  return generation === 1 ? submission : `${board}.${generation}.${submission}`
}

const uniqueEntry = (board: string, player: string): string => `${board}.${player}`
