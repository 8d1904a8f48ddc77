// Who owns the file store. The owner may change while this process runs, so it is read again: before each batch of
// deletions, and every few seconds.

import { uploadStream } from '../../domain/upload.ts'
import type { FileStore, OwnerMarker } from '../contract/files.ts'
import type { Log } from '../contract/log.ts'

/** The owner of a file store, as this installation sees it. */
export type Owner =
  | { readonly kind: 'this' }
  | { readonly kind: 'none' }
  /** `installation` is null if the marker cannot be read. */
  | { readonly kind: 'other'; readonly installation: string | null }

const FORM = /^installation ([0-9a-f]{24})\n$/

export const markerText = (installation: string): string => `installation ${installation}\n`

/**
 * `text`: of the marker; null if there is none. Only the exact text of this installation counts as its own: a marker
 * that is damaged, empty or of another form belongs to an unknown installation.
 */
export function ownerIn(text: string | null, installation: string): Owner {
  if (text === null) return { kind: 'none' }
  if (text === markerText(installation)) return { kind: 'this' }
  return { kind: 'other', installation: FORM.exec(text)?.[1] ?? null }
}

/** Why this installation does not own the store, and what to do, for operators; null if it does. */
export function ownerFault(owner: Owner, installation: string): string | null {
  if (owner.kind === 'this') return null
  return (
    `the file store ${ownerText(owner)}, and this installation is ${installation}: uploads are 503 files_off, and nothing in ` +
    `the store is deleted. ${ADOPT}`
  )
}

/** The end of a sentence that begins with the store. */
export function ownerText(owner: Exclude<Owner, { kind: 'this' }>): string {
  if (owner.kind === 'none') return 'has no owner marker'
  return owner.installation === null
    ? 'has an owner marker that cannot be read'
    : `belongs to installation ${owner.installation}`
}

export const ADOPT = 'Run `scorebook files adopt` once no other installation uses that store.'

/** Milliseconds for which a batch of deletions relies on the marker as it was read last. */
export const OWNER_BELIEVED_MS = 1_000
/** Milliseconds between two reads without deletions. */
const READ_EVERY_MS = 5_000
/** A store may refuse to create the marker while another process does so. */
const CREATE_TRIES = 5

export interface Ownership {
  readonly installation: string
  /** The owner as it was read last: at most about READ_EVERY_MS ago, if the store answers. */
  latest(): Owner
  /** The owner at most OWNER_BELIEVED_MS ago. Rejects with StoreUnavailable. */
  now(): Promise<Owner>
  close(): void
}

export interface OwnershipOptions {
  /** Of this installation. */
  readonly installation: string
  /** Whether this installation marks a store that has no owner. */
  readonly mayMark: () => Promise<boolean>
  /** Called when the owner changes while the process runs. */
  readonly onChange: (owner: Owner) => void
  /** A monotonic clock. */
  readonly elapsedMs: () => number
}

/** Marks a store that has no owner, if this installation may. Rejects with StoreUnavailable. */
export async function openOwnership(marker: OwnerMarker, options: OwnershipOptions): Promise<Ownership> {
  const { installation, mayMark, onChange, elapsedMs } = options
  let text = await marker.read()
  const tries = text === null && (await mayMark()) ? CREATE_TRIES : 0
  for (let tried = 0; text === null && tried < tries; tried++) {
    await marker.create(markerText(installation))
    // Another installation may have been faster.
    text = await marker.read()
  }
  let latest = ownerIn(text, installation)
  let readMs = elapsedMs()
  let reading: Promise<Owner> | null = null

  const read = async (): Promise<Owner> => {
    const startedMs = elapsedMs()
    const owner = ownerIn(await marker.read(), installation)
    const isChanged = JSON.stringify(owner) !== JSON.stringify(latest)
    latest = owner
    readMs = startedMs
    if (isChanged) onChange(owner)
    return owner
  }
  const readOnce = (): Promise<Owner> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  // If the store does not answer, the owner stays as it was read last. Deletions wait for an answer.
  const timer = setInterval(() => void readOnce().catch(() => {}), READ_EVERY_MS)
  timer.unref()

  return {
    installation,
    latest: () => latest,
    now: async () => (elapsedMs() - readMs < OWNER_BELIEVED_MS ? latest : readOnce()),
    close: () => clearInterval(timer),
  }
}

// Which installation becomes the owner of a file store that has no marker. A store that a version before the marker
// filled belongs to the installation that filled it. Another one that is pointed at it by mistake must not delete what
// it takes for orphans.

const PAGE = 1_000
/** Blobs that are looked for in the log: their names are random, so the first ones are a sample. */
const BLOBS_COMPARED = 1_000
const UPLOADS = uploadStream('')

interface Claimant {
  readonly files: Pick<FileStore, 'list'>
  /** Of the installation. */
  readonly log: Pick<Log, 'readAll'>
  /** A restored installation never marks a store by itself: another one may use it that has not marked it yet. */
  readonly isRestored: boolean
  /** Whether an import filled the log: then its uploads are those of the exported installation. */
  readonly isImported: boolean
}

/**
 * If the store has blobs, reads the log until uploads of it name the first 1,000 of them, or to its end. One blob that
 * the log does not name may be of another installation, which this one would delete as an orphan.
 */
export async function mayMark({ files, log, isRestored, isImported }: Claimant): Promise<boolean> {
  if (isRestored) return false
  const stored = await files.list(null, BLOBS_COMPARED)
  return stored.length === 0 || (!isImported && hasUploadsOf(log, new Set(stored.map(({ blob }) => blob))))
}

/** Empties `blobs` of those that it finds. */
async function hasUploadsOf(log: Claimant['log'], blobs: Set<string>): Promise<boolean> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Log['readAll']>> = await log.readAll(after, PAGE)
    for (const { stream, data } of page) if (stream.startsWith(UPLOADS)) blobs.delete(String(data.blob))
    if (blobs.size === 0) return true
    if (page.length < PAGE) return false
    after = page.at(-1)?.position ?? null
  }
}
