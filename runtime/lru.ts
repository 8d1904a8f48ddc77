// LRU caches, bounded by entries or by size, and what decides whether a key is worth caching.

import { LRUCache } from 'lru-cache'

/**
 * A cache of at most `maxEntries`. Its memory grows with what it holds: given `max`, LRUCache allocates the tables of a
 * full cache at once, which were 65 MiB of an idle server. Entries older than `ttlMs` milliseconds count as absent; 0:
 * no limit. O(1).
 */
export function lru<Key extends {}, Value extends {}>(maxEntries: number, ttlMs = 0): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ttl: ttlMs })
}

/**
 * A cache of entries of at most `maxSize` together, as `sizeOf` counts them: an integer of at least 1. A larger entry
 * is not kept, and its key is removed. Entries not read or set for `idleMs` milliseconds are dropped, by a timer each:
 * for few and large ones; 0: no limit.
 */
export function lruOfSize<Key extends {}, Value extends {}>(
  maxSize: number,
  sizeOf: (value: Value, key: Key) => number,
  idleMs = 0,
): LRUCache<Key, Value> {
  const idle = idleMs === 0 ? {} : { ttl: idleMs, ttlResolution: 0, ttlAutopurge: true, updateAgeOnGet: true }
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: sizeOf, ...idle })
}

export type { LRUCache } from 'lru-cache'

/** Each has the last hash of those that share it. */
const SLOTS = 8_192

/**
 * A doorkeeper of a cache, 32 KiB: most keys are never seen again, and caching all of them would evict those that are
 * used often. A shared hash or slot only changes which keys count as seen.
 */
export class SeenBefore {
  #hashes: Uint32Array | null = null

  /** Also notes the hash. `hash`: 32 bits, unsigned, the lower ones evenly spread. O(1). */
  wasSeen(hash: number): boolean {
    this.#hashes ??= new Uint32Array(SLOTS)
    const slot = hash % SLOTS
    if (this.#hashes[slot] === hash) return true
    this.#hashes[slot] = hash
    return false
  }
}
