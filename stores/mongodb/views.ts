// The read models in MongoDB. Other processes write them too, so no content is answered from memory but by `current`.

import { type Db, MongoServerError } from 'mongodb'
import type { Checkpoint, Document, Find, ViewSpec, Views } from '../contract/views.ts'
import { type CallTimeout, createCallTimeout } from './call-timeout.ts'
import type { Server } from './check.ts'
import { createCommit } from './commit.ts'
import { createCurrentDocuments } from './current-documents.ts'
import { documentOf, MAX_BATCH, type Row } from './document-rows.ts'
import { collectionIn, createOpenViews, type OpenViews } from './open-views.ts'
import { prepareView } from './prepare.ts'
import { isCount, type Query, queryOf } from './query.ts'
import { createRegister, type Register } from './register.ts'

/**
 * On a replica set `find` and `count` read a majority-committed snapshot. A single server has no snapshots: a document
 * that moves within the index during the read may be found twice or not at all.
 * Text in an index is ordered by its UTF-8 bytes, as in the embedded store: by code point, which differs from the order
 * of code units only between characters past U+FFFF and those from U+E000 to U+FFFF. A lone surrogate is preserved in a
 * body; in an index it is stored, and found, as U+FFFD.
 */
export function openViews(db: Db, { isReplicated, answerMs }: Server): Omit<Views, 'close'> {
  const withCallTimeout: CallTimeout = createCallTimeout(answerMs)
  const register = createRegister(db, withCallTimeout)
  const views = createOpenViews(register, withCallTimeout)
  const inOneSnapshot = isReplicated ? { readConcern: { level: 'snapshot' as const } } : {}

  const get = createGet(views)

  async function getOne(view: string, name: string, id: string): Promise<Document | null> {
    const [found = null] = await get(view, name, [id])
    return found
  }

  async function find(query: Find): Promise<Document[]> {
    const { rows, table } = collectionIn(await views.get(query.view), query.collection)
    const { filter, sort } = queryOf(table, query)
    if (query.limit === 0) return []
    const page = await steadily(() =>
      withCallTimeout(rows.find(filter, { ...inOneSnapshot, ...pageOf(query), sort }).toArray()),
    )
    return documentsOf(page)
  }

  async function count(query: Find): Promise<number> {
    const { rows, table } = collectionIn(await views.get(query.view), query.collection)
    const { filter }: Query = queryOf(table, query)
    if (query.limit === 0) return 0
    return steadily(() => withCallTimeout(rows.countDocuments(filter, { ...inOneSnapshot, limit: query.limit })))
  }

  async function scan(view: string, name: string, afterId: string | null, limit: number): Promise<Document[]> {
    const { rows } = collectionIn(await views.get(view), name)
    if (!isCount(limit)) throw new RangeError(`A scan cannot have limit ${limit}`)
    if (limit === 0) return []
    const filter = { _id: { $gt: String(afterId ?? '') }, doc: { $exists: true } }
    return documentsOf(await withCallTimeout(rows.find(filter, { ...pageOf({ limit }), sort: { _id: 1 } }).toArray()))
  }

  return {
    prepare: async (view: ViewSpec) => void views.open(await prepareView(db, register, view)),
    list: () => register.views(),
    drop: async (view) => {
      views.forget(view)
      await register.drop(view)
    },
    checkpoints: (view, partitions) => checkpointsOf(register, view, partitions),
    get,
    current: createCurrentDocuments(register.progress, getOne),
    find,
    count,
    scan,
    commit: createCommit(register, views, withCallTimeout),
    // A majority has each write in its journal before the server acknowledges it (open.ts).
    durable: async () => {},
  }
}

const createGet =
  (views: OpenViews): Views['get'] =>
  async (view, name, ids) => {
    const { lookup } = collectionIn(views.known(view) ?? (await views.get(view)), name)
    const found = await lookup(ids)
    return ids.map((id) => found.get(id) ?? null)
  }

async function checkpointsOf(
  { entry, progress }: Register,
  view: string,
  partitions?: readonly number[],
): Promise<Map<number, Checkpoint>> {
  const checkpoints = new Map<number, Checkpoint>()
  if (partitions === undefined) {
    for (const [partition, { position, eventId }] of Object.entries((await entry(view))?.checkpoints ?? {})) {
      checkpoints.set(Number(partition.slice(1)), { position, eventId })
    }
    return checkpoints
  }
  const found = await Promise.all(partitions.map((partition) => progress.read(view, partition)))
  for (const [at, partition] of partitions.entries()) {
    const { checkpoint = null } = found[at] ?? {}
    if (checkpoint !== null) checkpoints.set(partition, checkpoint)
  }
  return checkpoints
}

/** Fetches all documents in the first answer if they fit, so that the server closes the cursor by itself. */
function pageOf({ limit, skip = 0 }: Pick<Find, 'limit' | 'skip'>) {
  return { projection: { pos: 1, doc: 1 }, limit, skip, batchSize: Math.min(limit, MAX_BATCH) } as const
}

function documentsOf(rows: readonly Row[]): Document[] {
  return rows.flatMap((row) => documentOf(row) ?? [])
}

const SNAPSHOT_UNAVAILABLE = 246
const ATTEMPTS = 10

/** Retries: directly after a collection or index was created, no majority snapshot may contain it yet. */
async function steadily<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (failure) {
      const isEarly = failure instanceof MongoServerError && failure.code === SNAPSHOT_UNAVAILABLE
      if (!isEarly || attempt === ATTEMPTS) throw failure
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
