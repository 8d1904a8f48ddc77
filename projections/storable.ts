// What no store takes as a document: an id that is not plain text, an indexed field that is neither text nor a finite number.
// An event that leads to one is parked with its stream; met only when it is written, it would keep the whole view from going on.

import type { JsonObject } from '../domain/event.ts'
import type { CollectionSpec } from '../stores/contract/views.ts'
import { isIndexable, isPlain } from '../stores/support/storable.ts'
import type { DocRef } from './projection.ts'

export const isNamable = ([, id]: DocRef): boolean => isPlain(id)

/** As a field of a document, which may be absent. */
export const isFindable = (value: unknown): boolean => value === null || value === undefined || isIndexable(value)

/** Throws a TypeError for a document of these collections that no store takes. */
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
