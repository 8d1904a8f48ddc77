// What a backup reads from an installation: the check of the log's revisions, a line about the log, its events as
// stored, with personal text encrypted, and then the secrets, encrypted under the master key. The log comes first, so
// the secrets include the keys of all its events. With them come authentication codes over exactly what was read here.

import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { EventPlace, RevisionFaults } from '../../domain/stream-revisions.ts'
import { VERSION } from '../../runtime/version.ts'
import type { LogRevisions } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { SESSION_KINDS, type Secret, type VaultStore } from '../../stores/contract/vault.ts'
import { vaultPages } from '../../stores/log-decorators/sealing/vault.ts'
import { type CheckedLog, checkRevisions } from '../../stores/support/check-revisions.ts'
import { createChunkMaker } from './chunk.ts'
import {
  type BackupCodes,
  type CodedStatement,
  createBackupCodes,
  EMPTY_LOG,
  isSameCode,
  type LogPrefix,
} from './codes.ts'
import { erasingTexts } from './deletions.ts'
import { type SecretLine, secretLine } from './secrets.ts'

/** Events and secrets per read: about a millisecond of a server that serves meanwhile, with writing them as lines. */
const PAGE = 100
/**
 * Between two pages it waits this many milliseconds, or for as long as reading the page took. 1,000,000 events then
 * take about a minute. The command that keeps the pages is often on the same machine: at three times the pace, its
 * writes to the disk delayed submissions more.
 */
const REST_MS = 5
/** Between two lines about the progress of the check. */
const PROGRESS_EVERY_MS = 1_000
/** The installation's own secrets that a backup contains. The others record progress of this vault. */
const OWN: ReadonlySet<string> = new Set(['root', 'begun'])

/** The end of a chunk at the destination, with the code that the server made for it. */
export interface CodedPrefix extends LogPrefix {
  readonly last: Position
  readonly code: string
}

export interface BackupRequest {
  /** Position of the last event at the destination, which `anchor` answers for; null if there is none. */
  readonly from: Position | null
  /**
   * The end of the chunk that events are read after (null: from the beginning). Null for commands of 0.2.0 and earlier,
   * which read the events after `from`, without codes.
   */
  readonly coded: { readonly after: CodedPrefix | null } | null
}

export interface BackupHead {
  readonly installation: string
  readonly version: string
  /** By the clock of the server, before `head` was read. ISO 8601. */
  readonly time: string
  /** Position of the last event that follows; null if the log is empty. */
  readonly head: Position | null
  /** Id of the event at `from`; null if there is none. */
  readonly anchor: string | null
  /** Whether the code of `after` is one that this installation made. If not, nothing follows. Absent without codes. */
  readonly continues?: boolean
  /** Of each repair of the log, an event whose revision it changed. Absent from servers of 0.2. */
  readonly repaired?: readonly EventPlace[]
}

/**
 * What the server states about the whole backup, to compare with what arrived, and the key for the code of its
 * manifest.
 */
export interface BackupEnd {
  readonly events: number
  readonly until: string | null
  /** Hash chain of the log. */
  readonly log_chain: string
  /** SHA-256 of the secrets as lines. */
  readonly secrets_sha256: string
  readonly key: string
}

/** Lines before the log: progress about each second, and at last the faults if there are any. */
type RevisionLine = { readonly checked: { readonly events: number } } | { readonly faulty: RevisionFaults }

/** A chunk ends after the events before its line. `end` counts the lines; without codes it has no `backup`. */
export type BackupLine =
  | RevisionLine
  | { readonly log: BackupHead }
  | { readonly event: StoredEvent }
  | { readonly chunk: CodedStatement }
  | { readonly secret: SecretLine }
  | { readonly end: { readonly events: number; readonly secrets: number; readonly backup?: BackupEnd } }

export interface BackupSource {
  /** Stores as opened, before anything is decrypted. */
  readonly log: Pick<Log, 'head' | 'readAll' | 'eventAt' | 'readStream'>
  /** Absent if a server assigns the revisions. */
  readonly revisions?: LogRevisions
  readonly vault: Pick<VaultStore, 'scan'>
  readonly installation: string
  /** `backup` of the working keys. */
  readonly key: Uint8Array
}

/** Pages of lines, with rests between them. Of a log with a gap or a duplicate, only its faults. */
export async function* backupLines(
  source: BackupSource,
  { from, coded }: BackupRequest,
  ending: AbortSignal,
): AsyncGenerator<readonly BackupLine[]> {
  const { log, revisions, installation } = source
  for await (const lines of revisionLines({ log, revisions }, (readMs) => rested(readMs, ending), ending)) {
    yield lines
    if (lines.some((line) => 'faulty' in line)) return
  }
  if (ending.aborted) return
  const codes = createBackupCodes(source.key, installation)
  const time = new Date().toISOString()
  const head = await log.head()
  const anchor = from === null ? null : ((await eventAt(log, from))?.id ?? null)
  const continues = coded === null ? {} : { continues: isOurs(codes, coded.after) }
  const repaired = (await revisions?.repaired()) ?? []
  yield [{ log: { installation, version: VERSION, time, head, anchor, ...continues, repaired } }]
  const count = { events: 0, secrets: 0 }
  if (continues.continues === false) return yield [{ end: count }]
  const maker = coded === null ? null : createChunkMaker(codes, coded.after ?? EMPTY_LOG)
  const isFound = from === null || anchor !== null
  const after = coded === null ? from : (coded.after?.last ?? null)
  for await (const page of isFound && head !== null ? eventPages(log, { after, head }, ending) : []) {
    count.events += page.length
    yield page.flatMap((event): BackupLine[] => {
      const chunk = maker?.add(event) ?? null
      return chunk === null ? [{ event }] : [{ event }, { chunk }]
    })
  }
  if (ending.aborted) return
  const chunk = maker?.end() ?? null
  if (chunk !== null) yield [{ chunk }]
  const sum = createHash('sha256')
  for await (const page of secretPages(source, ending)) {
    count.secrets += page.length
    for (const secret of page) sum.update(secretLine(secret))
    yield page.map((secret) => ({ secret }))
  }
  if (ending.aborted) return
  if (maker === null) return yield [{ end: count }]
  const until = head === null ? null : ((await eventAt(log, head))?.meta.time ?? null)
  const { events, chain } = maker.prefix()
  const made = { events, until, log_chain: chain, secrets_sha256: sum.digest('hex') }
  const key = codes.manifestKey({ ...made, version: VERSION, begun: time, head })
  yield [{ end: { ...count, backup: { ...made, key } } }]
}

const isOurs = (codes: BackupCodes, after: CodedPrefix | null): boolean =>
  after === null || isSameCode(after.code, codes.ofLog(after))

/** The events after a position, up to the head. Ends early if `ending` aborts. */
async function* eventPages(
  log: BackupSource['log'],
  { after, head }: { readonly after: Position | null; readonly head: Position },
  ending: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  const erased = erasingTexts(log)
  for (let at = after; at === null || at < head; ) {
    const read = await paced(ending, () => log.readAll(at, PAGE).then(erased))
    if (ending.aborted || read.length === 0) return
    yield read.filter(({ position }) => position <= head)
    at = read.at(-1)?.position ?? null
  }
}

async function* secretPages({ vault }: BackupSource, ending: AbortSignal): AsyncGenerator<readonly SecretLine[]> {
  const scan: VaultStore['scan'] = (after, limit) => paced(ending, () => vault.scan(after, limit))
  for await (const page of vaultPages({ scan }, PAGE)) {
    if (ending.aborted) return
    yield page.filter(isTaken).map(({ kind, id, value }) => ({ kind, id, value: base64(value) }))
  }
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

/**
 * Checks the revisions of the log: a backup with a gap or a duplicate could never be restored. `rest` is called between
 * two pages. Ends early when the signal aborts.
 */
export async function* revisionLines(
  log: CheckedLog,
  rest: (readMs: number) => Promise<void>,
  ending: AbortSignal,
): AsyncGenerator<readonly RevisionLine[]> {
  const checking = checkRevisions(log)
  for (let toldMs = performance.now(); !ending.aborted; ) {
    const beganMs = performance.now()
    const { done, value } = await checking.next()
    if (done === true) {
      if (value.found > 0) yield [{ faulty: { faults: value.faults, found: value.found } }]
      return
    }
    await rest(performance.now() - beganMs)
    if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue
    toldMs = performance.now()
    yield [{ checked: { events: value.events } }]
  }
}
