// The manifest of an export: its scope, format and counts, and hashes that reveal every change. An export is a folder
// with three files: the events, one hash per chunk of them, and the manifest.

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '../../domain/event.ts'

export type Format = 'ndjson' | 'csv' | 'parquet'
export const FORMATS: readonly Format[] = ['ndjson', 'csv', 'parquet']

export const MANIFEST_FILE = 'manifest.json'
export const SUMS_FILE = 'sums.bin'
export const eventsFile = (format: Format): string => `events.${format}`

/** Bytes per chunk in `sums.bin`: the first ones of its SHA-256. */
export const SUM_BYTES = 8
/** Bytes of a chunk in formats without lines. */
export const CHUNK_BYTES = 65_536
/** Number of lines before the events: a CSV file begins with the column names. */
export const headLines = (format: Format): number => (format === 'csv' ? 1 : 0)
export const hasLines = (format: Format): boolean => format !== 'parquet'

/** The whole log of an installation, or the filtered history of one game. */
type Scope = { readonly whole: true } | { readonly game: string; readonly filters: Readonly<Record<string, string>> }

export interface Manifest {
  readonly scorebook_export: 1
  /** Version of the program that made it; `made` is the time (ISO 8601, UTC). */
  readonly version: string
  readonly made: string
  /** Fingerprint of the installation's root secret. Null if the exporter did not know it. */
  readonly installation: string | null
  readonly scope: Scope
  readonly format: Format
  readonly events: number
  /** Positions of the first and the last event in the source log; null if there are no events. */
  readonly first: string | null
  readonly last: string | null
  /** Number of events in streams whose names are digests under the root secret. */
  readonly keyed: number
  /**
   * Size of the events file. `pieces`: number of chunks. A chunk is a line with its newline, or 65,536 bytes in formats
   * without lines.
   */
  readonly bytes: number
  readonly pieces: number
  /**
   * Hash chain, hexadecimal: for each chunk SHA-256(previous link + SHA-256(chunk)); the first link has no predecessor.
   */
  readonly chain: string
  /** SHA-256 of the sums file. */
  readonly sums: string
}

/** The export is invalid or damaged; the message says what is wrong and where. */
export class ArchiveFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArchiveFault'
  }
}

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

interface Chain {
  /** Adds the SHA-256 of the next chunk. */
  add(sum: Uint8Array): void
  end(): string
}

export function createChain(): Chain {
  let chain: Buffer = Buffer.alloc(0)
  const both = Buffer.alloc(64)
  return {
    add(sum) {
      both.set(chain)
      both.set(sum, chain.length)
      chain = sha256(both.subarray(0, chain.length + sum.length))
    },
    end: () => chain.toString('hex'),
  }
}

/** The stored form, with a hash of itself that reveals changes. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, sha256: selfHash(manifest) }, null, 2)}\n`
}

const selfHash = (manifest: Manifest): string => sha256(Buffer.from(JSON.stringify(manifest))).toString('hex')

/** Throws ArchiveFault if the manifest is missing or was changed. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE)
  const text = await readFile(path, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'ENOENT' && failure.code !== 'ENOTDIR') throw failure
    throw new ArchiveFault(`There is no export in ${folder}: it has no ${MANIFEST_FILE}.`)
  })
  const { sha256: recorded, ...manifest } = parsed(text, path) as Manifest & { readonly sha256?: unknown }
  const isOurs = manifest.scorebook_export === 1 && FORMATS.includes(manifest.format)
  if (!isOurs) throw new ArchiveFault(`${path} is not the manifest of an export that this version can read.`)
  if (recorded !== selfHash(manifest)) {
    throw new ArchiveFault(`${path} was changed after it was written. Use an unchanged copy of the export.`)
  }
  const faults = faultsOf(manifest)
  if (faults.length > 0) throw new ArchiveFault(`${path} has no valid ${faults.join(', ')} as an export has.`)
  return manifest
}

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string'
const isTextOrNull: Check = (value) => value === null || isText(value)
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0

/** Checked in addition to the hash: anyone can edit a manifest and hash it again. */
const CHECKS: Readonly<Partial<Record<keyof Manifest, Check>>> = {
  version: isText,
  made: isText,
  installation: isTextOrNull,
  scope: (value) =>
    isJsonObject(value) && (value.whole === true || (isText(value.game) && isJsonObject(value.filters))),
  events: isCount,
  first: isTextOrNull,
  last: isTextOrNull,
  keyed: isCount,
  bytes: isCount,
  pieces: isCount,
  chain: isText,
  sums: isText,
}

function faultsOf(manifest: Manifest): string[] {
  const recorded = new Map<string, unknown>(Object.entries(manifest))
  return Object.entries(CHECKS).flatMap(([name, isWell]) => (isWell(recorded.get(name)) ? [] : [name]))
}

function parsed(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error is thrown below.
  }
  throw new ArchiveFault(`${path} is not JSON: it was cut or changed.`)
}
