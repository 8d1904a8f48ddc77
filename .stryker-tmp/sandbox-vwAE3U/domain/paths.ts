// Paths of folders and files in a bucket: absolute, in one spelling only. What is spelled otherwise is refused, never
// repaired, so that no two names mean one file.

import { hasControlOrBidi } from './text.ts'

const PATH_MAX_BYTES = 1_024
const PATH_MAX_LEVELS = 32
const NAME_MAX_BYTES = 255

export const ROOT_PATH = '/'

export type PathKind = 'folder' | 'file'

/** What is wrong with a path and what to do about it, or null. A folder's ends in `/`, a file's does not. */
export function pathFault(text: string, kind: PathKind | 'either'): string | null {
  if (!text.startsWith('/')) return 'must be an absolute path: begin it with /'
  // Before anything that takes longer with longer texts.
  if (text.length > PATH_MAX_BYTES || utf8Bytes(text) > PATH_MAX_BYTES)
    return `must be at most ${PATH_MAX_BYTES} bytes in UTF-8: shorten it`
  const isFolder = text.endsWith('/')
  if (kind === 'folder' && !isFolder) return 'must be a folder’s path: end it with /'
  if (kind === 'file' && isFolder) return 'must be a file’s path: leave out the / at its end'
  if (text.includes('\\')) return 'must not hold \\: folders are divided by /'
  if (hasControlOrBidi(text)) return 'must not hold control or bidi characters: remove them'
  if (text.normalize('NFC') !== text) return 'must be in Unicode’s form NFC: compose it'
  if (text === ROOT_PATH) return null
  const names = text.slice(1, isFolder ? -1 : undefined).split('/')
  if (names.length - (isFolder ? 0 : 1) > PATH_MAX_LEVELS) return `must be at most ${PATH_MAX_LEVELS} folders deep`
  for (const name of names) {
    const fault = nameFault(name)
    if (fault !== null) return fault
  }
  return null
}

function nameFault(name: string): string | null {
  if (name === '') return 'must not hold //: keep one /'
  if (name === '.' || name === '..') return 'must not hold . or .. as a name: write the path out'
  if (name.trim() !== name) return 'must not hold a name that begins or ends with a space: trim it'
  return utf8Bytes(name) > NAME_MAX_BYTES ? `must not hold a name of more than ${NAME_MAX_BYTES} bytes` : null
}

/** Bytes in UTF-8; half of a surrogate pair counts as three. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** The folder that holds it; the root's is the root. */
export function folderOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(0, path.lastIndexOf('/', end - 1) + 1) || ROOT_PATH
}

/** The last part, without slashes; the root's is empty. */
export function nameOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}

/** Every folder on the way, from the root to the path itself where it is a folder's, else to the one that holds it. */
export function foldersTo(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at + 1))
  return folders
}

/** Above every character outside the first 65,536 in a store's order, which is that of code points. */
const ABOVE = '\u{10ffff}'

/**
 * For sorting names by code unit in a store that sorts by code point: the two differ where characters from U+E000 on
 * meet those outside the first 65,536, which code units put in front.
 */
export function sortKeyOf(name: string): string {
  return name.replace(/[\ue000-\uffff]|\u{10ffff}/gu, (character) =>
    character === ABOVE ? `${ABOVE}\u0001` : ABOVE + character,
  )
}
