// The documents of one view while a batch of events is applied to them: what was loaded, what was changed by the events
// applied so far, and what the event at hand is changing, which counts only if its handler comes to an end.

import { type JsonObject, type Position, type StoredEvent, shaped } from '../domain/event.ts'
import type { CollectionSpec, Document, Views, Write } from '../stores/contract/views.ts'
import type { DocRef, Docs, Ranked } from './projection.ts'
import { storableIn } from './storable.ts'

/** Of a document beside its texts: the fields, and what is kept of it here. */
const DOCUMENT_BYTES = 400
const VALUE_BYTES = 24

interface Held {
  readonly collection: string
  readonly id: string
  /** As the store has it, and the last event it took there ('' where there is no document). */
  stored: JsonObject | null
  storedPos: Position
  body: JsonObject | null
  /** Position of the last event since then that changed it; null while none did. */
  pos: Position | null
  /** The game of that event. */
  game: string | null
  /** The ranking it is in, and every member it had since then and has no more; null while there is none. */
  left: LeftMembers | null
  /** About what the body takes of memory. */
  bytes: number
  /** What the event at hand makes of it; undefined while it leaves it as it is. */
  pending: JsonObject | null | undefined
}

export interface LeftMembers {
  readonly key: string
  readonly members: string[]
}

export interface Change {
  readonly collection: string
  readonly id: string
  readonly pos: Position
  /** The game of the event that changed it. */
  readonly game: string | null
  readonly before: JsonObject | null
  /** What it was ranked by at first or in between, and is no more; null where there is nothing of that. */
  readonly left: LeftMembers | null
  readonly after: JsonObject | null
}

export class WorkingSet implements Docs {
  readonly #of: { readonly views: Views; readonly view: string; readonly ranked: Ranked | undefined }
  readonly #checkStorable: ReturnType<typeof storableIn>
  readonly #held = new Map<string, Map<string, Held>>()
  #pending: Held[] = []
  #changed: Held[] = []
  #bytes = 0
  #left = 0

  constructor(views: Views, view: string, ranked?: Ranked, collections: readonly CollectionSpec[] = []) {
    this.#of = { views, view, ranked }
    this.#checkStorable = storableIn(collections)
  }

  /** How many documents were changed since the last `taken`, and how many members went from rankings with that. */
  get changed(): number {
    return this.#changed.length + this.#left
  }

  /** About what all that is held takes of memory, changed or not. */
  get bytes(): number {
    return this.#bytes
  }

  has([collection, id]: DocRef): boolean {
    return this.#find(collection, id) !== undefined
  }

  /** Reads from the store what is not held yet. */
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
      for (const [i, id] of wanted.entries()) this.#hold(collection, id, documents[i]?.body ?? null, documents[i]?.pos)
    }
  }

  /** Holds what the store is known not to have. */
  holdAbsent(collection: string, id: string): void {
    if (!this.has([collection, id])) this.#hold(collection, id, null)
  }

  /** Holds what the store was just found to have. */
  holdFound(collection: string, { id, body, pos }: Document): void {
    if (!this.has([collection, id])) this.#hold(collection, id, body, pos)
  }

  get(collection: string, id: string): JsonObject | null {
    const held = this.#named(collection, id)
    return held.pending === undefined ? held.body : held.pending
  }

  peek = (collection: string, id: string): JsonObject | null => this.#find(collection, id)?.body ?? null

  /** Throws for what no store takes: the event is parked then. */
  put(collection: string, id: string, body: JsonObject): void {
    this.#checkStorable(collection, id, body)
    this.#change(this.#named(collection, id), body)
  }

  remove(collection: string, id: string): void {
    this.#change(this.#named(collection, id), null)
  }

  /** The event's changes count from now on, but for documents that took it already before a crash. */
  accept({ position: pos, meta }: StoredEvent): void {
    const { ranked } = this.#of
    for (const held of this.#pending) {
      const { pending } = held
      held.pending = undefined
      if (pending === undefined || held.storedPos >= pos) continue
      if (held.pos === null) this.#changed.push(held)
      if (held.collection === ranked?.collection && noteLeft(held, pending, ranked)) this.#left++
      held.body = pending
      this.#weigh(held)
      held.pos = pos
      held.game = meta.game
    }
    if (this.#pending.length > 0) this.#pending = []
  }

  /** The event's handler failed: nothing of it counts. */
  reject(): void {
    for (const held of this.#pending) held.pending = undefined
    this.#pending = []
  }

  /** Everything changed since the last call, and from now on as stored. */
  takeChanges(): Change[] {
    const changes: Change[] = []
    for (const held of this.#changed) {
      const { collection, id, pos, game, stored, left, body } = held
      if (pos === null) continue
      changes.push({ collection, id, pos, game, before: stored, left, after: body })
      held.left = null
      held.stored = body
      held.storedPos = pos
      held.pos = null
    }
    this.#changed = []
    this.#left = 0
    return changes
  }

  #change(held: Held, body: JsonObject | null): void {
    if (held.pending === undefined) this.#pending.push(held)
    held.pending = body
  }

  #weigh(held: Held): void {
    const bytes = bytesOf(held.body)
    this.#bytes += bytes - held.bytes
    held.bytes = bytes
  }

  #find(collection: string, id: string): Held | undefined {
    return this.#held.get(collection)?.get(id)
  }

  #named(collection: string, id: string): Held {
    const held = this.#find(collection, id)
    if (held === undefined) throw new Error(`${this.#of.view}: ${collection}/${id} was used and not named in needs`)
    return held
  }

  #hold(collection: string, id: string, stored: JsonObject | null, storedPos: Position = ''): void {
    let documents = this.#held.get(collection)
    if (documents === undefined) {
      documents = new Map()
      this.#held.set(collection, documents)
    }
    const unchanged = { pos: null, game: null, left: null, bytes: 0, pending: undefined }
    const held = { collection, id, stored, storedPos, body: stored, ...unchanged }
    documents.set(id, held)
    this.#weigh(held)
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

/** Whether a member was left behind. What was hidden names its ranking all the same, which is to have the position as its mark. */
function noteLeft(held: Held, next: JsonObject | null, ranked: Ranked): boolean {
  const { key, member } = ranked
  const was = held.body?.[member] ?? null
  const hiddenIn = hiddenKeyOf(held.body, ranked)
  if (hiddenIn !== null) held.left ??= { key: hiddenIn, members: [] }
  if (was === null || was === next?.[member]) return false
  held.left ??= { key: held.body?.[key] as string, members: [] }
  held.left.members.push(was as string)
  return true
}

/** The ranking that a hidden document comes back to; null for any other. */
export function hiddenKeyOf(body: JsonObject | null, { key, aside }: Ranked): string | null {
  const hidden = body === null || aside === undefined ? undefined : body[aside]
  return hidden === undefined ? null : (shaped<Readonly<Record<string, string | null>>>(hidden)[key] ?? null)
}

export function asWrite({ collection, id, pos, before, after }: Change): Write {
  const write = { collection, id, pos, body: after }
  return before === null && after !== null ? { ...write, isNew: true } : write
}
