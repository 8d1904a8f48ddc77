// The read models in MongoDB. Nothing is remembered here of what the documents hold: other processes write them too.

import { type Collection, type Db, MongoServerError } from 'mongodb'
import type { Batch, Document, Find, ViewSpec, Views } from '../contract/views.ts'
import { BATCH_MOST } from './batch.ts'
import type { Server } from './check.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { type Patience, patience } from './patience.ts'
import { prepareView } from './prepare.ts'
import { isCount, type Query, queryOf } from './query.ts'
import { createRegister, type Entry } from './register.ts'
import { documentOf, type Row, rowOf, type Table, tableOf } from './rows.ts'
import { newestOf, writeRows } from './writes.ts'

interface OpenCollection {
  readonly rows: Collection<Row>
  readonly lookup: Lookup
  readonly table: Table
}

interface OpenView extends Pick<Entry, '_id' | 'generation'> {
  readonly collections: ReadonlyMap<string, OpenCollection>
}

/**
 * On a replica set `find` and `count` answer as of one moment, of which a majority knows. On a single server there is no
 * such moment to be had: a document that moves within the index while it is read may be found twice or not at all.
 * Text in an index is ordered by its bytes in UTF-8, as in the embedded store: by code point, which differs from the order
 * of code units only between characters past U+FFFF and those from U+E000 to U+FFFF. Half a surrogate pair comes back in a
 * body as it was given; in an index it stands, and is found, as U+FFFD.
 */
export function openViews(db: Db, { isReplicated, answerMs }: Server): Omit<Views, 'close'> {
  const inTime: Patience = patience(answerMs)
  const register = createRegister(db, inTime)
  const opened = new Map<string, OpenView>()
  const asOfOneMoment = isReplicated ? { readConcern: { level: 'snapshot' as const } } : {}

  function keep(entry: Entry): OpenView {
    const collections = entry.collections.map(({ name, indexes }) => {
      const rows = register.rows(entry, name)
      return [name, { rows, lookup: createLookup(rows, inTime), table: tableOf(JSON.parse(indexes)) }] as const
    })
    const view = { _id: entry._id, generation: entry.generation, collections: new Map(collections) }
    opened.set(entry._id, view)
    return view
  }

  async function viewOf(key: string): Promise<OpenView> {
    const known = opened.get(key)
    if (known !== undefined) return known
    const entry = await register.entry(key)
    if (entry === null) throw new TypeError(`There is no view ${key}: prepare it first`)
    // Written now, a row would lack the fields of the indexes to come.
    if (entry.collections.some(({ indexes }) => indexes === '')) throw new Error(`The view ${key} is being prepared`)
    return keep(entry)
  }

  async function collectionOf(key: string, name: string): Promise<OpenCollection> {
    return openCollection(await viewOf(key), name)
  }

  async function get(view: string, name: string, ids: readonly string[]): Promise<(Document | null)[]> {
    const known = opened.get(view)
    const { lookup } = known === undefined ? await collectionOf(view, name) : openCollection(known, name)
    const found = await lookup(ids)
    return ids.map((id) => found.get(id) ?? null)
  }

  async function find(asked: Find): Promise<Document[]> {
    const { rows, table } = await collectionOf(asked.view, asked.collection)
    const { filter, sort } = queryOf(table, asked)
    if (asked.limit === 0) return []
    const page = await steadily(() => inTime(rows.find(filter, { ...asOfOneMoment, ...pageOf(asked), sort }).toArray()))
    return documentsOf(page)
  }

  async function count(asked: Find): Promise<number> {
    const { rows, table } = await collectionOf(asked.view, asked.collection)
    const { filter }: Query = queryOf(table, asked)
    if (asked.limit === 0) return 0
    return steadily(() => inTime(rows.countDocuments(filter, { ...asOfOneMoment, limit: asked.limit })))
  }

  async function scan(view: string, name: string, afterId: string | null, limit: number): Promise<Document[]> {
    const { rows } = await collectionOf(view, name)
    if (!isCount(limit)) throw new RangeError(`A scan cannot have limit ${limit}`)
    if (limit === 0) return []
    const filter = { _id: { $gt: String(afterId ?? '') }, doc: { $exists: true } }
    return documentsOf(await inTime(rows.find(filter, { ...pageOf({ limit }), sort: { _id: 1 } }).toArray()))
  }

  async function commit(batches: readonly Batch[]): Promise<void> {
    const views = await Promise.all(batches.map(({ view }) => viewOf(view)))
    // All of it is looked at before any of it is sent.
    const given = new Map<Collection<Row>, { readonly all: Row[]; readonly news: Set<string> }>()
    for (const [place, { writes }] of batches.entries()) {
      for (const write of writes) {
        const { rows, table } = openCollection(views[place], write.collection)
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
      batches.flatMap(({ checkpoints }, place) => {
        const view = views[place]
        return view === undefined ? [] : [{ view, checkpoints }]
      }),
    )
  }

  return {
    prepare: async (view: ViewSpec) => void keep(await prepareView(db, register, view)),
    list: () => register.views(),
    drop: async (view) => {
      opened.delete(view)
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
    commit,
  }
}

function openCollection(view: OpenView | undefined, name: string): OpenCollection {
  const found = view?.collections.get(name)
  if (found === undefined)
    throw new TypeError(`There is no collection ${name} of view ${view?._id}: prepare the view first`)
  return found
}

/** All of them in the first answer, where they are no more than that takes; the server ends the cursor by itself. */
function pageOf({ limit, skip = 0 }: Pick<Find, 'limit' | 'skip'>) {
  return { projection: { pos: 1, doc: 1 }, limit, skip, batchSize: Math.min(limit, BATCH_MOST) } as const
}

function documentsOf(rows: readonly Row[]): Document[] {
  return rows.flatMap((row) => documentOf(row) ?? [])
}

const SNAPSHOT_UNAVAILABLE = 246
const ATTEMPTS = 10

/** Just after a collection or an index was made, there may be no moment yet that a majority knows and that has it. */
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
