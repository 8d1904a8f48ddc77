// Objects at a backup destination that hold lines of text, compressed, and have the SHA-256 of their bytes in their
// name.

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type BackupDestination, BackupFault } from './destination.ts'
import { sha256Hex } from './names.ts'

/** A chunk ends with at most one event more than its length; an event has at most 3 MiB as JSON. */
const MAX_TEXT_BYTES = 64 << 20
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
