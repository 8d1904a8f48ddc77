// The documents of one view while a batch of events is applied to them: what was loaded, what was changed by the events
// applied so far, and what the event at hand is changing, which counts only if its handler comes to an end.

import type { JsonObject, Position, StoredEvent } from '../domain/event.ts'
import type { CollectionSpec, Document, Views, Write } from '../stores/contract/views.ts'
import type { DocRef, Docs, Ranked } from './projection.ts'
import { isPlain, storableIn } from './storable.ts'

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
  /** What the event at hand makes of it; undefined while it leaves it as it is. */
  pending: JsonObject | null | undefined
}

/** What is held of a collection, and what of it was found last. */
interface Shelf {
  readonly documents: Map<string, Held>
  last: Held | null
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
  readonly #views: Views
  readonly #view: string
  readonly #ranked: Ranked | undefined
  readonly #checkStorable: ReturnType<typeof storableIn>
  readonly #held = new Map<string, Shelf>()
  #pending: Held[] = []
  #changed: Held[] = []
  #count = 0
  #left = 0
  /** Of a view that began with nothing in the store: what was written since and is held no more. Null: it is not known. */
  #written: Map<string, Set<string>> | null = null
  /** What is not held is to be loaded first, even where it is known not to be there: as for a view that has something. */
  isStrict = true

  constructor(views: Views, view: string, ranked?: Ranked, collections: readonly CollectionSpec[] = []) {
    this.#views = views
    this.#view = view
    this.#ranked = ranked
    this.#checkStorable = storableIn(collections)
  }

  /** How many documents were changed since the last `taken`, and how many members went from rankings with that. */
  get changed(): number {
    return this.#changed.length + this.#left
  }

  /** Whether all that the store has is held, too. */
  get isWhole(): boolean {
    return this.#written?.size === 0
  }

  /** How many documents are held, changed or not. */
  get held(): number {
    return this.#count
  }

  /** The store has nothing of this view: what was never written need not be read. */
  beginWithNothing(): void {
    this.#written = new Map()
    this.isStrict = false
  }

  /** Lets go of all that is held, once it is written; more than `most` ids of what is written are not remembered. */
  letGo(most: number): void {
    let remembered = 0
    for (const [collection, { documents }] of this.#written === null ? [] : this.#held) {
      const ids = this.#written?.get(collection) ?? new Set<string>()
      for (const [id, { stored }] of documents) if (stored !== null) ids.add(id)
      this.#written?.set(collection, ids)
      remembered += ids.size
    }
    if (remembered > most) [this.#written, this.isStrict] = [null, true]
    this.#held.clear()
    this.#count = 0
  }

  has([collection, id]: DocRef): boolean {
    return this.#find(collection, id) !== undefined
  }

  /** Reads from the store what is not held yet. */
  async load(refs: readonly DocRef[]): Promise<void> {
    const missing = new Map<string, Set<string>>()
    for (const ref of refs) {
      if (this.has(ref)) continue
      const [collection, id] = ref
      if (this.#isAbsent(collection, id)) this.#hold(collection, id, null)
      else missing.set(collection, (missing.get(collection) ?? new Set()).add(id))
    }
    for (const [collection, ids] of missing) {
      const wanted = [...ids]
      const documents = await this.#views.get(this.#view, collection, wanted)
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
    for (const held of this.#pending) {
      const { pending } = held
      held.pending = undefined
      if (pending === undefined || held.storedPos >= pos) continue
      if (held.pos === null) this.#changed.push(held)
      if (held.collection === this.#ranked?.collection && noteLeft(held, pending, this.#ranked)) this.#left++
      held.body = pending
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
  taken(): Change[] {
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

  #find(collection: string, id: string): Held | undefined {
    const shelf = this.#held.get(collection)
    if (shelf === undefined) return undefined
    // Mostly the one asked for before: the event's board, or what is put after it was looked at. Comparing is cheaper than hashing.
    if (shelf.last?.id === id) return shelf.last
    const found = shelf.documents.get(id)
    if (found !== undefined) shelf.last = found
    return found
  }

  #named(collection: string, id: string): Held {
    const held = this.#find(collection, id)
    if (held !== undefined) return held
    if (!this.isStrict && this.#isAbsent(collection, id)) return this.#hold(collection, id, null)
    throw new Error(`${this.#view}: ${collection}/${id} was used and not named in needs`)
  }

  #isAbsent(collection: string, id: string): boolean {
    return this.#written !== null && isPlain(id) && this.#written.get(collection)?.has(id) !== true
  }

  #hold(collection: string, id: string, stored: JsonObject | null, storedPos: Position = ''): Held {
    let shelf = this.#held.get(collection)
    if (shelf === undefined) {
      shelf = { documents: new Map(), last: null }
      this.#held.set(collection, shelf)
    }
    const held: Held = {
      collection,
      id,
      stored,
      storedPos,
      body: stored,
      pos: null,
      game: null,
      left: null,
      pending: undefined,
    }
    shelf.documents.set(id, held)
    this.#count++
    return held
  }
}

/** Whether a member was left behind. */
function noteLeft(held: Held, next: JsonObject | null, { key, member }: Ranked): boolean {
  const was = held.body?.[member] ?? null
  if (was === null || was === next?.[member]) return false
  held.left ??= { key: held.body?.[key] as string, members: [] }
  held.left.members.push(was as string)
  return true
}

export const asWrite = ({ collection, id, pos, after }: Change): Write => ({ collection, id, pos, body: after })
