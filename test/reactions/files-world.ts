// A bucket, its files and its views in memory, for the tests of the reactions that look after them.

import { removeFile } from '../../commands/file.ts'
import { complete } from '../../commands/finish-upload.ts'
import { createHandler } from '../../commands/handle.ts'
import { begin, bytesStored, findUpload } from '../../commands/upload.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { bucket, bucketStream, createBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import { blobs } from '../../projections/blobs.ts'
import { files } from '../../projections/files.ts'
import { type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'

export const PLACE = { bucket: 'k1', game: 'g1' }
const VIEWS: readonly Projection[] = [files, blobs]
export const ROOT = { folder: 'k1', folderKey: 'root' }
const START_MS = Date.UTC(2026, 10, 21)

/** A bucket with files in it, its views, and a clock that stands. */
export async function world() {
  const clock = { nowMs: START_MS }
  const now = () => clock.nowMs
  const log = createMemoryLog()
  const store = createMemoryFiles(now)
  const keys = workingKeys(Buffer.alloc(32, 7))
  const commands = {
    handler: createHandler(log),
    log,
    publish: async () => {},
    vault: null as never,
    keys,
    files: store,
  }
  const context = () => {
    return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs }
  }
  const queries = {} as { -readonly [name in keyof QueryDeps]: QueryDeps[name] }
  /** Projects the log again. */
  const waitForProjection = async () => {
    const views = createMemoryViews()
    const events = await log.readAll(null, 1_000)
    for (const projection of VIEWS) {
      const view = viewInMemory(projection)
      view.apply(...events)
      await views.prepare(viewSpec(projection))
      const writes = projection.collections.flatMap(({ name }) =>
        Object.entries(view.documents(name)).map(([id, body]) => ({ collection: name, id, pos: '1', body })),
      )
      await views.commit([{ view: viewKey(projection), writes, checkpoints: new Map() }])
    }
    queries.views = views
    queries.viewKey = (name) => viewKey(VIEWS.find((one) => one.name === name) as Projection)
    return true
  }
  const made = createBucket({ name: 'B', limits: NEW_BUCKET })
  await commands.handler.handle(bucket, { stream: bucketStream('k1'), game: 'g1' }, context(), made)
  async function upload(path: string, player: string | null, at = ROOT): Promise<string> {
    const fresh = { path, folder: at.folder, size: 1, contentType: 'x/y', sha256: null, player }
    const { id } = await begin(commands, PLACE, { fresh, limits: NEW_BUCKET, admit: () => {} }, context())
    const wanted = await findUpload(commands, 'k1', id, clock.nowMs)
    store.plant(wanted.blob, Buffer.from('x'), clock.nowMs)
    await bytesStored(commands, id, { blob: wanted.blob, size: 1, sha256: null, storedMs: clock.nowMs }, context())
    const into = { ...at, limits: NEW_BUCKET, admit: () => {} }
    await complete(commands, PLACE, { id, wanted, into }, context())
    return wanted.blob
  }
  const remove = (path: string) =>
    removeFile(
      commands,
      PLACE,
      { file: { folder: 'k1', key: pathKey(keys.digest, 'k1', path) }, admit: () => {} },
      context(),
    )
  await waitForProjection()
  return { clock, now, log, store, commands, queries: queries as QueryDeps, waitForProjection, upload, remove, context }
}

export const running = new AbortController().signal
export const ALL = new Set([0, 1])
