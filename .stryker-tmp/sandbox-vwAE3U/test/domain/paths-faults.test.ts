// Every fault of a path has its own text, and limits count bytes in UTF-8 at each width of a character.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { pathFault } from '../../domain/paths.ts'

const TOO_LONG = 'must be at most 1024 bytes in UTF-8: shorten it'
const NAME_TOO_LONG = 'must not hold a name of more than 255 bytes'

describe('pathFault', () => {
  const FAULTS: readonly (readonly [string, string, 'folder' | 'file' | 'either', string])[] = [
    ['a path without a leading slash', 'a/b', 'either', 'must be an absolute path: begin it with /'],
    ['an empty path', '', 'either', 'must be an absolute path: begin it with /'],
    ['a path of 1,025 letters', `/${'a/'.repeat(512)}`, 'either', TOO_LONG],
    ['a path of 1,025 bytes in fewer characters', `/${'é'.repeat(512)}`, 'either', TOO_LONG],
    ['a file’s path where a folder’s is expected', '/a', 'folder', 'must be a folder’s path: end it with /'],
    ['a folder’s path where a file’s is expected', '/a/', 'file', 'must be a file’s path: leave out the / at its end'],
    ['a path with a backslash', '/a\\b', 'either', 'must not hold \\: folders are divided by /'],
    ['a path with a NUL', '/a\0b', 'either', 'must not hold control or bidi characters: remove them'],
    ['a path with a bidi override', '/a\u202eb', 'either', 'must not hold control or bidi characters: remove them'],
    ['a decomposed letter', '/e\u0301', 'either', 'must be in Unicode’s form NFC: compose it'],
    ['a file 33 folders deep', `/${'a/'.repeat(33)}f`, 'file', 'must be at most 32 folders deep'],
    ['a folder 33 folders deep', `/${'a/'.repeat(33)}`, 'folder', 'must be at most 32 folders deep'],
    ['two slashes in a row', '/a//b', 'either', 'must not hold //: keep one /'],
    ['two slashes alone', '//', 'either', 'must not hold //: keep one /'],
    ['a name that is one dot', '/a/./b', 'either', 'must not hold . or .. as a name: write the path out'],
    ['a name that is two dots', '/a/../b', 'either', 'must not hold . or .. as a name: write the path out'],
    [
      'a name that begins with a space',
      '/a/ b',
      'file',
      'must not hold a name that begins or ends with a space: trim it',
    ],
    [
      'a name that ends with a space',
      '/a /b',
      'file',
      'must not hold a name that begins or ends with a space: trim it',
    ],
    ['a name of 256 letters', `/${'a'.repeat(256)}`, 'file', NAME_TOO_LONG],
  ]
  for (const [what, path, kind, fault] of FAULTS) {
    it(`refuses ${what} and says what to do`, () => expect(pathFault(path, kind)).to.equal(fault))
  }

  it('accepts a folder’s path and a file’s path where either is expected', () => {
    expect([pathFault('/', 'either'), pathFault('/a/', 'either'), pathFault('/a', 'either')]).to.deep.equal([
      null,
      null,
      null,
    ])
  })

  it('accepts names of dots beside letters, and of three dots', () => {
    expect(['/..a', '/a..', '/...', '/.a', '/a.'].map((path) => pathFault(path, 'file'))).to.deep.equal([
      null,
      null,
      null,
      null,
      null,
    ])
  })

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
      expect([pathFault(`/${full}`, 'file'), pathFault(`/${full}b`, 'file')]).to.deep.equal([null, NAME_TOO_LONG])
      expect(pathFault(`/${fits}${character}`, 'file')).to.equal(NAME_TOO_LONG)
    })
  }

  it('counts U+0080 as two bytes, before it refuses it as a control character', () => {
    expect(pathFault(`/${'\u0080'.repeat(512)}`, 'file')).to.equal(TOO_LONG)
    expect(pathFault(`/${'\u0080'.repeat(511)}`, 'file')).to.equal(
      'must not hold control or bidi characters: remove them',
    )
  })
})
