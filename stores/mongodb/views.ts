// The read models in MongoDB. Document contents are not cached, because other processes write them too.

import { type Collection, type Db, MongoServerError } from 'mongodb'
import type { Document, Find, ViewSpec, Views } from '../contract/views.ts'
import { MAX_BATCH } from './batch.ts'
import type { Server } from './check.ts'
import { documentOf, type Row, rowOf } from './document-rows.ts'
import { collectionIn, createOpenViews, type OpenViews } from './open-views.ts'
import { type Patience, patience } from './patience.ts'
import { prepareView } from './prepare.ts'
import { isCount, type Query, queryOf } from './query.ts'
import { createRegister, type Register } from './register.ts'
import { newestOf, writeRows } from './writes.ts'

/**
 * On a replica set `find` and `count` read a majority-committed snapshot. A single server has no snapshots: a document that
 * moves within the index during the read may be found twice or not at all.
 * Text in an index is ordered by its UTF-8 bytes, as in the embedded store: by code point, which differs from the order of
 * code units only between characters past U+FFFF and those from U+E000 to U+FFFF. A lone surrogate is preserved in a body;
 * in an index it is stored, and found, as U+FFFD.
 */
export function openViews(db: Db, { isReplicated, answerMs }: Server): Omit<Views, 'close'> {
  const inTime: Patience = patience(answerMs)
  const register = createRegister(db, inTime)
  const views = createOpenViews(register, inTime)
  const asOfOneMoment = isReplicated ? { readConcern: { level: 'snapshot' as const } } : {}

  async function get(view: string, name: string, ids: readonly string[]): Promise<(Document | null)[]> {
    const { lookup } = collectionIn(views.known(view) ?? (await views.get(view)), name)
    const found = await lookup(ids)
    return ids.map((id) => found.get(id) ?? null)
  }

  async function find(query: Find): Promise<Document[]> {
    const { rows, table } = collectionIn(await views.get(query.view), query.collection)
    const { filter, sort } = queryOf(table, query)
    if (query.limit === 0) return []
    const page = await steadily(() => inTime(rows.find(filter, { ...asOfOneMoment, ...pageOf(query), sort }).toArray()))
    return documentsOf(page)
  }

  async function count(query: Find): Promise<number> {
    const { rows, table } = collectionIn(await views.get(query.view), query.collection)
    const { filter }: Query = queryOf(table, query)
    if (query.limit === 0) return 0
    return steadily(() => inTime(rows.countDocuments(filter, { ...asOfOneMoment, limit: query.limit })))
  }

  async function scan(view: string, name: string, afterId: string | null, limit: number): Promise<Document[]> {
    const { rows } = collectionIn(await views.get(view), name)
    if (!isCount(limit)) throw new RangeError(`A scan cannot have limit ${limit}`)
    if (limit === 0) return []
    const filter = { _id: { $gt: String(afterId ?? '') }, doc: { $exists: true } }
    return documentsOf(await inTime(rows.find(filter, { ...pageOf({ limit }), sort: { _id: 1 } }).toArray()))
  }

  return {
    prepare: async (view: ViewSpec) => void views.open(await prepareView(db, register, view)),
    list: () => register.views(),
    drop: async (view) => {
      views.forget(view)
      await register.drop(view)
    },
    checkpoints: async (view) => {
      const reached = Object.entries((await register.entry(view))?.checkpoints ?? {})
      return new Map(
        reached.map(([partition, { position, eventId }]) => [Number(partition.slice(1)), { position, eventId }]),
      )
    },
    get,
    find,
    count,
    scan,
    commit: createCommit(register, views, inTime),
  }
}

/** Rejects before any write if a view or collection of any batch is missing. */
function createCommit(register: Register, opened: OpenViews, inTime: Patience): Views['commit'] {
  return async (batches) => {
    const views = await Promise.all(batches.map(({ view }) => opened.get(view)))
    const given = new Map<Collection<Row>, { readonly all: Row[]; readonly news: Set<string> }>()
    for (const [index, { writes }] of batches.entries()) {
      for (const write of writes) {
        const { rows, table } = collectionIn(views[index], write.collection)
        const { all, news } = given.get(rows) ?? { all: [], news: new Set<string>() }
        if (all.length === 0) given.set(rows, { all, news })
        all.push(rowOf(table, write))
        if (write.isNew === true) news.add(write.id)
      }
    }
    const writing = [...given].map(([rows, { all, news }]) => writeRows(rows, newestOf(all), inTime, news))
    const written = await Promise.allSettled(writing)
    for (const one of written) if (one.status === 'rejected') throw one.reason
    await register.reach(
      batches.flatMap(({ checkpoints }, index) => {
        const view = views[index]
        return view === undefined ? [] : [{ view, checkpoints }]
      }),
    )
  }
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
