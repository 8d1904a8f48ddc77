// Authentication codes of backups, keyed from the installation's root secret, which a backup contains only encrypted
// under the master key. The server makes them over what it read from its own log and vault, and over nothing that a
// caller sends: so nobody who can only write to the destination can change a backup unnoticed.

import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../../credentials/master.ts'
import { sha256Hex } from './objects.ts'

/** What the server states about the events after `after` (null: from the beginning) up to and including `last`. */
interface ChunkStatement {
  readonly after: string | null
  readonly last: string
  readonly last_id: string
  readonly events: number
  /** SHA-256 of the events as lines. */
  readonly lines_sha256: string
  /** Games that have events in it; null if there are too many to list. */
  readonly games: readonly string[] | null
  /** Whether it holds personal text that an older version recorded without encryption. */
  readonly clear: boolean
}

/** `code`: of the log up to the end of the chunk. */
export interface CodedStatement extends ChunkStatement {
  readonly code: string
}

/** The log from its beginning to the end of a chunk. */
export interface LogPrefix {
  /** Null: the log is empty so far. */
  readonly last: string | null
  readonly events: number
  /** Hash chain over the statements of its chunks. */
  readonly chain: string
}

/** What the server states about a whole backup. */
export interface BackupStatement {
  readonly version: string
  readonly begun: string
  readonly head: string | null
  readonly until: string | null
  readonly events: number
  /** Hash chain of the log up to `head`. */
  readonly log_chain: string
  /** SHA-256 of all secrets as lines. */
  readonly secrets_sha256: string
}

const LOG_LABEL = 'scorebook backup log 3'

export const EMPTY_LOG: LogPrefix = { last: null, events: 0, chain: sha256Hex(Buffer.from(LOG_LABEL)) }

/** The prefix that ends with one more chunk. */
export function extended({ events, chain }: LogPrefix, chunk: ChunkStatement): LogPrefix {
  const { after, last, last_id, lines_sha256, games, clear } = chunk
  const statement = JSON.stringify([chain, after, last, last_id, chunk.events, lines_sha256, games, clear])
  return { last, events: events + chunk.events, chain: sha256Hex(Buffer.from(statement)) }
}

export interface BackupCodes {
  readonly installation: string
  /** The code of a beginning of the log; in hexadecimal, as all codes and keys here. */
  ofLog(prefix: LogPrefix): string
  /**
   * The key for the code of one manifest. It is derived from what the server states about that backup, so the backup
   * command, which gets it, can use it for no other log and no other secrets.
   */
  manifestKey(statement: BackupStatement): string
}

/** `key`: `backup` of the working keys. */
export function createBackupCodes(key: Uint8Array, installation: string): BackupCodes {
  return {
    installation,
    ofLog: ({ last, events, chain }) =>
      keyedDigest(key, 'log', installation, last ?? '', String(events), chain).toString('hex'),
    manifestKey({ version, begun, head, until, events, log_chain, secrets_sha256 }) {
      const parts = [installation, version, begun, head ?? '', until ?? '', String(events), log_chain, secrets_sha256]
      return keyedDigest(key, 'backup', ...parts).toString('hex')
    },
  }
}

/** The code of a manifest, over its whole text. `key` is of `manifestKey`. */
export const manifestCode = (key: string, text: string): string =>
  keyedDigest(Buffer.from(key, 'hex'), 'manifest', text).toString('hex')

/** In constant time. */
export function isSameCode(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
