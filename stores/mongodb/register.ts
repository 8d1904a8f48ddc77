// The register of views: one entry each, with the declared indexes of its collections and its checkpoints.
// Collections are named by the generation of their view, which is new each time the view is created, so late writes
// of a process that missed a drop never reach the new collections.

import {
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  type Document,
  MongoNetworkError,
  MongoServerError,
  ObjectId,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb'
import type { Checkpoint, CollectionSpec, ViewSpec } from '../contract/views.ts'
import type { CallTimeout } from './call-timeout.ts'
import { DUPLICATE_KEY } from './check.ts'
import type { Row } from './document-rows.ts'
import { ALL_CHANGES, type Entry, type Registered, type StoredCheckpoint } from './register-entry.ts'
import { createViewProgress, type ViewProgress } from './view-progress.ts'

export interface Reached {
  readonly view: Pick<Entry, '_id' | 'generation'>
  readonly checkpoints: ReadonlyMap<number, Checkpoint>
  /** Where documents may have been changed: in the partitions of these checkpoints, in any, or in none. */
  readonly changed: 'here' | 'anywhere' | 'nowhere'
}

/** Prefix of all collections of views, and of no others. */
const PREFIX = 'view.'
const NO_COLLECTION = 26

export interface Register {
  readonly progress: ViewProgress
  views(): Promise<string[]>
  entry(view: string): Promise<Entry | null>
  /** Returns the entry of the view, and creates it if missing. */
  enter(view: ViewSpec): Promise<Entry>
  /** Records the state of a collection. */
  note(entry: Entry, registered: Registered): Promise<Entry>
  rows(entry: Pick<Entry, '_id' | 'generation'>, collection: string): Collection<Row>
  /** Writes checkpoints of views in one command. Rejects if one of the views was dropped meanwhile. */
  reach(reached: readonly Reached[]): Promise<void>
  drop(view: string): Promise<void>
}

export function createRegister(db: Db, withCallTimeout: CallTimeout): Register {
  const entries = db.collection<Entry>('views')
  const entry = entryReader(entries, withCallTimeout)

  /** If two processes create one view at once, both use the entry that was first. */
  async function enter({ key, collections }: ViewSpec): Promise<Entry> {
    const present = await entry(key)
    if (present !== null) return present
    const generation = new ObjectId().toHexString()
    const fresh: Entry = { _id: key, generation, collections: collections.map(registered), checkpoints: {} }
    return insertOrRead(
      `The view ${key}`,
      fresh,
      () => insertNew(entries, withCallTimeout, fresh),
      () => entry(key),
    )
  }

  async function note(present: Entry, noted: Registered): Promise<Entry> {
    const others = present.collections.filter(({ name }) => name !== noted.name)
    const collections = [...others, noted]
    const { matchedCount } = await entries.updateOne(same(present), { $set: { collections } })
    if (matchedCount === 0) throw dropped(present._id)
    return { ...present, collections }
  }

  async function reach(reached: readonly Reached[]): Promise<void> {
    const alike = alikeIn(reached.filter(({ checkpoints }) => checkpoints.size > 0))
    if (alike.length === 0) return
    const write = () => withCallTimeout(entries.bulkWrite(alike.map(updateOfAll)))
    // The driver repeats no update of several documents, as when another server becomes the primary.
    const { matchedCount } = await write().catch((failure: unknown) => {
      if (failure instanceof MongoNetworkError || failure instanceof MongoServerError) return write()
      throw failure
    })
    if (matchedCount === alike.reduce((sum, { views }) => sum + views.size, 0)) return
    const present = new Set((await entries.find().toArray()).map(({ generation }) => generation))
    const gone = reached.filter(({ view }) => !present.has(view.generation))
    throw dropped(gone.map(({ view }) => view._id).join(', '))
  }

  return {
    progress: createViewProgress(entries, withCallTimeout),
    views: async () => {
      const keys = await withCallTimeout(entries.find({}, { projection: { _id: 1 } }).toArray())
      return keys.map(({ _id }) => _id).sort()
    },
    entry,
    enter,
    note,
    rows: ({ _id, generation }, collection) => db.collection<Row>(`${PREFIX}${_id}.${collection}.${generation}`),
    reach,
    drop: async (view) => {
      await entries.deleteOne({ _id: String(view) })
      await sweep(db, entries)
    },
  }
}

/**
 * Drops collections of views without an entry, including leftovers of an interrupted drop and of writers that missed
 * one.
 */
async function sweep(db: Db, entries: Collection<Entry>): Promise<void> {
  // List collections first: entries are created before collections, so a listed collection without an entry is an
  // orphan.
  const listed = await db.listCollections({}, { nameOnly: true }).toArray()
  const generations = new Set((await entries.find().toArray()).map(({ generation }) => generation))
  for (const { name } of listed) {
    const generation = name.slice(name.lastIndexOf('.') + 1)
    if (!name.startsWith(PREFIX) || generations.has(generation)) continue
    await db.dropCollection(name).catch((failure: unknown) => {
      if (!(failure instanceof MongoServerError && failure.code === NO_COLLECTION)) throw failure
    })
  }
}

/**
 * Combines concurrent reads into one command: a node without partitions reads the entries of all its views repeatedly.
 */
function entryReader(
  entries: Collection<Entry>,
  withCallTimeout: CallTimeout,
): (view: string) => Promise<Entry | null> {
  let together: { readonly views: Set<string>; readonly found: Promise<readonly Entry[]> } | null = null
  const gather = () => {
    const views = new Set<string>()
    const found = Promise.resolve().then(() => {
      together = null
      return withCallTimeout(entries.find({ _id: { $in: [...views] } }).toArray())
    })
    return { views, found }
  }
  return async (view) => {
    together ??= gather()
    together.views.add(String(view))
    return (await together.found).find(({ _id }) => _id === String(view)) ?? null
  }
}

export function registered({ name, indexes }: CollectionSpec): Registered {
  return { name, indexes: JSON.stringify(indexes) }
}

/** Views that one update changes: generation -> id. */
interface Alike {
  readonly update: UpdateFilter<Entry>
  readonly views: Map<string, string>
}

/** Usually all views reach one checkpoint, and some of them count a change: two updates, whatever the number of views. */
function alikeIn(reached: readonly Reached[]): readonly Alike[] {
  const alike = new Map<string, Alike>()
  for (const one of reached) {
    const update = updateOf(one)
    const text = JSON.stringify(update)
    const own: Alike = alike.get(text) ?? { update, views: new Map() }
    own.views.set(one.view.generation, one.view._id)
    alike.set(text, own)
  }
  return [...alike.values()]
}

function updateOfAll({ update, views }: Alike): AnyBulkWriteOperation<Entry> {
  const filter = { _id: { $in: [...views.values()] }, generation: { $in: [...views.keys()] } }
  return { updateMany: { filter, update } }
}

function updateOf({ checkpoints, changed }: Reached) {
  const $max = fieldsOf(checkpoints)
  if (changed === 'nowhere') return { $max }
  const counted = changed === 'anywhere' ? [ALL_CHANGES] : [...checkpoints.keys()].map((partition) => `p${partition}`)
  return { $max, $inc: Object.fromEntries(counted.map((name) => [`changes.${name}`, 1])) }
}

function fieldsOf(checkpoints: ReadonlyMap<number, Checkpoint>): Record<`checkpoints.p${number}`, StoredCheckpoint> {
  const fields: Record<`checkpoints.p${number}`, StoredCheckpoint> = {}
  for (const [partition, { position, eventId }] of checkpoints) {
    if (!Number.isSafeInteger(partition)) throw new TypeError(`There is no partition ${partition}`)
    fields[`checkpoints.p${partition}`] = { position: String(position), eventId: String(eventId), counts: true }
  }
  return fields
}

function same({ _id, generation }: Pick<Entry, '_id' | 'generation'>): { _id: string; generation: string } {
  return { _id, generation }
}

function dropped(view: string): Error {
  return new Error(`The view ${view} was dropped meanwhile: its checkpoints are not written`)
}

const ATTEMPTS = 100
const PAUSE_MS = 50

/** True if the row was inserted; false if its id exists. */
export async function insertNew<Row extends Document>(
  rows: Collection<Row>,
  withCallTimeout: CallTimeout,
  row: OptionalUnlessRequiredId<Row>,
): Promise<boolean> {
  try {
    await withCallTimeout(rows.insertOne(row))
    return true
  } catch (failure) {
    if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return false
    throw failure
  }
}

/**
 * Returns `fresh` if `insert` inserted it, otherwise the row that `read` finds. Retries for 5 s while there is neither,
 * because the first row was removed again or no majority has it yet. Then throws an error that begins with `what`.
 */
export async function insertOrRead<Found>(
  what: string,
  fresh: Found,
  insert: () => Promise<boolean>,
  read: () => Promise<Found | null>,
): Promise<Found> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await insert()) return fresh
    const present = await read()
    if (present !== null) return present
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`${what} is there and cannot be read: no majority of MongoDB has acknowledged it`)
}
