// Case-insensitive comparison of names.

/**
 * Lower case alone would map a capital sigma to two forms, depending on whether a word ends there; upper case after it
 * depends only on the character.
 */
export const toCaseless = (text: string): string => text.normalize('NFC').toLowerCase().toUpperCase()
