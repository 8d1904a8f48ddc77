// Checks every file against its bytes, and every blob against the files, for `scorebook files check`.

import { createHash } from 'node:crypto'
import { unsafeCast } from '../../domain/event.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { FileStore, Stored } from '../../stores/contract/files.ts'
import type { QueryDeps } from '../deps.ts'
import { blobsKept } from '../upload.ts'
import type { FileDocument } from './path-lookup.ts'

/** `unreadable`: the store has the blob but cannot read it. */
export type Trouble = 'missing' | 'wrong_size' | 'wrong_bytes' | 'unreadable'

export interface Checked {
  readonly bucket: string
  readonly path: string
  readonly blob: string
  readonly size: number
  /** Null if there is no problem. */
  readonly trouble: Trouble | null
}

/** Reads all bytes of a file's blob; null if there is no such blob. */
export type ReadBlob = (file: FileDocument) => Promise<AsyncIterable<Uint8Array> | null>

const PAGE = 500
const CONCURRENCY = 8

/** The number of files in the view. O(files). */
export async function countFiles(deps: QueryDeps): Promise<number> {
  let count = 0
  for await (const page of pages(deps)) count += page.length
  return count
}

/**
 * Checks each file once, a few at a time; with `read`, also all of its bytes. Rejects with StoreUnavailable if no blob
 * can be read at all.
 */
export async function* checkFiles(deps: QueryDeps, files: FileStore, read: ReadBlob | null): AsyncGenerator<Checked> {
  for await (const page of pages(deps)) {
    for (let at = 0; at < page.length; at += CONCURRENCY) {
      const some = page.slice(at, at + CONCURRENCY)
      yield* await Promise.all(some.map((file) => checkFile(deps, files, read, file)))
    }
  }
}

async function checkFile(
  deps: QueryDeps,
  files: FileStore,
  read: ReadBlob | null,
  file: FileDocument,
): Promise<Checked> {
  const { bucket, path, blob, size } = file
  let trouble = await troubleOf(files, read, file)
  // The file may have been overwritten or deleted since it was listed; then these bytes need not exist.
  if (trouble !== null && !(await isStill(deps, file))) trouble = null
  return { bucket, path, blob, size, trouble }
}

async function troubleOf(files: FileStore, read: ReadBlob | null, file: FileDocument): Promise<Trouble | null> {
  try {
    const stored = await files.stored(file.blob)
    if (stored === null) return 'missing'
    if (stored.size !== file.size) return 'wrong_size'
    if (file.sha256 !== null && stored.sha256 !== null && stored.sha256 !== file.sha256) return 'wrong_bytes'
    return read === null ? null : await compare(await read(file), file.sha256 ?? stored.sha256, file.size)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    // Report one unreadable blob, but fail if the store does not answer at all.
    await files.list(null, 1)
    return 'unreadable'
  }
}

async function compare(
  bytes: AsyncIterable<Uint8Array> | null,
  sha256: string | null,
  size: number,
): Promise<Trouble | null> {
  if (bytes === null) return 'missing'
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of bytes) {
    hash.update(chunk)
    length += chunk.length
  }
  if (length !== size) return 'wrong_size'
  return sha256 === null || hash.digest('hex') === sha256 ? null : 'wrong_bytes'
}

async function isStill(deps: QueryDeps, { bucket, key, blob }: FileDocument): Promise<boolean> {
  const [document] = await deps.views.get(deps.viewKey('files'), 'files', [`${bucket}.${key}`])
  return document?.body.blob === blob
}

/** Blobs that no file and no upload names, with the number of blobs seen. */
export async function* orphans(
  deps: QueryDeps,
  files: FileStore,
): AsyncGenerator<{ readonly seen: number; readonly orphans: readonly Stored[] }> {
  for (let after: string | null = null; ; ) {
    const page: Stored[] = await files.list(after, PAGE)
    const names = page.map(({ blob }) => blob)
    const kept = await blobsKept(deps, names)
    yield { seen: page.length, orphans: page.filter(({ blob }) => !kept.has(blob)) }
    if (page.length < PAGE) return
    after = names.at(-1) ?? null
  }
}

async function* pages(deps: QueryDeps): AsyncGenerator<readonly FileDocument[]> {
  for (let after: string | null = null; ; ) {
    const page = await deps.views.scan(deps.viewKey('files'), 'files', after, PAGE)
    yield page.map(({ body }) => unsafeCast<FileDocument>(body))
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? null
  }
}
