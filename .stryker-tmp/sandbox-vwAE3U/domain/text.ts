// Characters that no text shown to people may hold: they move a cursor, break a line or turn text round.

/** Controls, line separators, lone halves of a pair, and what changes the direction of text. */
const CONTROL_OR_BIDI = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'

const ANY = new RegExp(CONTROL_OR_BIDI, 'u')
const ALL = new RegExp(CONTROL_OR_BIDI, 'gu')
const ANY_IN_LINES = new RegExp(`(?![\\n\\t])${CONTROL_OR_BIDI}`, 'u')

export const hasControlOrBidi = (text: string): boolean => ANY.test(text)

/** Of text that may have lines and tabs. */
export const hasControlOrBidiInLines = (text: string): boolean => ANY_IN_LINES.test(text)

/** The text with a mark in place of each. */
export const withoutControlOrBidi = (text: string, mark: string): string => text.replaceAll(ALL, mark)
