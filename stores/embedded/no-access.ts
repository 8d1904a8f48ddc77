// Detects that this process may not write the data folder: another user owns it, or it is mounted read-only. Such an
// error says nothing about what is in the files.

import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoresFault } from '../contract/faults.ts'
import { primaryCode, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY } from './sqlite-error.ts'

const OF_SQLITE: readonly (number | null)[] = [SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN]
const OF_SYSTEM: readonly (string | undefined)[] = ['EACCES', 'EPERM', 'EROFS']

export class NoAccess extends StoresFault {
  readonly what: string
  readonly todo: string

  constructor(what: string, todo: string, cause: unknown) {
    super(`${what}. ${todo}`, cause)
    this.name = 'NoAccess'
    this.what = what
    this.todo = todo
  }
}

/** The error for a file that cannot be opened for this reason; else the given one. */
export function nameNoAccess(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (OF_SYSTEM.includes(code)) return noAccess(path, code, error)
  return OF_SQLITE.includes(primaryCode(error)) ? noAccess(path, refusalOf(path), error) : error
}

/** Of the file, or else of its folder, in which SQLite creates files; undefined if the system allows both. */
function refusalOf(path: string): string | undefined {
  for (const [one, mode] of [
    [path, constants.R_OK | constants.W_OK],
    [dirname(path), constants.W_OK | constants.X_OK],
  ] as const) {
    try {
      accessSync(one, mode)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') return code
    }
  }
  return undefined
}

function noAccess(path: string, code: string | undefined, cause: unknown): unknown {
  const folder = dirname(path)
  if (code === 'EROFS') {
    return new NoAccess(
      `${path} cannot be written: its file system is mounted read-only`,
      `Mount the one of ${folder} writable, or set DATA_DIR to another folder.`,
      cause,
    )
  }
  if (!OF_SYSTEM.includes(code)) return cause
  const own = process.getuid?.()
  const owner = ownerOf(path) ?? ownerOf(folder)
  const isOthers = own !== undefined && owner !== null && own !== owner
  return new NoAccess(
    `${path} may not be read and written by ${own === undefined ? 'this user' : `user ${own}`}${isOthers ? `: user ${owner} owns it` : ''}`,
    isOthers
      ? `Run it as user ${owner}, or as root: chown -R ${own} ${folder}`
      : `Let this user read and write ${folder} and all files in it: chmod -R u+rwX ${folder}`,
    cause,
  )
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid
  } catch {
    return null
  }
}
