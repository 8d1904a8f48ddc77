// Nodes on one log that upload and delete files, the reactions that finish their work, and the invariants afterwards:
// the quota equals the sum of the files, and every upload is either a file or expired.

import type { FileCommandDeps } from '../../commands/command-deps.ts'
import { free, removeFile } from '../../commands/file.ts'
import { complete, expire, finish } from '../../commands/finish-upload.ts'
import { createHandler } from '../../commands/handle.ts'
import { loadState } from '../../commands/load-state.ts'
import { begin, bytesStored, findUpload } from '../../commands/upload.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { type FileAt, type FileDeletedData, type FileStoredData, file } from '../../domain/file.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { UPLOAD_LIFETIME_MS, upload, uploadStream } from '../../domain/upload.ts'
import type { Log } from '../../stores/contract/log.ts'
import { createMemoryFiles } from '../memory/files.ts'

export const START_MS = Date.UTC(2026, 10, 21)
export const PLACE = { bucket: 'k1', game: 'g1' }
const FOLDER = { folder: 'k1', folderKey: 'root' }
const keys = workingKeys(Buffer.alloc(32, 7))
export const admit = () => {}

export const context = (nowMs = START_MS) => {
  return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs }
}

export function node(log: Log): FileCommandDeps {
  const changing = { putIfAbsent: never, replace: never, destroy: never, destroyForGood: never }
  const vault = { ...changing, get: never, idsOf: never, close: never }
  const files = createMemoryFiles(() => START_MS)
  return { handler: createHandler(log), log, vault, keys, publish: async () => {}, files }
}

async function never(): Promise<never> {
  throw new Error('files have no secrets')
}

export async function started(
  deps: FileCommandDeps,
  path: string,
  size: number,
  player: string | null,
): Promise<string> {
  const fresh = { path, folder: FOLDER.folder, size, contentType: 'text/plain', sha256: null, player }
  return (await begin(deps, PLACE, { fresh, limits: NEW_BUCKET, admit }, context())).id
}

export async function sent(deps: FileCommandDeps, id: string): Promise<void> {
  const { blob, size } = await findUpload(deps, PLACE.bucket, id, START_MS)
  await bytesStored(deps, id, { blob, size, sha256: null, storedMs: START_MS }, context())
}

export async function completed(deps: FileCommandDeps, id: string): Promise<void> {
  const wanted = await findUpload(deps, PLACE.bucket, id, START_MS)
  await complete(deps, PLACE, { id, wanted, into: { ...FOLDER, limits: NEW_BUCKET, admit } }, context())
}

export async function uploaded(
  deps: FileCommandDeps,
  path: string,
  size: number,
  player: string | null,
): Promise<string> {
  const id = await started(deps, path, size, player)
  await sent(deps, id)
  await completed(deps, id)
  return id
}

export const keyOf = (path: string) => pathKey(keys.digest, PLACE.bucket, path)
export const deleted = (deps: FileCommandDeps, path: string) =>
  removeFile(deps, PLACE, { file: { folder: FOLDER.folder, key: keyOf(path) }, admit }, context())

/** The context of the process that expires an upload. */
export const late = () => context(START_MS + UPLOAD_LIFETIME_MS)

/** Runs the processes over the whole log, as after the loss of their checkpoints. */
export async function looked(log: Log): Promise<void> {
  const deps = node(log)
  for (const { type, stream, data } of await log.readAll(null, 10_000)) {
    if (type === 'FileDeleted') await free(deps, PLACE, [unsafeCast<FileDeletedData>(data)], late())
    if (type === 'FileStored' || type === 'FileOverwritten') {
      await finish(deps, PLACE, { stream, stored: unsafeCast<FileStoredData>(data) }, late())
    }
  }
  const { uploads } = await loadState(deps, quota, quotaStream(PLACE.bucket))
  for (const [id] of uploads.entries()) await expire(deps, PLACE, id, late())
}

/** The files by their streams. */
export async function filesIn(log: Log): Promise<FileAt[]> {
  const states = new Map<string, FileAt>()
  for (const event of (await log.readAll(null, 10_000)) as StoredEvent[]) {
    if (!event.stream.startsWith('file-')) continue
    states.set(
      event.stream,
      file.evolve(states.get(event.stream) ?? file.initial, unsafeCast(event), recordedAt(event)),
    )
  }
  return [...states.values()]
}

export async function faultsIn(log: Log): Promise<string[]> {
  const faults: string[] = []
  const deps = node(log)
  const counted = await loadState(deps, quota, quotaStream(PLACE.bucket))
  const current = (await filesIn(log)).flatMap((at) => at.current ?? [])
  const bytes = current.reduce((sum, { size }) => sum + size, 0)
  if (counted.bytes !== bytes) faults.push(`${counted.bytes} bytes counted, ${bytes} held`)
  if (counted.files !== current.length) faults.push(`${counted.files} files counted, ${current.length} there`)
  if (counted.uploads.size > 0) faults.push(`${counted.uploads.size} uploads reserved for ever`)
  for (const player of ['p1', 'p2']) {
    const own = current.filter(({ creator }) => creator === player)
    const sum = own.reduce((total, { size }) => total + size, 0)
    const held = counted.owners.get(player) ?? { bytes: 0, files: 0 }
    if (held.bytes !== sum || held.files !== own.length) faults.push(`${player}: ${JSON.stringify(held)} counted`)
  }
  for (const { upload: id } of current) {
    const state = await loadState(deps, upload, uploadStream(id))
    if (state === null || state === 'gone' || state.completed === null) faults.push(`upload ${id} is not completed`)
  }
  return faults
}
