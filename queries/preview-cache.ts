// An LRU cache of the last previews, for the pages that follow: computing one takes seconds on a large board. It is
// bounded by bytes, by number in all and for each game, and by age.

import type { Position } from '../domain/event.ts'
import { type LRUCache, lruOfSize } from '../runtime/lru.ts'
import type { PackedMovers } from './packed-movers.ts'
import type { ListedEffect } from './preview-answer.ts'

/** Maximum age of a cached preview. Enough to read 1,000,000 players in pages of 100, at 17 pages a second. */
export const PREVIEW_CACHE_MS = 10 * 60_000
/** Per node, and per game. */
export const MAX_CACHED_PREVIEWS = 100
export const MAX_CACHED_PREVIEWS_OF_GAME = 2

export interface CachedPreview extends ListedEffect {
  readonly game: string
  /** The position of the history that it was computed from; null: there was none yet. */
  readonly upTo: Position | null
  readonly movers: PackedMovers
}

interface Cached {
  readonly preview: CachedPreview
  readonly untilMs: number
}

export class PreviewCache {
  readonly #previews: LRUCache<string, Cached>
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(maxBytes: number, now: () => number = () => performance.now()) {
    this.#previews = lruOfSize(Math.max(1, maxBytes), ({ preview }, key) => preview.movers.bytes + key.length)
    this.#now = now
  }

  get bytes(): number {
    return this.#previews.calculatedSize
  }

  get size(): number {
    return this.#previews.size
  }

  /** Null if the cache does not have it. */
  get(key: string): CachedPreview | null {
    const found = this.#previews.get(key)
    if (found === undefined) return null
    if (found.untilMs > this.#now()) return found.preview
    this.#previews.delete(key)
    return null
  }

  /** Replaces the preview with this key. One that is larger than `maxBytes` is not cached. */
  set(key: string, preview: CachedPreview): void {
    this.#previews.set(key, { preview, untilMs: this.#now() + PREVIEW_CACHE_MS })
    const ofGame = this.#entries().filter(([, { preview: one }]) => one.game === preview.game)
    for (const [other] of ofGame.slice(MAX_CACHED_PREVIEWS_OF_GAME)) this.#previews.delete(other)
    if (this.#previews.size > MAX_CACHED_PREVIEWS) this.#previews.pop()
    this.#scheduleCleanup()
  }

  delete(key: string): void {
    this.#previews.delete(key)
  }

  /** The most recently used first. */
  #entries(): (readonly [string, Cached])[] {
    return [...this.#previews.entries()]
  }

  /** Frees the memory also if no more previews are computed. */
  #scheduleCleanup(): void {
    if (this.#timer !== null || this.#previews.size === 0) return
    const firstMs = Math.min(...this.#entries().map(([, { untilMs }]) => untilMs))
    const cleanUp = () => {
      this.#timer = null
      const nowMs = this.#now()
      for (const [key, { untilMs }] of this.#entries()) if (untilMs <= nowMs) this.#previews.delete(key)
      this.#scheduleCleanup()
    }
    this.#timer = setTimeout(cleanUp, Math.max(1_000, firstMs - this.#now())).unref()
  }
}
