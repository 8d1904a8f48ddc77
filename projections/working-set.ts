// The documents of one view while a batch of events is applied to them: what was loaded, what was changed by the events
// applied so far, and what the event at hand is changing, which counts only if its handler comes to an end.

import type { JsonObject, Position } from '../domain/event.ts'
import type { Views, Write } from '../stores/contract/views.ts'
import type { DocRef, Docs } from './projection.ts'

interface Held {
  /** As the store has it, and the last event it took there ('' where there is no document). */
  readonly stored: JsonObject | null
  readonly storedPos: Position
  body: JsonObject | null
  /** Position of the last event of this batch that changed it; null while none did. */
  pos: Position | null
}

export interface Change {
  readonly collection: string
  readonly id: string
  readonly pos: Position
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

export class WorkingSet implements Docs {
  readonly #views: Views
  readonly #view: string
  readonly #held = new Map<string, Map<string, Held>>()
  #pending: [collection: string, id: string, body: JsonObject | null][] = []
  #changed = 0
  #count = 0

  constructor(views: Views, view: string) {
    this.#views = views
    this.#view = view
  }

  /** How many documents were changed since the last `taken`. */
  get changed(): number {
    return this.#changed
  }

  /** How many documents are held, changed or not. */
  get held(): number {
    return this.#count
  }

  has([collection, id]: DocRef): boolean {
    return this.#held.get(collection)?.has(id) ?? false
  }

  /** Reads from the store what is not held yet. */
  async load(refs: readonly DocRef[]): Promise<void> {
    const missing = new Map<string, Set<string>>()
    for (const [collection, id] of refs) {
      if (this.has([collection, id])) continue
      const ids = missing.get(collection)
      if (ids) ids.add(id)
      else missing.set(collection, new Set([id]))
    }
    for (const [collection, ids] of missing) {
      const wanted = [...ids]
      const documents = await this.#views.get(this.#view, collection, wanted)
      wanted.forEach((id, i) => {
        const stored = documents[i]?.body ?? null
        this.#of(collection).set(id, { stored, storedPos: documents[i]?.pos ?? '', body: stored, pos: null })
        this.#count++
      })
    }
  }

  get(collection: string, id: string): JsonObject | null {
    const pending = this.#pending.findLast(([c, i]) => c === collection && i === id)
    if (pending) return pending[2]
    const held = this.#held.get(collection)?.get(id)
    if (held === undefined) throw new Error(`${this.#view}: ${collection}/${id} was read and not named in needs`)
    return held.body
  }

  peek = (collection: string, id: string): JsonObject | null => this.#held.get(collection)?.get(id)?.body ?? null

  put(collection: string, id: string, body: JsonObject): void {
    this.#pending.push([collection, id, body])
  }

  remove(collection: string, id: string): void {
    this.#pending.push([collection, id, null])
  }

  /** The event's changes count from now on, but for documents that took it already before a crash. */
  accept(pos: Position): void {
    for (const [collection, id, body] of this.#pending) {
      const held = this.#of(collection).get(id)
      if (held === undefined) throw new Error(`${this.#view}: ${collection}/${id} was changed and not named in needs`)
      if (held.storedPos >= pos) continue
      if (held.pos === null) this.#changed++
      held.body = body
      held.pos = pos
    }
    this.#pending = []
  }

  /** The event's handler failed: nothing of it counts. */
  reject(): void {
    this.#pending = []
  }

  /** Everything changed since the last call, and from now on as stored. */
  taken(): Change[] {
    const changes: Change[] = []
    for (const [collection, documents] of this.#held) {
      for (const [id, held] of documents) {
        if (held.pos === null) continue
        changes.push({ collection, id, pos: held.pos, before: held.stored, after: held.body })
        documents.set(id, { stored: held.body, storedPos: held.pos, body: held.body, pos: null })
      }
    }
    this.#changed = 0
    return changes
  }

  #of(collection: string): Map<string, Held> {
    const documents = this.#held.get(collection) ?? new Map<string, Held>()
    if (documents.size === 0) this.#held.set(collection, documents)
    return documents
  }
}

export const asWrite = ({ collection, id, pos, after }: Change): Write => ({ collection, id, pos, body: after })
