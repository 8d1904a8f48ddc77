// Read models in memory, for simulations: pass the same contract, without clock and I/O. Queries use the reference
// model.

import type { JsonObject } from '../../domain/event.ts'
import type { Batch, Checkpoint, Document, Find, ViewSpec, Views, Write } from '../../stores/contract/views.ts'
import { isIndexable } from '../../stores/support/storable.ts'
import { findPlainly } from '../contracts/views-model.ts'

/** A document, or the marker of a deleted one. */
interface Entry {
  readonly id: string
  readonly pos: string
  readonly body: JsonObject | null
}

interface View {
  spec: ViewSpec
  readonly collections: Map<string, Map<string, Entry>>
  readonly checkpoints: Map<number, Checkpoint>
}

export function createMemoryViews(): Views {
  const views = new Map<string, View>()

  async function prepare(spec: ViewSpec): Promise<void> {
    const view = views.get(spec.key) ?? { spec, collections: new Map(), checkpoints: new Map() }
    view.spec = spec
    for (const { name } of spec.collections) {
      if (!view.collections.has(name)) view.collections.set(name, new Map())
    }
    views.set(spec.key, view)
  }

  function entries(view: string, collection: string): Map<string, Entry> {
    const found = views.get(view)?.collections.get(collection)
    if (found === undefined) throw new TypeError(`There is no collection ${collection} of view ${view}`)
    return found
  }

  function documents(view: string, collection: string, isWanted = (_: JsonObject) => true): Document[] {
    const found: Document[] = []
    for (const entry of entries(view, collection).values()) {
      const document = entry.body !== null && isWanted(entry.body) ? documentOf(entry) : null
      if (document !== null) found.push(document)
    }
    return found
  }

  function find(asked: Find): Document[] {
    const collection = views.get(asked.view)?.spec.collections.find(({ name }) => name === asked.collection)
    const fields = collection?.indexes[asked.index]
    if (fields === undefined) throw new TypeError(`There is no index ${asked.index} of ${asked.view}`)
    const { equal, from, after, until, among } = asked
    const values = [...equal, ...[from, after, until].filter((value) => value !== undefined), ...(among ?? [])]
    if (!values.every(isIndexable)) throw new TypeError('A value to find by must not hold NUL characters')
    // Most documents of a long history are left out by the first field alone, before they are copied and sorted.
    const [field = ''] = fields
    const [value] = equal
    const isWanted = (body: JsonObject) => value === undefined || body[field.replace(/^-/, '')] === value
    return findPlainly(documents(asked.view, asked.collection, isWanted), fields, asked)
  }

  /** Throws before anything is written if an index cannot contain a field. */
  function requireIndexed(view: string, { collection, body }: Write): void {
    const spec = views.get(view)?.spec.collections.find(({ name }) => name === collection)
    for (const field of Object.values(spec?.indexes ?? {}).flat()) {
      const value = body?.[field.replace(/^-/, '')] ?? null
      if (value !== null && !isIndexable(value))
        throw new TypeError(`Indexed field ${field} must be a string or a number`)
    }
  }

  async function commit(batches: readonly Batch[]): Promise<void> {
    for (const { view, writes } of batches) for (const write of writes) requireIndexed(view, write)
    for (const { view, writes, checkpoints } of batches) {
      for (const write of writes) put(entries(view, write.collection), write)
      for (const [partition, checkpoint] of checkpoints) {
        const before = views.get(view)?.checkpoints.get(partition)
        if (before !== undefined && before.position >= checkpoint.position) continue
        views.get(view)?.checkpoints.set(partition, checkpoint)
      }
    }
  }

  return {
    prepare,
    list: async () => [...views.keys()],
    drop: async (view) => {
      views.delete(view)
    },
    checkpoints: async (view) => new Map(views.get(view)?.checkpoints),
    get: async (view, collection, ids) => ids.map((id) => documentOf(entries(view, collection).get(id))),
    current: async (view, collection, ids) => ids.map((id) => documentOf(entries(view, collection).get(id))),
    find: async (asked) => find(asked),
    count: async (asked) => find({ ...asked, skip: 0 }).length,
    scan: async (view, collection, afterId, limit) =>
      documents(view, collection)
        .filter(({ id }) => afterId === null || id > afterId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    commit,
    durable: async () => {},
    close: async () => {},
  }
}

function put(entries: Map<string, Entry>, { id, pos, body }: Write): void {
  const present = entries.get(id)
  // A copy, as if read from a file.
  if (present === undefined || pos > present.pos) entries.set(id, { id, pos, body: JSON.parse(JSON.stringify(body)) })
}

function documentOf(entry: Entry | undefined): Document | null {
  return entry === undefined || entry.body === null ? null : { id: entry.id, pos: entry.pos, body: entry.body }
}
