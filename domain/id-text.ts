// The characters allowed in ids that callers send: ids of games, boards, players, scores, files and rooms, and prefixes
// of keys. Text with other characters is refused before it reaches a store.

/** The longest id that is accepted. Ids made by the server have 24 characters, prefixes of keys 27. */
export const ID_MAX_CHARACTERS = 128

/** Letters, digits, `_` and `-`: also the characters of one part of a permission. */
export const ID_GRAMMAR = /^[A-Za-z0-9_-]{1,128}$/

export const isIdText = (text: string): boolean => ID_GRAMMAR.test(text)
