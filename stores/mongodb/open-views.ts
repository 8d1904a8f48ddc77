// Caches the views that this process has read from the register, with their open collections.

import type { Collection } from 'mongodb'
import type { CallTimeout } from './call-timeout.ts'
import { type Row, type Table, tableOf } from './document-rows.ts'
import { createLookup, type Lookup } from './lookup.ts'
import type { Register } from './register.ts'
import type { Entry } from './register-entry.ts'

interface OpenCollection {
  readonly rows: Collection<Row>
  readonly lookup: Lookup
  readonly table: Table
}

export interface OpenView extends Pick<Entry, '_id' | 'generation'> {
  readonly collections: ReadonlyMap<string, OpenCollection>
}

export interface OpenViews {
  open(entry: Entry): OpenView
  /** Undefined if it is not open yet. */
  known(key: string): OpenView | undefined
  /** Throws if the view is not prepared, or is being prepared. */
  get(key: string): Promise<OpenView>
  forget(key: string): void
}

export function createOpenViews(register: Register, withCallTimeout: CallTimeout): OpenViews {
  const opened = new Map<string, OpenView>()

  function open(entry: Entry): OpenView {
    const collections = entry.collections.map(({ name, indexes }) => {
      const rows = register.rows(entry, name)
      const lookup = createLookup(rows, withCallTimeout)
      return [name, { rows, lookup, table: tableOf(JSON.parse(indexes)) }] as const
    })
    const view = { _id: entry._id, generation: entry.generation, collections: new Map(collections) }
    opened.set(entry._id, view)
    return view
  }

  async function get(key: string): Promise<OpenView> {
    const known = opened.get(key)
    if (known !== undefined) return known
    const entry = await register.entry(key)
    if (entry === null) throw new TypeError(`There is no view ${key}: prepare it first`)
    // A row written now would lack the fields of the new indexes.
    if (entry.collections.some(({ indexes }) => indexes === '')) throw new Error(`The view ${key} is being prepared`)
    return open(entry)
  }

  return { open, known: (key) => opened.get(key), get, forget: (key) => opened.delete(key) }
}

/** Throws a TypeError if the view has no such collection. */
export function collectionIn(view: OpenView | undefined, name: string): OpenCollection {
  const found = view?.collections.get(name)
  if (found === undefined)
    throw new TypeError(`There is no collection ${name} of view ${view?._id}: prepare the view first`)
  return found
}
