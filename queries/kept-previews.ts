// Keeps the last previews for the pages that follow: a page of the players that move takes seconds to compute on a large
// board. The kept ones are bounded by bytes, by number in all and for each game, and by time.

import { type LRUCache, lruOfSize } from '../cache/lru.ts'
import type { Position } from '../domain/event.ts'
import type { PackedMovers } from './packed-movers.ts'
import type { ListedEffect } from './preview-answer.ts'

/** How long a preview is kept. Enough to read 1,000,000 players in pages of 100, at 17 pages a second. */
export const PREVIEW_KEPT_MS = 10 * 60_000
/** Previews kept by a node, and of them for one game. */
export const PREVIEWS_KEPT = 100
export const PREVIEWS_KEPT_OF_GAME = 2

export interface KeptPreview extends ListedEffect {
  readonly game: string
  /** The position of the history that it was computed from; null: there was none yet. */
  readonly upTo: Position | null
  readonly movers: PackedMovers
}

interface Kept {
  readonly preview: KeptPreview
  readonly untilMs: number
}

export class KeptPreviews {
  readonly #kept: LRUCache<string, Kept>
  readonly #now: () => number
  #cleanup: NodeJS.Timeout | null = null

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(maxBytes: number, now: () => number = () => performance.now()) {
    this.#kept = lruOfSize(Math.max(1, maxBytes), ({ preview }, key) => preview.movers.bytes + key.length)
    this.#now = now
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  get size(): number {
    return this.#kept.size
  }

  /** Null if it was never kept, or is no longer. */
  find(key: string): KeptPreview | null {
    const found = this.#kept.get(key)
    if (found === undefined) return null
    if (found.untilMs > this.#now()) return found.preview
    this.#kept.delete(key)
    return null
  }

  /** Keeps a preview in place of the one with this key. One that is larger than the limit is not kept. */
  keep(key: string, preview: KeptPreview): void {
    this.#kept.set(key, { preview, untilMs: this.#now() + PREVIEW_KEPT_MS })
    const ofGame = this.#entries().filter(([, { preview: one }]) => one.game === preview.game)
    for (const [other] of ofGame.slice(PREVIEWS_KEPT_OF_GAME)) this.#kept.delete(other)
    if (this.#kept.size > PREVIEWS_KEPT) this.#kept.pop()
    this.#cleanUpLater()
  }

  drop(key: string): void {
    this.#kept.delete(key)
  }

  /** The most recently used first. */
  #entries(): (readonly [string, Kept])[] {
    return [...this.#kept.entries()]
  }

  /** Frees the memory also if no more previews are computed. */
  #cleanUpLater(): void {
    if (this.#cleanup !== null || this.#kept.size === 0) return
    const firstMs = Math.min(...this.#entries().map(([, { untilMs }]) => untilMs))
    const cleanUp = () => {
      this.#cleanup = null
      const nowMs = this.#now()
      for (const [key, { untilMs }] of this.#entries()) if (untilMs <= nowMs) this.#kept.delete(key)
      this.#cleanUpLater()
    }
    this.#cleanup = setTimeout(cleanUp, Math.max(1_000, firstMs - this.#now())).unref()
  }
}
