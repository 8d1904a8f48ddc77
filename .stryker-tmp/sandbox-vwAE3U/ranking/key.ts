// The keys of a board's rankings and the ids of its entry documents, each for one generation of entries.

export const rankingKey = (board: string, generation: number): string => `${board}.${generation}`

/** What identifies an entry document. */
interface EntryKey {
  readonly board: string
  /** From 1. Documents of the first generation have shorter ids. */
  readonly generation: number
  readonly unique: boolean
  readonly player: string
  /** The submission that the entry is, if each submission is an entry. */
  readonly submission: string
}

/**
 * The id of an entry's document: derived from the player on a unique board, else from the submission. The `id` field of
 * a unique board's entry differs: it changes when the player's submissions were deleted and a new entry begins.
 */
export function entryDocument({ board, generation, unique, player, submission }: EntryKey): string {
  if (unique) return generation === 1 ? uniqueEntry(board, player) : `${board}.${generation}.${player}`
  return generation === 1 ? submission : `${board}.${generation}.${submission}`
}

const uniqueEntry = (board: string, player: string): string => `${board}.${player}`
