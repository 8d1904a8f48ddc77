// Caches the statuses of one kind: of keys, sessions or players.

import type { Position } from '../domain/event.ts'
import { asFolded, type QueryDeps } from '../queries/deps.ts'
import { type LRUCache, lru } from '../runtime/lru.ts'
import type { Subject, SubjectStatus } from '../stores/contract/revocations.ts'
import type { NodeRevocations } from './revocations.ts'

/**
 * Maximum age of a cached status, in milliseconds. If another node dies between its append and its publication, this
 * node applies the change after this time.
 */
export const STATUS_CACHED_MS = 30_000
/**
 * The same without servers: the process is the only writer and applies each change to its own cache. If it dies, so
 * does the cache.
 */
export const STATUS_CACHED_EMBEDDED_MS = 10 * 60_000

export interface StatusDeps {
  readonly deps: QueryDeps
  readonly revocations: NodeRevocations
  /** How long a status is cached, in milliseconds. */
  readonly cachedMs: number
}

interface Shape<Folded, Update extends SubjectStatus, State> {
  readonly kind: 'key' | 'session' | 'player'
  readonly view: string
  readonly maxCached: number
  of(folded: Folded): State
  /** The state after a revocation. */
  apply(before: State, update: Update): State
  /** Reads the log for an id that the view may not contain yet. */
  inLog?(id: string): Promise<Known<Folded> | null>
}

interface Known<Folded> {
  readonly state: Folded
  readonly pos: Position
}

/** Cache of the statuses of one kind. Missing ones are not cached, because they may be created at any moment. */
export class StatusCache<Folded, Update extends SubjectStatus, State extends object> {
  readonly #statusDeps: StatusDeps
  readonly #shape: Shape<Folded, Update, State>
  readonly #cached: LRUCache<string, { readonly state: State; readonly untilMs: number }>

  constructor(statusDeps: StatusDeps, shape: Shape<Folded, Update, State>) {
    this.#statusDeps = statusDeps
    this.#shape = shape
    this.#cached = lru(shape.maxCached)
  }

  cached(id: string, nowMs: number): State | null {
    const cached = this.#cached.get(id)
    return cached !== undefined && cached.untilMs > nowMs ? cached.state : null
  }

  /**
   * Reads documents, except of statuses that are cached at this time (monotonic milliseconds; null: of all). The
   * returned function gives statuses; call it after the revocations have been looked up.
   */
  async read(ids: readonly (string | null)[], cachedAt: number | null): Promise<(id: string | null) => State | null> {
    const cached = new Map<string, State>()
    const wanted: string[] = []
    for (const id of new Set(ids.filter((one) => one !== null))) {
      const state = cachedAt === null ? null : this.cached(id, cachedAt)
      if (state === null) wanted.push(id)
      else cached.set(id, state)
    }
    const read = wanted.length === 0 ? () => null : await this.#readDocuments(wanted)
    return (id) => (id === null ? null : (cached.get(id) ?? read(id)))
  }

  async #readDocuments(wanted: readonly string[]): Promise<(id: string) => State | null> {
    const { deps, revocations, cachedMs } = this.#statusDeps
    const { view, inLog } = this.#shape
    const untilMs = revocations.elapsedMs() + cachedMs
    const [documents, logged] = await Promise.all([
      deps.views.get(deps.viewKey(view), view, wanted),
      inLog === undefined ? [] : Promise.all(wanted.map(inLog)),
    ])
    const known = new Map(
      wanted.map((id, at) => {
        const document = documents[at] ?? null
        const inView = document && { state: asFolded<Folded>(document).state, pos: document.pos }
        return [id, inView ?? logged[at] ?? null] as const
      }),
    )
    return (id) => {
      const of = known.get(id) ?? null
      if (of === null) return null
      const state = this.#stateOf(id, of)
      this.#cached.set(id, { state, untilMs })
      return state
    }
  }

  #stateOf(id: string, { state, pos }: Known<Folded>): State {
    const { kind, of, apply } = this.#shape
    const before = of(state)
    const newer = this.#statusDeps.revocations.newerThan(pos, `${kind}:${id}`)
    // The subject's kind decides the type of its status.
    return newer === null ? before : apply(before, newer.status as Update)
  }

  forget(subject: Subject): void {
    this.#cached.delete(subject.slice(this.#shape.kind.length + 1))
  }

  forgetAll(): void {
    this.#cached.clear()
  }
}
