// Names of what a board is kept under: its ranking, in one generation of its rules, and on a unique board each player's entry.

export const rankingKey = (board: string, generation: number): string => `${board}.${generation}`

/** The document of a player's one entry. The entry's own id is another: it changes when the player starts anew. */
export const uniqueEntry = (board: string, player: string): string => `${board}.${player}`
