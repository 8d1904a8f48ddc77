// Rejects documents that no store accepts: an id that is not plain text, or an indexed field that is neither text nor a
// finite number. An event that leads to one is parked with its stream; if only the write detected it, the whole view
// would be stuck. The error texts are stored as the reasons of parked streams: rebuilt views must have the same ones.

import type { JsonObject } from '../domain/event.ts'
import type { CollectionSpec } from '../stores/contract/views.ts'
import { isIndexable, isPlain } from '../stores/support/storable.ts'
import type { DocRef } from './projection.ts'

export const isNamable = ([, id]: DocRef): boolean => isPlain(id)

/** Whether a value can be an indexed field of a document; absent is allowed. */
export const isFindable = (value: unknown): boolean => value === null || value === undefined || isIndexable(value)

/** Returns a check that throws a TypeError for a document of these collections that no store accepts. */
export function storableIn(collections: readonly CollectionSpec[]) {
  const indexed = new Map(
    collections.map(({ name, indexes }) => {
      const fields = Object.values(indexes)
        .flat()
        .map((field) => field.replace(/^-/, ''))
      return [name, [...new Set(fields)]] as const
    }),
  )
  return (collection: string, id: string, body: JsonObject | null): void => {
    if (!isPlain(id)) throw new TypeError(`${JSON.stringify(id)} can be no id of a document`)
    if (body === null) return
    for (const field of indexed.get(collection) ?? []) {
      if (!isFindable(body[field]))
        throw new TypeError(`${field} is indexed, and neither text nor a number that JSON can hold`)
    }
  }
}
