// What a backup reads from an installation: the check of the log's revisions, a line about the log, its events as stored, with personal text encrypted,
// and then the secrets, encrypted under the master key. The log comes first, so the secrets include the keys of all its
// events.

import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../domain/event.ts'
import type { EventPlace } from '../domain/stream-revisions.ts'
import type { Log } from '../stores/contract/log.ts'
import type { LogRevisions } from '../stores/contract/revisions.ts'
import { SESSION_KINDS, type Secret, type VaultStore } from '../stores/contract/vault.ts'
import { vaultPages } from '../stores/sealing/vault-pages.ts'
import { VERSION } from '../version.ts'
import { type RevisionLine, revisionLines } from './revision-lines.ts'

/** Events and secrets per read: about a millisecond of a server that serves meanwhile, with writing them as lines. */
const PAGE = 100
/**
 * Between two pages it waits this many milliseconds, or for as long as reading the page took. 1,000,000 events then take about a minute. The
 * command that keeps the pages is often on the same machine: at three times the pace, its writes to the disk delayed submissions more.
 */
const REST_MS = 5
/** The installation's own secrets that a backup contains. The others record progress of this vault. */
const OWN: ReadonlySet<string> = new Set(['root', 'begun'])

export interface BackupHead {
  readonly installation: string
  readonly version: string
  /** By the clock of the server, before `head` was read. ISO 8601. */
  readonly time: string
  /** Position of the last event that follows; null if the log is empty. */
  readonly head: Position | null
  /** Id of the event at `from`; null if there is none. */
  readonly anchor: string | null
  /** Of each repair of the log, an event whose revision it changed. Absent from servers of 0.2. */
  readonly repaired?: readonly EventPlace[]
}

/** A secret; `value` is encrypted, in base64. */
export interface SecretLine {
  readonly kind: string
  readonly id: string
  readonly value: string
}

export type BackupLine =
  | RevisionLine
  | { readonly log: BackupHead }
  | { readonly event: StoredEvent }
  | { readonly secret: SecretLine }
  | { readonly end: { readonly events: number; readonly secrets: number } }

export interface BackupSource {
  /** Stores as opened, before anything is decrypted. */
  readonly log: Pick<Log, 'head' | 'readAll' | 'eventAt'>
  /** Absent if a server assigns the revisions. */
  readonly revisions?: LogRevisions
  readonly vault: Pick<VaultStore, 'scan'>
  readonly installation: string
}

/** Pages of lines, with rests between them. Of a log with a gap or a double, only its faults. */
export async function* backupLines(
  { log, revisions, vault, installation }: BackupSource,
  from: Position | null,
  ending: AbortSignal,
): AsyncGenerator<readonly BackupLine[]> {
  for await (const lines of revisionLines({ log, revisions }, (readMs) => rested(readMs, ending), ending)) {
    yield lines
    if (lines.some((line) => 'faulty' in line)) return
  }
  if (ending.aborted) return
  const time = new Date().toISOString()
  const head = await log.head()
  const anchor = from === null ? null : ((await eventAt(log, from))?.id ?? null)
  const repaired = (await revisions?.repaired()) ?? []
  yield [{ log: { installation, version: VERSION, time, head, anchor, repaired } }]
  const count = { events: 0, secrets: 0 }
  const isFound = from === null || anchor !== null
  for (let at = from; isFound && head !== null && (at === null || at < head); ) {
    const read = await paced(ending, () => log.readAll(at, PAGE))
    if (ending.aborted || read.length === 0) return
    const events = read.filter(({ position }) => position <= head)
    count.events += events.length
    yield events.map((event) => ({ event }))
    at = read.at(-1)?.position ?? null
  }
  const scan: VaultStore['scan'] = (after, limit) => paced(ending, () => vault.scan(after, limit))
  for await (const page of vaultPages({ scan }, PAGE)) {
    if (ending.aborted) return
    const secrets = page.filter(isTaken).map(({ kind, id, value }) => ({ kind, id, value: base64(value) }))
    count.secrets += secrets.length
    yield secrets.map((secret) => ({ secret }))
  }
  yield [{ end: count }]
}

/** Refresh tokens are left out: sessions do not outlive a restore. */
const isTaken = ({ kind, id }: Secret): boolean =>
  !SESSION_KINDS.includes(kind) && (kind !== 'installation' || OWN.has(id))

const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64')

/** The log throws for text that is none of its positions. */
const eventAt = (log: BackupSource['log'], from: Position): Promise<StoredEvent | null> =>
  log.eventAt(from).catch((failure: unknown) => {
    if (failure instanceof TypeError) return null
    throw failure
  })

async function paced<Page>(ending: AbortSignal, read: () => Promise<Page>): Promise<Page> {
  const began = performance.now()
  const page = await read()
  await rested(performance.now() - began, ending)
  return page
}

/** Rests after a page that took this long to read. */
async function rested(readMs: number, ending: AbortSignal): Promise<void> {
  await setTimeout(Math.max(REST_MS, readMs), undefined, { signal: ending }).catch(() => {})
}
