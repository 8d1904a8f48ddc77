// Names that are set: which characters they may have, and what a refusal says.

import { expect } from 'chai'
import { composedName, nameFault, storedNameFault } from '../../domain/name.ts'

const shown = (text: string) => [...text].map((one) => (one.codePointAt(0) ?? 0).toString(16)).join(' ')
const nothing = (point: string) => `must not contain ${point}, which shows nothing: remove it`
const unknown = (point: string) => `must not contain ${point}, which has no agreed meaning: remove it`
const BLANK = 'must have a character that shows something: combining marks alone show nothing'

const ACCEPTED: readonly (readonly [string, string])[] = [
  ['plain text', 'Ada Lovelace 1815!'],
  ['letters of every script', 'Größe שלום مرحبا ไทย 日本 Ω'],
  ['a letter with marks', 'x\u0323\u0307'],
  ['punctuation alone', '...'],
  ['a character that Unicode has not assigned yet', '\u{1faff}'],
  ['an Arabic number sign', '\u0600'],
  ['a non-breaking space between words', 'a\u00a0b'],
  ['an emoji', '😀'],
  ['an emoji with its presentation selector', '❤\ufe0f'],
  ['a family', '👩\u200d👩\u200d👧\u200d👦'],
  ['a skin tone and a profession', '🧑🏽\u200d🚀'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['a flag of two letters', '🇩🇪'],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['emoji side by side', 'A👁\ufe0f\u200d🗨\ufe0fB©\ufe0f'],
  ['ZWNJ between joining letters of Persian', 'می\u200cخواهم'],
  ['ZWNJ after a letter with a vowel mark', 'ب\u064e\u200cب'],
  ['ZWNJ in a conjunct of Devanagari', 'क्\u200cष'],
  ['ZWJ in a conjunct of Devanagari', 'क्\u200dष'],
  ['ZWJ at the end of a conjunct of Malayalam', 'ന്\u200d'],
  ['ZWJ in Sinhala', 'ශ්\u200dරී'],
  ['ZWNJ after a nukta', 'क\u093c्\u200cष'],
  ['ZWNJ in Mongolian', 'ᠠ\u200cᠠ'],
]

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['two zero width spaces', '\u200b\u200b', nothing('U+200B')],
  ['a zero width space behind a name', 'Ada\u200b', nothing('U+200B')],
  ['a braille blank', '\u2800', nothing('U+2800')],
  ['a braille blank inside', 'a\u2800b', nothing('U+2800')],
  ['a soft hyphen', 'Ada\u00adB', nothing('U+00AD')],
  ['a word joiner', 'Ada\u2060B', nothing('U+2060')],
  ['a byte order mark inside', 'Ada\ufeffB', nothing('U+FEFF')],
  ['a Hangul filler', '\u3164', nothing('U+3164')],
  ['a variation selector behind a letter', 'a\ufe0f', nothing('U+FE0F')],
  ['a text presentation selector', '☺\ufe0e', nothing('U+FE0E')],
  ['an ideographic variation', '葛\u{e0100}', nothing('U+E0100')],
  ['tags behind a letter', 'a\u{e0061}', nothing('U+E0061')],
  ['a flag of tags that is none', '🏴\u{e0078}\u{e0078}\u{e007f}', nothing('U+E0078')],
  ['an invisible operator', 'a\u2063b', nothing('U+2063')],
  ['a musical format character', 'a\u{1d173}', nothing('U+1D173')],
  ['an unassigned ignorable character', 'a\u{e0fff}', nothing('U+E0FFF')],
  ['ZWJ between emoji that make none', '😀\u200d😀', nothing('U+200D')],
  ['ZWJ behind an emoji', '👩\u200d', nothing('U+200D')],
  ['ZWJ between Latin letters', 'a\u200db', nothing('U+200D')],
  ['ZWNJ between Latin letters', 'a\u200cb', nothing('U+200C')],
  ['ZWNJ at the end of Persian', 'می\u200c', nothing('U+200C')],
  ['ZWNJ at the start of Persian', '\u200cمی', nothing('U+200C')],
  ['ZWNJ behind a letter that joins only to the right', 'د\u200cب', nothing('U+200C')],
  ['two ZWNJ', 'می\u200c\u200cخواهم', nothing('U+200C')],
  ['ZWNJ between joining letters of two scripts', 'ب\u200cܒ', nothing('U+200C')],
  ['ZWJ between joining letters', 'ب\u200dب', nothing('U+200D')],
  ['ZWNJ behind a virama at the end', 'क्\u200c', nothing('U+200C')],
  ['ZWNJ in a conjunct of two scripts', 'क्\u200cক', nothing('U+200C')],
  ['ZWJ behind a virama before a vowel sign', 'क्\u200dि', nothing('U+200D')],
  ['ZWJ behind a virama of another script', 'ක्\u200dෂ', nothing('U+200D')],
  ['ZWJ behind a virama without a letter', '्\u200dक', nothing('U+200D')],
  ['ZWJ before a virama', 'र\u200d्य', nothing('U+200D')],
  ['private use', 'a\ue000', unknown('U+E000')],
  ['private use beyond the first plane', '\u{10fffd}', unknown('U+10FFFD')],
  ['a noncharacter', 'a\ufffe', unknown('U+FFFE')],
  ['a noncharacter of the Arabic block', 'a\ufdd0', unknown('U+FDD0')],
  ['a noncharacter beyond the first plane', 'a\u{1ffff}', unknown('U+1FFFF')],
  ['marks alone', '\u0301\u0302', BLANK],
  ['spacing marks alone', '\u0903', BLANK],
  ['an enclosing mark alone', '\u20dd', BLANK],
  ['a notehead without ink', '\u{1d159}', BLANK],
  ['nothing', '', 'must not be empty: give 1 to 64 characters'],
  ['65 emoji', '😀'.repeat(65), 'must be at most 64 characters: shorten it'],
  ['spaces alone', '\u00a0', 'must not begin or end with a space: trim it'],
  ['a bidi mark', 'a\u200f', 'must not contain control or bidi characters: remove them'],
]

describe('a name that is set', () => {
  for (const [what, name] of ACCEPTED) {
    it(`may have ${what}`, () => {
      expect(nameFault(composedName(name)), shown(name)).to.equal(null)
    })
  }

  for (const [what, name, fault] of REFUSED) {
    it(`may not have ${what}`, () => {
      expect(nameFault(composedName(name)), shown(name)).to.equal(fault)
    })
  }

  it('may have no ignorable, private use or noncharacter code point on its own or behind a letter', () => {
    const refused = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Co}\u2800]/u
    for (let code = 0x80; code <= 0x10ffff; code += code < 0x3200 ? 1 : 7) {
      const character = String.fromCodePoint(code)
      if (!refused.test(character)) continue
      for (const name of [character, `a${character}b`]) {
        if (nameFault(composedName(name)) === null) expect.fail(`U+${code.toString(16)} is accepted`)
      }
    }
  })

  it('is compared with a stored one under the earlier rules, which allowed invisible characters', () => {
    for (const name of ['\u200b\u200b', 'Ada\u200b', '\u2800', '\ue000', '\u0301'])
      expect(storedNameFault(name)).to.equal(null)
    expect(storedNameFault(' a')).to.equal('must not begin or end with a space: trim it')
  })

  it('is checked in a time in proportion to its length', () => {
    const startMs = performance.now()
    for (const part of ['ب\u200c', '\u064e', 'क्\u200d', '\u200d', '👩\u200d', 'a\u0300', '\u3099'])
      nameFault(composedName(part.repeat(500_000)))
    expect(performance.now() - startMs).to.be.lessThan(5_000)
  })
})
