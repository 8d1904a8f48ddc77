// What a backup reads from an installation: a line about the log, its events as stored, with personal text encrypted,
// and then the secrets, encrypted under the master key. The log comes first, so the secrets include the keys of all its
// events.

import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { SESSION_KINDS, type Secret, type VaultStore } from '../stores/contract/vault.ts'
import { vaultPages } from '../stores/sealing/vault-pages.ts'
import { VERSION } from '../version.ts'

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
}

/** A secret; `value` is encrypted, in base64. */
export interface SecretLine {
  readonly kind: string
  readonly id: string
  readonly value: string
}

export type BackupLine =
  | { readonly log: BackupHead }
  | { readonly event: StoredEvent }
  | { readonly secret: SecretLine }
  | { readonly end: { readonly events: number; readonly secrets: number } }

export interface BackupSource {
  /** Stores as opened, before anything is decrypted. */
  readonly log: Pick<Log, 'head' | 'readAll' | 'eventAt'>
  readonly vault: Pick<VaultStore, 'scan'>
  readonly installation: string
}

/** Pages of lines, with rests between them. */
export async function* backupLines(
  { log, vault, installation }: BackupSource,
  from: Position | null,
  ending: AbortSignal,
): AsyncGenerator<readonly BackupLine[]> {
  const time = new Date().toISOString()
  const head = await log.head()
  const anchor = from === null ? null : ((await eventAt(log, from))?.id ?? null)
  yield [{ log: { installation, version: VERSION, time, head, anchor } }]
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
  await setTimeout(Math.max(REST_MS, performance.now() - began), undefined, { signal: ending }).catch(() => {})
  return page
}
