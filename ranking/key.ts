// Names of what a board is kept under: its ranking and its entries' documents, each in one generation of its entries.

export const rankingKey = (board: string, generation: number): string => `${board}.${generation}`

/** What is said of an entry apart from its content: where it is, and whose. */
interface EntryPlace {
  readonly board: string
  /** From 1. The first one's documents have shorter names. */
  readonly generation: number
  readonly unique: boolean
  readonly player: string
  /** The submission that is the entry, where each is one. */
  readonly submission: string
}

/**
 * The id of an entry's document: on a unique board the player's, else the submission's own. A unique entry's own id is
 * another: it changes when the player starts over.
 */
export function entryDocument({ board, generation, unique, player, submission }: EntryPlace): string {
  if (unique) return generation === 1 ? uniqueEntry(board, player) : `${board}.${generation}.${player}`
  return generation === 1 ? submission : `${board}.${generation}.${submission}`
}

const uniqueEntry = (board: string, player: string): string => `${board}.${player}`
