// The name of a ranking: a board in one generation of its rules.

export const rankingKey = (board: string, generation: number): string => `${board}.${generation}`
