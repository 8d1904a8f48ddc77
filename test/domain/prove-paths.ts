// Checks paths against a second implementation, a grammar over a list of names, with random and mostly nearly valid
// paths.

import fc from 'fast-check'
import { folderOf, foldersTo, nameOf, pathFault } from '../../domain/paths.ts'

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
const path = fc.array(piece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''))
const names = fc.array(fc.constantFrom('a', 'Saves', 'é', 'a b', '..a', '\uFF5E', '\u{1F600}', 'x'.repeat(30)), {
  maxLength: 34,
  size: 'max',
})
const goodPath = fc
  .tuple(names, fc.boolean())
  .map(([all, isFolder]) => `/${all.join('/')}${isFolder && all.length > 0 ? '/' : ''}`)
const likelyPath = fc.oneof(
  path,
  path.map((text) => `/${text}`),
  path.map((text) => `/${text}/`),
  goodPath,
  fc.tuple(goodPath, piece, fc.nat()).map(([text, odd, at]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + odd + text.slice(place)
  }),
)

/** A difference from the second implementation, or null. */
function faultOf(text: string): string | null {
  for (const kind of ['folder', 'file'] as const) {
    const names = reference(text, kind === 'folder')
    if ((pathFault(text, kind) === null) !== (names !== null)) return `${kind} ${JSON.stringify(text)} is taken wrongly`
    if (names === null) continue
    const above = names.slice(0, kind === 'folder' ? names.length : -1)
    const folders = ['/', ...above.map((_, i) => `/${above.slice(0, i + 1).join('/')}/`)]
    const holding = kind === 'file' ? folders.at(-1) : (folders.at(-2) ?? '/')
    const isRead =
      nameOf(text) === (names.at(-1) ?? '') &&
      JSON.stringify(foldersTo(text)) === JSON.stringify(folders) &&
      folderOf(text) === holding
    if (!isRead) return `${kind} ${JSON.stringify(text)} is read wrongly`
  }
  return null
}

export interface ProvenPaths {
  readonly tried: number
  /** The first fault with its seed, or null. */
  readonly report: string | null
}

export function provePaths({ paths, seed }: { readonly paths: number; readonly seed: number }): ProvenPaths {
  let fault: string | null = null
  const property = fc.property(likelyPath, (text) => {
    fault = faultOf(text)
    return fault === null
  })
  const details = fc.check(property, { numRuns: paths, seed })
  return { tried: details.numRuns, report: details.failed ? `seed ${seed}: ${fault}` : null }
}
