// The objects at a backup destination: their names, and lines of text in them, compressed. Objects with lines have the
// SHA-256 of their bytes in their name.

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type BackupDestination, BackupFault } from './destination.ts'

/** A chunk ends with at most one event more than its length; an event has at most 3 MiB as JSON. */
const MAX_TEXT_BYTES = 64 << 20
/** More than any object of a backup has. */
export const MAX_OBJECT_BYTES = 128 << 20
/** Speed before size: it runs beside the server. */
const LEVEL = 3

const zip = promisify(gzip) as (bytes: Uint8Array, options: { level: number }) => Promise<Buffer>
const unzip = promisify(gunzip) as (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

/** Each line ends with a line feed. */
export const compressedLines = (lines: readonly string[]): Promise<Buffer> =>
  zip(Buffer.from(lines.join('')), { level: LEVEL })

/**
 * The lines without their line feeds. Throws BackupFault if the object is missing, does not have this hash, or has more
 * than `maxBytes` of text.
 */
export async function readLines(
  destination: BackupDestination,
  name: string,
  sha256: string,
  maxBytes = MAX_TEXT_BYTES,
): Promise<string[]> {
  const bytes = await destination.read(name)
  if (bytes === null) throw new BackupFault(`${name} is missing in ${destination.shown}.`)
  if (sha256Hex(bytes) !== sha256) throw new BackupFault(`${name} in ${destination.shown} was cut or changed.`)
  const text = await unzip(bytes, { maxOutputLength: maxBytes }).catch(() => {
    throw new BackupFault(`${name} in ${destination.shown} is not compressed, or too large: a backup did not write it.`)
  })
  return text.toString().split('\n').slice(0, -1)
}

/** Throws BackupFault if the line is not JSON. */
export function parsedLine(line: string, name: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new BackupFault(`${name} has a line that is not JSON: a backup did not write it.`)
  }
}

export const MANIFESTS = 'backups/'
export const SECRETS = 'secrets/'
export const LOGS = 'log/'
/** Objects with the lists of the newest manifest. */
export const LISTS = 'lists/'
/** The folders of backups at a destination. */
export const FOLDERS: readonly string[] = [MANIFESTS, LISTS, SECRETS, LOGS]
export const logFolder = (installation: string): string => `${LOGS}${installation}/`

export const sha256Hex = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

export const manifestName = (id: string): string => `${MANIFESTS}${id}.json`

/** In the name of the first chunk, in place of the position before it. */
const BEGINNING = 'beginning'
/** A position in the log, as a pattern. */
export const POSITION = '[0-9a-f-]{16,64}'
const CHUNK = new RegExp(`^(${BEGINNING}|${POSITION})_(${POSITION})_([0-9a-f]{64})\\.ndjson\\.gz$`)

interface ChunkName {
  readonly after: string | null
  readonly last: string
  readonly sha256: string
}

export const chunkName = (installation: string, { after, last, sha256 }: ChunkName): string =>
  `${logFolder(installation)}${after ?? BEGINNING}_${last}_${sha256}.ndjson.gz`

/** Null for another name. */
export function parseChunkName(installation: string, name: string): ChunkName | null {
  const found = CHUNK.exec(name.slice(logFolder(installation).length))
  if (found === null) return null
  const [, after = '', last = '', sha256 = ''] = found
  return { after: after === BEGINNING ? null : after, last, sha256 }
}

export const listName = (sha256: string): string => `${LISTS}${sha256}.ndjson.gz`

/** The hash in a name that `listName` made. */
export const sha256OfList = (name: string): string => name.slice(LISTS.length).replace(/\.ndjson\.gz$/, '')

export const secretsName = (sha256: string): string => `${SECRETS}${sha256}.ndjson.gz`

const ID = /^\d{8}T\d{9}Z$/
export const isBackupId = (text: string): boolean => ID.test(text)

const INSTALLATION = /^[\w-]{1,64}$/
/** Whether the text can be the id of an installation, which is also the name of a folder. */
export const isInstallation = (text: string): boolean => INSTALLATION.test(text)

const MANIFEST = /^\d{8}T\d{9}Z\.json$/
const HASHED = /^[0-9a-f]{64}\.ndjson\.gz$/

/** Whether the name is one that a backup gives to an object. */
export function isObjectName(name: string): boolean {
  const slash = name.lastIndexOf('/') + 1
  const [folder, last] = [name.slice(0, slash), name.slice(slash)]
  if (folder === MANIFESTS) return MANIFEST.test(last)
  if (folder === LISTS || folder === SECRETS) return HASHED.test(last)
  return folder.startsWith(LOGS) && isInstallation(folder.slice(LOGS.length, -1)) && CHUNK.test(last)
}

/** Unix milliseconds. */
export function timeOfBackup(id: string): number {
  const [, date = '', time = '', ms = ''] = /^(\d{8})T(\d{6})(\d{3})Z$/.exec(id) ?? []
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}.${ms}Z`
  return Date.parse(iso)
}

/** `20261125T091500123Z`: sorts by time. */
export const backupIdOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:.]/g, '')

/** The smallest id after another one: the clock may have run backwards. */
export const backupIdAfter = (id: string): string => backupIdOf(timeOfBackup(id) + 1)
