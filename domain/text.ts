// Characters that text shown to people must not contain: control characters and those that change text direction.

/** Control characters, line separators, lone surrogates and bidi controls. */
const CONTROL_OR_BIDI = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Surrogate}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'

const ANY = new RegExp(CONTROL_OR_BIDI, 'u')
const ALL = new RegExp(CONTROL_OR_BIDI, 'gu')
const ANY_IN_LINES = new RegExp(`(?![\\n\\t])${CONTROL_OR_BIDI}`, 'u')

export const hasControlOrBidi = (text: string): boolean => ANY.test(text)

/** The same for text that may contain line breaks and tabs. */
export const hasControlOrBidiInLines = (text: string): boolean => ANY_IN_LINES.test(text)

/** Replaces each of these characters. */
export const withoutControlOrBidi = (text: string, replacement: string): string => text.replaceAll(ALL, replacement)
