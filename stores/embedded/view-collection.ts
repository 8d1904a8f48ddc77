// One collection: its prepared statements, and the documents read or written last, parsed, so that a hot one costs no
// SQLite call. The cache is shared by all collections; only what is committed enters it.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../domain/event.ts'
import type { Document, Find, Write } from '../contract/views.ts'
import { boundValues, findTexts, SEPARATOR, shapeOf } from './views-query.ts'
import { columnValues, type Table } from './views-schema.ts'

export type DocumentCache = LRUCache<string, Document>

/** Characters of JSON over which a document is not cached. */
const MAX_CACHED_LENGTH = 8_192

/** An id or position as it can be joined with others: printable ASCII. */
const PLAIN = /^[!-~]+$/

export interface ViewCollection {
  get(id: string): Document | null
  find(find: Find): Document[]
  count(find: Find): number
  scan(afterId: string | null, limit: number): Document[]
  /** Writes inside the caller's transaction; answers what to do to the cache once it is committed, or null. */
  write(write: Write): (() => void) | null
}

interface Finder {
  readonly documents: StatementSyncInstance
  readonly places: StatementSyncInstance
  readonly count: StatementSyncInstance
  /** Whether the last answer was in the cache whole: then the next one probably is too, and bodies are not asked for. */
  warm: boolean
}

export function openCollection(db: DatabaseSyncInstance, table: Table, cache: DocumentCache): ViewCollection {
  const prepare = (sql: string) => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  const byId = prepare(`SELECT pos, body FROM ${table.name} WHERE id = ?`)
  const byIds = prepare(`SELECT id, pos, body FROM ${table.name} WHERE id > ? AND body IS NOT NULL ORDER BY id LIMIT ?`)
  const upsert = db.prepare(upsertText(table))
  const finders = new Map<string, Finder>()

  const keyOf = (id: string) => table.name + id

  function get(id: string): Document | null {
    const cached = cache.get(keyOf(id))
    if (cached !== undefined) return cached
    const row: readonly [pos: string, body: string | null] | undefined = byId.get(id)
    if (row === undefined || row[1] === null) return null
    const document = { id, pos: row[0], body: JSON.parse(row[1]) }
    if (row[1].length <= MAX_CACHED_LENGTH) cache.set(keyOf(id), document)
    return document
  }

  function find(asked: Find): Document[] {
    const finder = finderOf(asked)
    const bound = [...boundValues(asked), asked.limit, asked.skip ?? 0]
    return (finder.warm ? findCached(finder, bound) : null) ?? findParsed(finder, bound)
  }

  /** Null where one of them is not in the cache at the position it has now. */
  function findCached(finder: Finder, bound: readonly (string | number)[]): Document[] | null {
    const row: FoundRow = finder.places.get(...bound)
    if (row[0] === null) return []
    const positions = row[1].split(SEPARATOR)
    const documents: Document[] = []
    for (const [place, id] of row[0].split(SEPARATOR).entries()) {
      const cached = cache.get(keyOf(id))
      if (cached === undefined || cached.pos !== positions[place]) return null
      documents.push(cached)
    }
    return documents
  }

  function findParsed(finder: Finder, bound: readonly (string | number)[]): Document[] {
    const row: FoundRow = finder.documents.get(...bound)
    if (row[0] === null) return []
    const positions = row[1].split(SEPARATOR)
    const bodies: JsonObject[] = JSON.parse(`[${row[2]}]`)
    const cacheable = row[2].length <= MAX_CACHED_LENGTH * bodies.length
    finder.warm = true
    return row[0].split(SEPARATOR).map((id, place) => {
      const pos = positions[place] ?? ''
      const cached = cache.get(keyOf(id))
      if (cached?.pos === pos) return cached
      finder.warm = false
      const document = { id, pos, body: bodies[place] ?? {} }
      if (cacheable) cache.set(keyOf(id), document)
      return document
    })
  }

  function finderOf(asked: Find): Finder {
    const shape = shapeOf(asked)
    const known = finders.get(shape)
    if (known !== undefined) return known
    const { documents, places, count } = findTexts(table, asked)
    const finder = { documents: prepare(documents), places: prepare(places), count: prepare(count), warm: false }
    finders.set(shape, finder)
    return finder
  }

  function write({ id, pos, body }: Write): (() => void) | null {
    if (!PLAIN.test(id) || !PLAIN.test(pos))
      throw new TypeError(`Ids and positions are printable ASCII: ${JSON.stringify(id)}`)
    const text = body === null ? null : JSON.stringify(body)
    const { changes } = upsert.run(id, pos, text, ...columnValues(table, body))
    if (changes === 0) return null
    if (body === null || text === null || text.length > MAX_CACHED_LENGTH) return () => cache.delete(keyOf(id))
    return () => cache.set(keyOf(id), { id, pos, body })
  }

  return {
    get,
    find,
    count: (asked) => {
      const row: readonly [number] = finderOf(asked).count.get(...boundValues(asked), asked.limit)
      return row[0]
    },
    scan: (afterId, limit) => {
      const rows: (readonly [id: string, pos: string, body: string])[] = byIds.all(afterId ?? '', limit)
      return rows.map(([id, pos, body]) => ({ id, pos, body: JSON.parse(body) }))
    },
    write,
  }
}

type FoundRow = readonly [ids: string, positions: string, bodies: string] | readonly [null, null, null]

function upsertText({ name, fields }: Table): string {
  const columns = ['id', 'pos', 'body', ...fields.map((field) => `"f_${field}"`)]
  const changes = columns.slice(1).map((column) => `${column} = excluded.${column}`)
  // Without a target: the same id meets the index on ids or, where the indexed fields are unchanged, the primary key.
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT DO UPDATE SET ${changes.join(', ')} WHERE excluded.pos > pos`
}
