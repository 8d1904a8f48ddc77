// Names compared without regard to case.

/**
 * Lower case alone would write a capital sigma in two ways, by whether a word ends there; upper case after it looks at
 * nothing but the character itself.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().toUpperCase()
