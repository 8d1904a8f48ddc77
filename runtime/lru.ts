// LRU caches, bounded by entries or by size.

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
 * is not kept, and its key is removed.
 */
export function lruOfSize<Key extends {}, Value extends {}>(
  maxSize: number,
  sizeOf: (value: Value, key: Key) => number,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: sizeOf })
}

export type { LRUCache } from 'lru-cache'
