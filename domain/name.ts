// Names that callers set for players, games, leaderboards, buckets, keys and rooms, and beside scores.

import { hasControlOrBidi } from './text.ts'
import { isJoinerInContext } from './zero-width-joiners.ts'

export const NAME_MAX_CHARACTERS = 64
/** More UTF-16 code units per character than any composed text needs. */
const UNITS_PER_CHARACTER = 8

/** Brought to NFC, in which every name is stored and compared. A far too long text stays as it is. */
export function composedName(text: string): string {
  // NFC of a text with many combining marks takes quadratic time.
  return text.length > NAME_MAX_CHARACTERS * UNITS_PER_CHARACTER ? text : text.normalize('NFC')
}

/**
 * What is wrong with a name that was set under earlier rules too, and how to correct it; null if nothing is. For names
 * that are compared with stored ones. `name`: composed.
 */
export function storedNameFault(name: string): string | null {
  if (name === '') return 'must not be empty: give 1 to 64 characters'
  if (isLongerThan(name, NAME_MAX_CHARACTERS)) return 'must be at most 64 characters: shorten it'
  if (hasControlOrBidi(name)) return 'must not contain control or bidi characters: remove them'
  if (name.trim() !== name) return 'must not begin or end with a space: trim it'
  return null
}

const PRINTABLE_ASCII = /^[ -~]*$/
// TypeScript refuses the flag v, which the property of sequences needs, for the target ES2023; Node.js 20 has it.
const EMOJI = new RegExp('\\p{RGI_Emoji}', ['g', 'v'].join(''))
/** Stands for an emoji: a symbol that joins nothing. */
const SYMBOL = '\u25a0'
const JOINER = /[\u200c\u200d]/g
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u
const WITHOUT_MEANING = /[\p{Noncharacter_Code_Point}\p{Co}]/u
/** Format characters with a glyph: numbers and verses of Arabic, Syriac and Kaithi are written in them. */
const SHOWN_FORMAT = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}'
/** Letters, digits, punctuation, symbols, and what later versions of Unicode assign; not the notehead without ink. */
const SHOWN = new RegExp(`(?!\\u{1d159})[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Cn}${SHOWN_FORMAT}]`, 'u')

/** What is wrong with a name to be set, and how to correct it; null if nothing is. `name`: composed. */
export function nameFault(name: string): string | null {
  const fault = storedNameFault(name)
  if (fault !== null || PRINTABLE_ASCII.test(name)) return fault
  const text = name.replaceAll(EMOJI, SYMBOL)
  const rest = text.replaceAll(JOINER, (joiner, at: number) => (isJoinerInContext(text, at) ? '' : joiner))
  const ignorable = IGNORABLE.exec(rest)?.[0]
  if (ignorable !== undefined) return `must not contain ${pointOf(ignorable)}, which shows nothing: remove it`
  const unknown = WITHOUT_MEANING.exec(rest)?.[0]
  if (unknown !== undefined) return `must not contain ${pointOf(unknown)}, which has no agreed meaning: remove it`
  return SHOWN.test(rest) ? null : 'must have a character that shows something: combining marks alone show nothing'
}

const pointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Whether a text has more than this many code points. */
export function isLongerThan(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return false
  if (text.length > codePoints * 2) return true
  return [...text].length > codePoints
}
