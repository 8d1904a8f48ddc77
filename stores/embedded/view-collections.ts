// The open collections of all prepared views.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { AddText } from './numbered-texts.ts'
import { openCollection, type ViewCollection } from './view-collection.ts'
import type { ViewsRegister } from './views-register.ts'

export interface ViewCollections {
  /** Opens the view's collections by the register. One that is open stays, unless its table has changed. */
  open(view: string): void
  /** Collections of the view by name; undefined if the view is not prepared. */
  ofView(view: string): ReadonlyMap<string, ViewCollection> | undefined
  /** Throws a TypeError if the view or its collection is not prepared. */
  get(view: string, name: string): ViewCollection
  forget(view: string): void
}

interface CollectionsOptions {
  /** Of cached documents, as for `createDocumentCache`. */
  readonly documentCharacters?: number | undefined
  readonly addText: AddText
  /** As `ViewsFile.reportDamage`. */
  readonly reportDamage: (what: string, cause?: unknown) => Error
}

export function createViewCollections(
  db: DatabaseSyncInstance,
  register: ViewsRegister,
  { documentCharacters, addText, reportDamage }: CollectionsOptions,
): ViewCollections {
  const opened = new Map<string, Map<string, ViewCollection>>()

  function open(view: string): void {
    const before = opened.get(view)
    const tables = register.tables(view).map(([name, table]) => {
      const known = before?.get(name)
      if (known !== undefined && known.table.number === table.number && known.table.spec === table.spec)
        return [name, known] as const
      const unreadable = (cause?: unknown) =>
        reportDamage(`a document of collection ${name} of view ${view} cannot be read`, cause)
      return [name, openCollection(db, table, { unreadable, documentCharacters, addText })] as const
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
