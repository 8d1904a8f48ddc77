// Compressed objects at a backup destination, named by the SHA-256 of their bytes.

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type BackupDestination, BackupFault } from './destination.ts'
import { sha256Hex } from './names.ts'

/** A chunk ends with at most one event more than its length; an event has at most 3 MiB as JSON. */
const UNPACKED_BYTES = 64 << 20
/** Speed before size: it runs beside the server. */
const LEVEL = 3

const zip = promisify(gzip) as (bytes: Uint8Array, options: { level: number }) => Promise<Buffer>
const unzip = promisify(gunzip) as (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

export const packed = (text: string): Promise<Buffer> => zip(Buffer.from(text), { level: LEVEL })

/** Throws BackupFault if the object is missing, or is not the one with this hash. */
export async function unpacked(destination: BackupDestination, name: string, sha256: string): Promise<string> {
  const bytes = await destination.read(name)
  if (bytes === null) throw new BackupFault(`${name} is missing in ${destination.shown}.`)
  if (sha256Hex(bytes) !== sha256) throw new BackupFault(`${name} in ${destination.shown} was cut or changed.`)
  return (await unzip(bytes, { maxOutputLength: UNPACKED_BYTES })).toString()
}
