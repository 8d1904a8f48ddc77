// The documents of one view while a batch of events is applied: those loaded, those changed by earlier events of the
// batch, and the changes of the current event, which count only if its handler succeeds.

import { type JsonObject, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { CollectionSpec, Document, Views, Write } from '../stores/contract/views.ts'
import type { DocRef, Docs, Ranked } from './projection.ts'
import { storableIn } from './storable.ts'

/** Estimated bytes of a document besides its texts: the fields, and the bookkeeping here. */
const DOCUMENT_BYTES = 400
const VALUE_BYTES = 24

interface LoadedDocument {
  readonly collection: string
  readonly id: string
  /** The stored body, and the position of the last event in it ('' if there is no document). */
  stored: JsonObject | null
  storedPos: Position
  body: JsonObject | null
  /** Position of the last unwritten event that changed it; null if none did. */
  pos: Position | null
  /** The game of that event. */
  game: string | null
  /** Its ranking, and the sort keys that it had since the last write and no longer has; null if none. */
  left: LeftSortKeys | null
  /** Estimated bytes of the body when it was last weighed, and whether it has not changed since. */
  bytes: number
  isWeighed: boolean
  /** The new body of the current event; undefined if the event leaves it unchanged. */
  pending: JsonObject | null | undefined
}

export interface LeftSortKeys {
  readonly key: string
  readonly sortKeys: string[]
}

export interface Change {
  readonly collection: string
  readonly id: string
  readonly pos: Position
  /** The game of the event that changed it. */
  readonly game: string | null
  readonly before: JsonObject | null
  /** The sort keys it had, originally or in between, and no longer has; null if none. */
  readonly left: LeftSortKeys | null
  readonly after: JsonObject | null
}

export class WorkingSet implements Docs {
  readonly #of: { readonly views: Views; readonly view: string; readonly ranked: Ranked | undefined }
  readonly #checkStorable: ReturnType<typeof storableIn>
  readonly #loaded = new Map<string, Map<string, LoadedDocument>>()
  #pending: LoadedDocument[] = []
  #changed: LoadedDocument[] = []
  /** Documents whose body has changed since `#bytes` counted it: events of a batch often change the same one. */
  #unweighed: LoadedDocument[] = []
  #bytes = 0
  /** Of the changes since the last `takeChanges`. */
  #unwritten = { left: 0, hasRepeated: false }

  constructor(views: Views, view: string, ranked?: Ranked, collections: readonly CollectionSpec[] = []) {
    this.#of = { views, view, ranked }
    this.#checkStorable = storableIn(collections)
  }

  /** Number of documents changed since the last `takeChanges`, plus sort keys that left rankings. */
  get changed(): number {
    return this.#changed.length + this.#unwritten.left
  }

  /** Estimated bytes of all held documents, changed or not. */
  get bytes(): number {
    for (const loaded of this.#unweighed) this.#weigh(loaded)
    this.#unweighed = []
    return this.#bytes
  }

  has([collection, id]: DocRef): boolean {
    return this.#find(collection, id) !== undefined
  }

  /** Loads the documents that are not held yet. */
  async load(refs: readonly DocRef[]): Promise<void> {
    const { views, view } = this.#of
    const missing = new Map<string, Set<string>>()
    for (const ref of refs) {
      if (this.has(ref)) continue
      const [collection, id] = ref
      const ids = missing.get(collection)
      if (ids) ids.add(id)
      else missing.set(collection, new Set([id]))
    }
    for (const [collection, ids] of missing) {
      const wanted = [...ids]
      const documents = await views.get(view, collection, wanted)
      for (const [i, id] of wanted.entries()) this.#add(collection, id, documents[i]?.body ?? null, documents[i]?.pos)
    }
  }

  /** Holds a document that is known not to exist, without reading it. */
  addAbsent(collection: string, id: string): void {
    if (!this.has([collection, id])) this.#add(collection, id, null)
  }

  /** Holds a document that was just read from the store. */
  addFound(collection: string, { id, body, pos }: Document): void {
    if (!this.has([collection, id])) this.#add(collection, id, body, pos)
  }

  get(collection: string, id: string): JsonObject | null {
    const loaded = this.#named(collection, id)
    return loaded.pending === undefined ? loaded.body : loaded.pending
  }

  isAfter(collection: string, id: string, { position }: StoredEvent): boolean {
    return this.#named(collection, id).storedPos > position
  }

  peek = (collection: string, id: string): JsonObject | null => this.#find(collection, id)?.body ?? null

  /** Throws a TypeError for a document that no store accepts: the event is then parked. */
  put(collection: string, id: string, body: JsonObject): void {
    this.#checkStorable(collection, id, body)
    this.#change(this.#named(collection, id), body)
  }

  remove(collection: string, id: string): void {
    this.#change(this.#named(collection, id), null)
  }

  /** Accepts the current event's changes, except for documents that already have this event from before a crash. */
  accept({ position: pos, meta }: StoredEvent): void {
    const { ranked } = this.#of
    for (const loaded of this.#pending) {
      const { pending } = loaded
      loaded.pending = undefined
      if (pending === undefined) continue
      if (loaded.storedPos >= pos) {
        this.#unwritten.hasRepeated = true
        continue
      }
      if (loaded.pos === null) this.#changed.push(loaded)
      if (loaded.collection === ranked?.collection && noteLeft(loaded, pending, ranked)) this.#unwritten.left++
      loaded.body = pending
      if (loaded.isWeighed) this.#unweighed.push(loaded)
      loaded.isWeighed = false
      loaded.pos = pos
      loaded.game = meta.game
    }
    if (this.#pending.length > 0) this.#pending = []
  }

  /** Discards the current event's changes. */
  reject(): void {
    for (const loaded of this.#pending) loaded.pending = undefined
    this.#pending = []
  }

  /** Whether a document already had an event of these changes, from before a crash. */
  get hasRepeated(): boolean {
    return this.#unwritten.hasRepeated
  }

  /** Returns all changes since the last call and treats them as stored from now on. */
  takeChanges(): Change[] {
    const changes: Change[] = []
    for (const loaded of this.#changed) {
      const { collection, id, pos, game, stored, left, body } = loaded
      if (pos === null) continue
      changes.push({ collection, id, pos, game, before: stored, left, after: body })
      loaded.left = null
      loaded.stored = body
      loaded.storedPos = pos
      loaded.pos = null
    }
    this.#changed = []
    this.#unwritten = { left: 0, hasRepeated: false }
    return changes
  }

  #change(loaded: LoadedDocument, body: JsonObject | null): void {
    if (loaded.pending === undefined) this.#pending.push(loaded)
    loaded.pending = body
  }

  #weigh(loaded: LoadedDocument): void {
    const bytes = bytesOf(loaded.body)
    this.#bytes += bytes - loaded.bytes
    loaded.bytes = bytes
    loaded.isWeighed = true
  }

  #find(collection: string, id: string): LoadedDocument | undefined {
    return this.#loaded.get(collection)?.get(id)
  }

  #named(collection: string, id: string): LoadedDocument {
    const loaded = this.#find(collection, id)
    if (loaded === undefined) throw new Error(`${this.#of.view}: ${collection}/${id} was used but not named in needs`)
    return loaded
  }

  #add(collection: string, id: string, stored: JsonObject | null, storedPos: Position = ''): void {
    let documents = this.#loaded.get(collection)
    if (documents === undefined) {
      documents = new Map()
      this.#loaded.set(collection, documents)
    }
    const unchanged = { pos: null, game: null, left: null, bytes: 0, isWeighed: false, pending: undefined }
    const loaded = { collection, id, stored, storedPos, body: stored, ...unchanged }
    documents.set(id, loaded)
    this.#weigh(loaded)
  }
}

function bytesOf(body: JsonObject | null): number {
  let bytes = DOCUMENT_BYTES
  for (const name in body) {
    const value = body[name]
    bytes += VALUE_BYTES
    if (typeof value === 'string') bytes += value.length
    else if (typeof value === 'object' && value !== null) bytes += 2 * JSON.stringify(value).length
  }
  return bytes
}

/**
 * Records the sort key that a document loses; returns whether it lost one. A hidden document also names its ranking, so
 * that the ranking records the position as last applied.
 */
function noteLeft(loaded: LoadedDocument, next: JsonObject | null, ranked: Ranked): boolean {
  const { key, sortKey } = ranked
  const was = loaded.body?.[sortKey] ?? null
  const hiddenIn = hiddenKeyOf(loaded.body, ranked)
  if (hiddenIn !== null) loaded.left ??= { key: hiddenIn, sortKeys: [] }
  if (was === null || was === next?.[sortKey]) return false
  loaded.left ??= { key: loaded.body?.[key] as string, sortKeys: [] }
  loaded.left.sortKeys.push(was as string)
  return true
}

/** The key of the ranking that a hidden document returns to; null for any other document. */
export function hiddenKeyOf(body: JsonObject | null, { key, hiddenField }: Ranked): string | null {
  const hidden = body === null || hiddenField === undefined ? undefined : body[hiddenField]
  return hidden === undefined ? null : (unsafeCast<Readonly<Record<string, string | null>>>(hidden)[key] ?? null)
}

export function asWrite({ collection, id, pos, before, after }: Change): Write {
  const write = { collection, id, pos, body: after }
  return before === null ? { ...write, isNew: true } : write
}
