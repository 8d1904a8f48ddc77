// Paths: one spelling each, every fault named in its text, and limits that count bytes in UTF-8. 2,000 random paths in
// `npm test`, 10,000 in `npm run test:full`, more in `npm run proof:paths`.

import { expect } from 'chai'
import fc from 'fast-check'
import { collationKeyOf, pathFault } from '../../domain/paths.ts'
import { SEED, sized } from '../seeds.ts'
import { provePaths } from './prove-paths.ts'

const PATHS = sized(2_000, 10_000)
const TOO_LONG = /1024 bytes/
const CONTROL = /control or bidi/
const NAME_TOO_LONG = /255 bytes/

describe('a path', () => {
  it('is accepted in one spelling only, in agreement with a second implementation', () => {
    expect(provePaths({ paths: PATHS, seed: SEED })).to.deep.equal({ tried: PATHS, report: null })
  })

  const FAULTS: readonly (readonly [string, string, 'folder' | 'file' | 'either', RegExp])[] = [
    ['a path without a leading slash', 'a/b', 'either', /absolute/],
    ['an empty path', '', 'either', /absolute/],
    ['a path of 1,025 letters', `/${'a/'.repeat(512)}`, 'either', TOO_LONG],
    ['a path of 1,025 bytes in fewer characters', `/${'é'.repeat(512)}`, 'either', TOO_LONG],
    ['a file’s path where a folder’s is expected', '/a', 'folder', /folder/],
    ['a folder’s path where a file’s is expected', '/a/', 'file', /file/],
    ['a path with a backslash', '/a\\b', 'either', /\\/],
    ['a path with a NUL', '/a\0b', 'either', CONTROL],
    ['a path with a bidi override', '/a\u202eb', 'either', CONTROL],
    ['a decomposed letter', '/e\u0301', 'either', /NFC/],
    ['a file 33 folders deep', `/${'a/'.repeat(33)}f`, 'file', /32 folders/],
    ['a folder 33 folders deep', `/${'a/'.repeat(33)}`, 'folder', /32 folders/],
    ['two slashes in a row', '/a//b', 'either', /\/\//],
    ['two slashes alone', '//', 'either', /\/\//],
    ['a name that is one dot', '/a/./b', 'either', /\. or \.\./],
    ['a name that is two dots', '/a/../b', 'either', /\. or \.\./],
    ['a name that begins with a space', '/a/ b', 'file', /space/],
    ['a name that ends with a space', '/a /b', 'file', /space/],
    ['a name of 256 letters', `/${'a'.repeat(256)}`, 'file', NAME_TOO_LONG],
    ['a name of 256 bytes in 128 letters', `/${'é'.repeat(128)}`, 'file', NAME_TOO_LONG],
    ['names of 1,025 bytes in all', `/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(204)}`, 'file', TOO_LONG],
  ]
  for (const [what, path, kind, fault] of FAULTS) {
    it(`is refused if it is ${what}, and the text says what to do`, () => expect(pathFault(path, kind)).to.match(fault))
  }

  const ACCEPTED: readonly (readonly [string, string, 'folder' | 'file' | 'either'])[] = [
    ['the root, where a file or a folder is expected', '/', 'either'],
    ['a folder, where a file or a folder is expected', '/a/', 'either'],
    ['a file, where a file or a folder is expected', '/a', 'either'],
    ['a folder 32 folders deep', `/${'a/'.repeat(32)}`, 'folder'],
    ['a file 32 folders deep', `/${'a/'.repeat(32)}f`, 'file'],
    ['names of 1,024 bytes in all', `/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(203)}`, 'file'],
    ...['/..a', '/a..', '/...', '/.a', '/a.'].map((path) => [`a name with dots, ${path}`, path, 'file'] as const),
  ]
  for (const [what, path, kind] of ACCEPTED) {
    it(`is accepted if it is ${what}`, () => expect(pathFault(path, kind)).to.equal(null))
  }

  // The first and the last character of each width in UTF-8 that a name may hold.
  const WIDTHS: readonly (readonly [string, number])[] = [
    ['a', 1],
    ['~', 1],
    ['\u00a1', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
  ]
  for (const [character, bytes] of WIDTHS) {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    it(`counts U+${code} as ${bytes} of the 255 bytes of a name`, () => {
      const fits = character.repeat(Math.floor(255 / bytes))
      const full = fits + 'b'.repeat(255 % bytes)
      expect(pathFault(`/${full}`, 'file')).to.equal(null)
      expect(pathFault(`/${full}b`, 'file')).to.match(NAME_TOO_LONG)
      expect(pathFault(`/${fits}${character}`, 'file')).to.match(NAME_TOO_LONG)
    })
  }

  it('counts U+0080 as two bytes, before it refuses it as a control character', () => {
    expect(pathFault(`/${'\u0080'.repeat(512)}`, 'file')).to.match(TOO_LONG)
    expect(pathFault(`/${'\u0080'.repeat(511)}`, 'file')).to.match(CONTROL)
  })

  it('sorts by code unit in a store that sorts by code point', () => {
    const unit = fc.constantFrom(
      ...['a', 'Z', '\ud7ff', '\ue000', '\uffff'],
      ...'\u{10000}\u{1f600}\u{10fffe}\u{10ffff}',
    )
    const word = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
    const sign = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
    fc.assert(
      fc.property(word, word, (a, b) => {
        const stored = Buffer.compare(Buffer.from(collationKeyOf(a)), Buffer.from(collationKeyOf(b)))
        expect(sign(stored, 0), JSON.stringify([a, b])).to.equal(sign(a, b))
      }),
    )
  })
})
