// Paths of folders and files in a bucket: absolute, with one valid spelling. Other spellings are refused, never
// corrected, so that no two paths name one file.

import { hasControlOrBidi } from './text.ts'

const PATH_MAX_BYTES = 1_024
const PATH_MAX_LEVELS = 32
const NAME_MAX_BYTES = 255

export const ROOT_PATH = '/'
/** The root folder of a bucket in names of streams and documents; others have a hash (credentials/path-key.ts). */
export const ROOT_KEY = 'root'

export type PathKind = 'folder' | 'file'

/** What is wrong with a path and how to fix it, or null. A folder's path ends in `/`, a file's does not. */
export function pathFault(text: string, kind: PathKind | 'either'): string | null {
  if (!text.startsWith('/')) return 'must be an absolute path: begin it with /'
  // Checked first: the other checks take time in proportion to the length.
  if (text.length > PATH_MAX_BYTES || utf8Bytes(text) > PATH_MAX_BYTES)
    return `must be at most ${PATH_MAX_BYTES} bytes in UTF-8: shorten it`
  const isFolder = text.endsWith('/')
  if (kind === 'folder' && !isFolder) return 'must be a folder’s path: end it with /'
  if (kind === 'file' && isFolder) return 'must be a file’s path: leave out the / at its end'
  if (text.includes('\\')) return 'must not contain \\: folders are divided by /'
  if (hasControlOrBidi(text)) return 'must not contain control or bidi characters: remove them'
  if (text.normalize('NFC') !== text) return 'must be in Unicode normalization form NFC: normalize it'
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
  if (name === '') return 'must not contain //: keep one /'
  if (name === '.' || name === '..') return 'must not contain . or .. as a name: write the path out'
  if (name.trim() !== name) return 'must not contain a name that begins or ends with a space: trim it'
  return utf8Bytes(name) > NAME_MAX_BYTES ? `must not contain a name of more than ${NAME_MAX_BYTES} bytes` : null
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

/** The parent folder of a path; the root's parent is the root. */
export function folderOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(0, path.lastIndexOf('/', end - 1) + 1) || ROOT_PATH
}

/** The last segment, without slashes; empty for the root. */
export function nameOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}

/** All folders of a path from the root down, including the path itself if it is a folder's. */
export function foldersTo(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at + 1))
  return folders
}

/** The highest code point. */
const ABOVE = '\u{10ffff}'

/**
 * A collation key: it sorts names by code unit in a store that sorts by code point. The orders differ between
 * characters from U+E000 to U+FFFF and those above U+FFFF, which come first by code unit.
 */
export function collationKeyOf(name: string): string {
  return name.replace(/[\ue000-\uffff]|\u{10ffff}/gu, (character) =>
    character === ABOVE ? `${ABOVE}\u0001` : ABOVE + character,
  )
}
