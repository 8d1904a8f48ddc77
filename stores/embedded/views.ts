// The read models in a SQLite file. It is not synced at each commit: what a power cut takes from its tail is replayed from
// the log, starting at the checkpoint that was lost with it.

import type { Purge } from '../contract/erasure.ts'
import { turn } from '../contract/turn.ts'
import type { Batch, Document, Find, ViewSpec, Views, Write } from '../contract/views.ts'
import { DiskFull, isDiskFull } from './disk-full.ts'
import { closeExclusive, openExclusive, PAGE_CACHE_KIB } from './exclusive-database.ts'
import { holdTransactions } from './held-transaction.ts'
import { createViewCheckpoints } from './view-checkpoints.ts'
import { openCollection, type ViewCollection, type Written } from './view-collection.ts'
import type { ViewsOptions } from './views-options.ts'
import { createViewsRegister } from './views-register.ts'
import { VIEWS_SCHEMA } from './views-schema.ts'
import { openWriteAhead } from './write-ahead.ts'

/**
 * Of a file that is made here; an older one keeps its own. Documents of some hundred bytes and their long keys lie in trees of fewer
 * levels then, and what one transaction wrote is on fewer pages, each of which costs when it is committed and folded.
 */
const PAGE_BYTES = 16_384
/** Bytes of WAL from which on it is folded into the file. What grew past that is no longer once it is folded. */
const FOLDED_FROM = 16 * 2 ** 20

/**
 * Characters of documents that are held open in a transaction, for each kibibyte of pages: with what their indexes take, they
 * are not much more than those pages, which are written at once then.
 */
const HELD_OF_KIB = 256

/** From so many writes on they are made in the order of their tables: then neighbours meet in a page while it is at hand. */
const SORTED_FROM = 10_000

/** More ids than these are looked for at once: joined inside SQLite, they cost half. */
const SINGLY_MOST = 2

/** Opens or creates the read models. Throws where another process has them open. */
export async function openViews(path: string, { memory = {}, ...options }: ViewsOptions = {}): Promise<Views & Purge> {
  const db = openExclusive(path, VIEWS_SCHEMA, PAGE_BYTES)
  options.onOpened?.(db)
  // What a document held is overwritten where it stood: players who are deleted are to be nowhere. Older copies of its page
  // stay in the WAL until that is folded.
  db.exec('PRAGMA secure_delete=ON')
  const { pagesKib = PAGE_CACHE_KIB } = memory
  db.exec(`PRAGMA cache_size=-${pagesKib}; PRAGMA journal_size_limit=${FOLDED_FROM}`)
  const wal = openWriteAhead(db, path)
  const register = createViewsRegister(db)
  // While the WAL is folded nothing may be written; each writer looks again after each wait, and then does not wait again.
  let folding: Promise<void> | null = null
  let broken: Error | null = null
  const transactions = holdTransactions(db, pagesKib * HELD_OF_KIB, (cause) => fail('written', cause))
  let clearing: Promise<void> = Promise.resolve()
  const opened = new Map<string, Map<string, ViewCollection>>()
  const checkpoints = createViewCheckpoints(db)

  // What a crash left of views that were dropped.
  for (const _ of register.clearing());
  for (const view of register.views()) open(view)

  function open(view: string): void {
    const tables = register.tables(view).map(([name, table]) => {
      for (const index of table.needless) db.exec(`DROP INDEX IF EXISTS ${index}`)
      const called = `collection ${name} of view ${view} (${path})`
      return [name, openCollection(db, table, { called, held: memory.documents })] as const
    })
    opened.set(view, new Map(tables))
  }

  function collection(view: string, name: string): ViewCollection {
    const found = opened.get(view)?.get(name)
    if (found === undefined)
      throw new TypeError(`There is no collection ${name} of view ${view}: prepare the view first`)
    return found
  }

  function fail(what: string, cause: unknown): void {
    if (broken !== null) return
    broken = new Error(`${path} could not be ${what}; nothing more is written`, { cause })
    options.onFailure?.(broken)
  }

  async function fold(): Promise<void> {
    try {
      await wal.sync()
      await wal.fold()
    } catch (error) {
      fail('synced to disk', error)
    }
    folding = null
  }

  /** Once the WAL is not being folded: from here to the next wait a transaction of one's own may begin. */
  function settle(): void {
    if (broken !== null) throw broken
    transactions.settle()
  }

  /** A collection that is new gets its indexes when it is prepared again, or found by one of them. */
  async function prepare(view: ViewSpec): Promise<void> {
    while (folding !== null) await folding
    settle()
    const known = opened.get(view.key)
    register.prepare(view)
    open(view.key)
    for (const [name, one] of opened.get(view.key) ?? []) if (known?.has(name) === true) one.makeIndexes(null)
  }

  /** The collection, with the index that is asked for. */
  async function indexed({ view, collection: name, index }: Find): Promise<ViewCollection> {
    while (folding !== null) await folding
    settle()
    const found = collection(view, name)
    found.makeIndexes(index)
    return found
  }

  async function drop(view: string): Promise<void> {
    while (folding !== null) await folding
    settle()
    register.retire(view)
    opened.delete(view)
    checkpoints.forget(view)
    const before = clearing
    clearing = before.catch(() => {}).then(clear)
    await clearing
  }

  /** Large ones take seconds: others are served meanwhile. What is left at the end goes with the next opening. */
  async function clear(): Promise<void> {
    while (folding !== null) await folding
    if (!db.isOpen) return
    settle()
    for (const _ of register.clearing()) {
      foldWhereDue()
      await turn()
      while (folding !== null) await folding
      if (!db.isOpen) return
      settle()
    }
  }

  function foldWhereDue(): void {
    if (!transactions.isHeld() && wal.isFoldDue(FOLDED_FROM)) folding ??= fold()
  }

  async function get(view: string, name: string, ids: readonly string[]): Promise<(Document | null)[]> {
    const from = collection(view, name)
    return ids.length > SINGLY_MOST ? from.getAll(ids) : ids.map((id) => from.get(id))
  }

  async function commit(batches: readonly Batch[]): Promise<void> {
    while (folding !== null) await folding
    if (broken !== null) throw broken
    const committed: Written[] = []
    const isOfMany = batches.some(({ ofMany }) => ofMany)
    if (isOfMany || transactions.isHeld()) checkAll(batches)
    transactions.run(() => {
      for (const { view, writes, checkpoints: own } of batches) {
        for (const write of writes.length < SORTED_FROM ? writes : inTableOrder(view, writes)) {
          const written = collection(view, write.collection).write(write)
          if (written !== null) committed.push(written)
        }
        checkpoints.write(view, own)
      }
      return committed.reduce((sum, { length }) => sum + length, 0)
    }, isOfMany)
    for (const written of committed) written.remember(isOfMany)
    for (const { view } of batches) checkpoints.forget(view)
    foldWhereDue()
  }

  /** Before they are written: in a transaction that is held, what cannot be would cost what others wrote. */
  function checkAll(batches: readonly Batch[]): void {
    for (const { view, writes } of batches) for (const write of writes) collection(view, write.collection).check(write)
  }

  /** Only for speed: what becomes of writes does not depend on their order. */
  function inTableOrder(view: string, writes: readonly Write[]): Write[] {
    const placed = writes.map((write) => ({ write, place: collection(view, write.collection).placeOf(write) }))
    placed.sort((a, b) => (a.place < b.place ? -1 : 1))
    return placed.map(({ write }) => write)
  }

  /**
   * What is held open is committed, and all of it folded into the file, most of it in the thread pool. Then copies of rows that
   * SQLite left when it moved them are cleared.
   */
  async function purge(): Promise<void> {
    while (folding !== null) await folding
    settle()
    folding = fold()
    while (folding !== null) await folding
    const pages = await wal.pagesToClear()
    while (folding !== null) await folding
    settle()
    try {
      wal.truncate()
      wal.clear(pages)
    } catch (error) {
      if (isDiskFull(error)) throw new DiskFull(path, error)
      fail('purged', error)
      throw error
    }
  }

  async function close(): Promise<void> {
    while (folding !== null) await folding
    if (!db.isOpen) return
    try {
      if (broken === null) transactions.settle()
    } finally {
      if (broken === null) closeExclusive(db)
      else db.close()
      wal.close()
    }
  }

  return {
    prepare,
    list: async () => register.views(),
    drop,
    checkpoints: async (view) => checkpoints.read(view),
    get,
    find: async (find: Find) => {
      const from = collection(find.view, find.collection)
      return (from.hasIndex(find.index) ? from : await indexed(find)).find(find)
    },
    count: async (find: Find) => {
      const from = collection(find.view, find.collection)
      return (from.hasIndex(find.index) ? from : await indexed(find)).count(find)
    },
    scan: async (view, name, afterId, limit) => collection(view, name).scan(afterId, limit),
    commit,
    ready: async () => {
      while (folding !== null) await folding
    },
    purge,
    close,
  }
}
