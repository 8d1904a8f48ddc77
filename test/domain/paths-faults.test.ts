// Every fault of a path is named in its text, and limits count bytes in UTF-8 at each width of a character.

import { expect } from 'chai'
import { pathFault } from '../../domain/paths.ts'

const TOO_LONG = /1024 bytes/
const CONTROL = /control or bidi/
const NAME_TOO_LONG = /255 bytes/

describe('pathFault', () => {
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
  ]
  for (const [what, path, kind, fault] of FAULTS) {
    it(`refuses ${what} and says what to do`, () => expect(pathFault(path, kind)).to.match(fault))
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
      expect(pathFault(`/${full}`, 'file')).to.equal(null)
      expect(pathFault(`/${full}b`, 'file')).to.match(NAME_TOO_LONG)
      expect(pathFault(`/${fits}${character}`, 'file')).to.match(NAME_TOO_LONG)
    })
  }

  it('counts U+0080 as two bytes, before it refuses it as a control character', () => {
    expect(pathFault(`/${'\u0080'.repeat(512)}`, 'file')).to.match(TOO_LONG)
    expect(pathFault(`/${'\u0080'.repeat(511)}`, 'file')).to.match(CONTROL)
  })
})
