// The read models in a SQLite file. It is not synced at each commit: commits that a power cut loses are replayed from
// the log, from the checkpoint that was lost with them.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Purge } from '../contract/erasure.ts'
import type { Document, Find, ViewSpec, Views } from '../contract/views.ts'
import type { RankIndex } from './rank-index.ts'
import { extendedCode, SQLITE_ERROR } from './sqlite-error.ts'
import { openCollection, type ViewCollection } from './view-collection.ts'
import { DocumentCaches } from './view-documents.ts'
import { createViewCheckpoints, createViewsCommit } from './views-commit.ts'
import { ViewsFile, type ViewsOptions } from './views-file.ts'
import { createViewsRegister, type ViewsRegister } from './views-register.ts'
import { type AddText, prepareAddText, TO_OLDER_VERSIONS } from './views-schema.ts'

/** More ids than this are read by one statement, which joins the documents inside SQLite and costs half. */
const MAX_SINGLE_READS = 2

export interface EmbeddedViews extends Views, Purge {
  /**
   * The documents of a view by rank; null if the file has no such view, the view declares no index by rank, or it is
   * not made yet.
   */
  ranked(view: string): RankedDocuments | null
  /** Makes the indexes in memory that are declared and not made yet: reads a whole table, and yields in between. */
  makeMemoryIndexes(view: string): Promise<void>
}

export interface RankedDocuments {
  readonly index: RankIndex
  /** Fields of the documents in rows of the index, as `RankedPage.values`. */
  readonly valuesInRows: ViewCollection['valuesInRows']
}

/**
 * Opens or creates the read models. Throws if another process has them open; DerivedDamaged or SQLite's error if they
 * are damaged.
 */
export async function openViews(path: string, options: ViewsOptions = {}): Promise<EmbeddedViews> {
  const file = new ViewsFile(path, options)
  try {
    return openOn(file, options)
  } catch (error) {
    // No caller has given input yet, so such an error is caused by the content of the file.
    const failure = isOfContent(error) ? file.reportDamage('its tables cannot be read', error) : error
    await file.close()
    throw failure
  }
}

function openOn(file: ViewsFile, options: ViewsOptions): EmbeddedViews {
  const register = createViewsRegister(file.db, options.ranksInFile === true)
  const collections = openCollections(file, register, options)
  const checkpoints = createViewCheckpoints(file.db)
  /** Views that are not prepared again yet, after they were filled. */
  const filling = new Set<string>()
  const commit = createViewsCommit(file, checkpoints, collections.get, (view) => filling.has(view))
  const clear = createViewsClearing(file, register)

  // Rows of dropped views that a crash left behind.
  for (const _ of register.clearing());
  for (const view of register.views()) collections.open(view)

  /** A new collection gets its indexes when it is prepared again, or when a query needs one. */
  async function prepare(view: ViewSpec): Promise<void> {
    while (file.walCheckpoint !== null) await file.walCheckpoint
    file.settle()
    const known = collections.ofView(view.key)
    register.prepare(view)
    collections.open(view.key)
    if (known === undefined) filling.add(view.key)
    else filling.delete(view.key)
    const filled = [...(collections.ofView(view.key) ?? [])].filter(([name]) => known?.has(name))
    for (const [, one] of filled) one.makeIndexes(null)
    for (const [, one] of filled) await one.makeMemoryIndexes()
  }

  async function drop(view: string): Promise<void> {
    while (file.walCheckpoint !== null) await file.walCheckpoint
    file.settle()
    register.retire(view)
    collections.forget(view)
    checkpoints.forget(view)
    filling.delete(view)
    await clear()
  }

  return {
    prepare,
    drop,
    commit,
    list: async () => register.views(),
    checkpoints: async (view) => checkpoints.read(view),
    get: async (view, name, ids) => getAll(collections.get(view, name), ids),
    current: async (view, name, ids) => getAll(collections.get(view, name), ids),
    ...createFinds(file, collections),
    ...createRanked(collections),
    scan: async (view, name, afterId, limit) => collections.get(view, name).scan(afterId, limit),
    durable: () => file.durable(),
    purge: () => file.purge(),
    close: () => file.close(),
  }
}

function createRanked(collections: ViewCollections): Pick<EmbeddedViews, 'ranked' | 'makeMemoryIndexes'> {
  return {
    ranked(view) {
      for (const { rankIndex, valuesInRows } of collections.ofView(view)?.values() ?? []) {
        const index = rankIndex()
        if (index !== null) return { index, valuesInRows }
      }
      return null
    },
    async makeMemoryIndexes(view) {
      for (const collection of collections.ofView(view)?.values() ?? []) await collection.makeMemoryIndexes()
    },
  }
}

/**
 * Whether it is an error of JSON, or of SQL that names a table or column that the file does not have; unless a newer
 * version wrote it so.
 */
function isOfContent(error: unknown): boolean {
  if (error instanceof Error && error.message.includes(TO_OLDER_VERSIONS)) return false
  return error instanceof SyntaxError || error instanceof TypeError || extendedCode(error) === SQLITE_ERROR
}

const getAll = (from: ViewCollection, ids: readonly string[]): (Document | null)[] =>
  ids.length > MAX_SINGLE_READS ? from.getAll(ids) : ids.map((id) => from.get(id))

function createFinds(file: ViewsFile, collections: ViewCollections): Pick<Views, 'find' | 'count'> {
  /** The collection, after creating the index that the query needs. */
  async function indexed({ view, collection, index }: Find): Promise<ViewCollection> {
    while (file.walCheckpoint !== null) await file.walCheckpoint
    file.settle()
    const found = collections.get(view, collection)
    found.makeIndexes(index)
    if (!found.hasIndex(index)) await found.makeMemoryIndexes()
    return found
  }

  // Skip the await if the index exists, because every read passes here.
  async function find(query: Find): Promise<Document[]> {
    const from = collections.get(query.view, query.collection)
    return (from.hasIndex(query.index) ? from : await indexed(query)).find(query)
  }

  async function count(query: Find): Promise<number> {
    const from = collections.get(query.view, query.collection)
    return (from.hasIndex(query.index) ? from : await indexed(query)).count(query)
  }

  return { find, count }
}

/** Of all prepared views. */
interface ViewCollections {
  /** Opens the view's collections by the register. One that is open stays, unless its table has changed. */
  open(view: string): void
  /** Collections of the view by name; undefined if the view is not prepared. */
  ofView(view: string): ReadonlyMap<string, ViewCollection> | undefined
  /** Throws a TypeError if the view or its collection is not prepared. */
  get(view: string, name: string): ViewCollection
  forget(view: string): void
}

function openCollections(
  file: ViewsFile,
  register: ViewsRegister,
  { documentCharacters }: Pick<ViewsOptions, 'documentCharacters'>,
): ViewCollections {
  const opened = new Map<string, Map<string, ViewCollection>>()
  const caches = new DocumentCaches(documentCharacters)
  const insert = prepareAddText(file.db)
  // In the open transaction, before the documents that use it. The writer has waited for `untilWritable` in the same
  // step.
  const addText: AddText = (...text) =>
    file.transactions.run(() => {
      insert(...text)
      return 0
    })

  function open(view: string): void {
    const before = opened.get(view)
    const tables = register.tables(view).map(([name, table]) => {
      const known = before?.get(name)
      if (known !== undefined && known.table.number === table.number && known.table.spec === table.spec)
        return [name, known] as const
      const unreadable = (cause?: unknown) =>
        file.reportDamage(`a document of collection ${name} of view ${view} cannot be read`, cause)
      return [name, openCollection(file.db, table, { unreadable, caches, addText })] as const
    })
    opened.set(view, new Map(tables))
  }

  function get(view: string, name: string): ViewCollection {
    const found = opened.get(view)?.get(name)
    if (found === undefined)
      throw new TypeError(`There is no collection ${name} of view ${view}: prepare the view first`)
    return found
  }

  return { open, get, ofView: (view) => opened.get(view), forget: (view) => opened.delete(view) }
}

/**
 * Removes the rows of dropped views in steps, so that other calls are served meanwhile: large views take seconds.
 * Resolves when all views retired before the call are cleared. The rest is cleared when the file is next opened.
 */
function createViewsClearing(file: ViewsFile, register: ViewsRegister): () => Promise<void> {
  let clearing: Promise<void> = Promise.resolve()

  async function clear(): Promise<void> {
    while (file.walCheckpoint !== null) await file.walCheckpoint
    if (!file.db.isOpen) return
    file.settle()
    for (const _ of register.clearing()) {
      file.checkpointWalIfDue()
      await yieldToEventLoop()
      while (file.walCheckpoint !== null) await file.walCheckpoint
      if (!file.db.isOpen) return
      file.settle()
    }
  }

  return () => {
    clearing = clearing.catch(() => {}).then(clear)
    return clearing
  }
}
