// Paths: one spelling each. The reference is written another way: a grammar over a list of names.

import { expect } from 'chai'
import fc from 'fast-check'
import { folderOf, foldersTo, nameOf, pathFault, sortKeyOf } from '../../domain/paths.ts'

const RUNS = Number(process.env.PATH_RUNS ?? 3_000)

/** From the contract, without a look at the code: the names that a path is put together from, or null. */
function reference(text: string, isFolder: boolean): string[] | null {
  const bytes = Buffer.from(text)
  if (bytes.toString() !== text || bytes.length > 1024 || text[0] !== '/') return null
  if (text === '/') return isFolder ? [] : null
  const names = text.split('/').slice(1)
  if (isFolder && names.pop() !== '') return null
  if (names.length > 32 + (isFolder ? 0 : 1)) return null
  const isGood = (name: string) => {
    if (['', '.', '..'].includes(name) || Buffer.byteLength(name) > 255) return false
    if (/^\s|\s$/u.test(name) || name !== name.normalize('NFC')) return false
    return [...name].every((one) => {
      const code = one.codePointAt(0) ?? 0
      const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029
      const isBidi =
        [0x61c, 0x200e, 0x200f].includes(code) ||
        (code >= 0x202a && code <= 0x202e) ||
        (code >= 0x2066 && code <= 0x2069)
      return one !== '\\' && !isControl && !isBidi
    })
  }
  return names.every(isGood) ? names : null
}

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('/', '/', '/', 'a', 'b', '.', '..', ' ', '\\', '%2e', 'é', 'e\u0301', '\u00c5'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\0',
      '\n',
      '\u202e',
      '\u200f',
      '\u061c',
      '\u2028',
      '\u00a0',
      '\ufeff',
      '\ud800',
      '\udc00',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('x'.repeat(255), 'é'.repeat(128), '\u{1F600}', '\uFF5E', '\u212b', '\u1e9b\u0323'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
)
const path = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
const likelyPath = fc.oneof(
  path,
  path.map((text) => `/${text}`),
  path.map((text) => `/${text}/`),
)

describe('a path', () => {
  it('is taken in one spelling only, as a reference written another way has it', () => {
    fc.assert(
      fc.property(likelyPath, (text) => {
        for (const kind of ['folder', 'file'] as const) {
          const names = reference(text, kind === 'folder')
          expect(pathFault(text, kind) === null, JSON.stringify([kind, text])).to.equal(names !== null)
          if (names === null) continue
          expect(nameOf(text)).to.equal(names.at(-1) ?? '')
          const above = names.slice(0, kind === 'folder' ? names.length : -1)
          const folders = ['/', ...above.map((_, i) => `/${above.slice(0, i + 1).join('/')}/`)]
          expect(foldersTo(text)).to.deep.equal(folders)
          expect(folderOf(text)).to.equal(kind === 'file' ? folders.at(-1) : (folders.at(-2) ?? '/'))
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('has its limits exactly', () => {
    const deep = (levels: number) => `/${'a/'.repeat(levels)}`
    expect([pathFault(deep(32), 'folder'), pathFault(`${deep(32)}f`, 'file')]).to.deep.equal([null, null])
    for (const [text, kind] of [
      [deep(33), 'folder'],
      [`${deep(33)}f`, 'file'],
      [`/${'a'.repeat(256)}`, 'file'],
      [`/${'é'.repeat(128)}`, 'file'],
      [`/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(204)}`, 'file'],
    ] as const) {
      expect(pathFault(text, kind), text.slice(0, 20)).to.be.a('string')
    }
    expect(pathFault(`/${'a'.repeat(255)}`, 'file')).to.equal(null)
    expect(pathFault(`/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(203)}`, 'file')).to.equal(null)
  })

  it('sorts by code unit in a store that sorts by code point', () => {
    const unit = fc.constantFrom(
      'a',
      'Z',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10fffe}',
      '\u{10ffff}',
    )
    const word = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
    const sign = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
    fc.assert(
      fc.property(word, word, (a, b) => {
        const stored = Buffer.compare(Buffer.from(sortKeyOf(a)), Buffer.from(sortKeyOf(b)))
        expect(sign(stored, 0), JSON.stringify([a, b])).to.equal(sign(a, b))
      }),
    )
  })
})
