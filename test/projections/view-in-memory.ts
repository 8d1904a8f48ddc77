// A view in memory: events in, documents out. It is as strict as the projector about which documents a handler may
// read.

import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import type { Docs, Projection } from '../../projections/projection.ts'

export interface ViewInMemory {
  apply(...events: readonly StoredEvent[]): void
  /** Every document of a collection, by id. */
  documents(collection: string): Record<string, JsonObject>
  /** The changes of the last event: `collection/id` -> new body, or null if the document was removed. */
  changed(): Record<string, JsonObject | null>
}

export function viewInMemory(projection: Projection): ViewInMemory {
  const collections = new Map(projection.collections.map(({ name }) => [name, new Map<string, JsonObject>()]))
  let changes: Record<string, JsonObject | null> = {}

  const of = (collection: string) => {
    const documents = collections.get(collection)
    if (documents === undefined) throw new Error(`${projection.name} has no collection ${collection}`)
    return documents
  }
  const peek = (collection: string, id: string) => of(collection).get(id) ?? null

  function apply(event: StoredEvent): void {
    changes = {}
    if (projection.takes !== 'every event' && !projection.takes.includes(event.type)) return
    const found = (projection.query?.(event) ?? []).flatMap(({ collection, index, equal }) => {
      const fields = projection.collections.find(({ name }) => name === collection)?.indexes[index] ?? []
      return [...of(collection)]
        .filter(([, body]) => equal.every((value, i) => body[fields[i] ?? ''] === value))
        .map(([id]) => [collection, id] as const)
    })
    const readable = new Set(
      [...projection.needs(event, peek, []), ...found].map(([collection, id]) => `${collection}/${id}`),
    )
    const docs: Docs = {
      get(collection, id) {
        if (!readable.has(`${collection}/${id}`)) throw new Error(`${collection}/${id} was not named in needs`)
        const change = changes[`${collection}/${id}`]
        return change === undefined ? peek(collection, id) : change
      },
      isAfter: () => false,
      put: (collection, id, body) => {
        changes[`${collection}/${id}`] = body
      },
      remove: (collection, id) => {
        changes[`${collection}/${id}`] = null
      },
    }
    projection.handle(event, docs, [])
    for (const [, id] of found) projection.updateEach?.(event, docs, id)
    for (const [ref, body] of Object.entries(changes)) {
      if (!readable.has(ref)) throw new Error(`${ref} was changed and not named in needs`)
      const [collection = '', id = ''] = ref.split(/\/(.*)/s)
      if (body === null) of(collection).delete(id)
      else of(collection).set(id, body)
    }
  }

  return {
    apply: (...events) => events.forEach(apply),
    documents: (collection) => Object.fromEntries(of(collection)),
    changed: () => changes,
  }
}
