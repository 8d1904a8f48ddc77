// The cache of all modules: least recently used entries leave first.

import { LRUCache } from 'lru-cache'

/**
 * A cache of at most `maxEntries`. Its memory grows with what it holds: given `max`, LRUCache allocates the tables of a full
 * cache at once, which were 70 MiB of an idle server. Entries older than `ttlMs` count as absent. O(1).
 */
export function lru<Key extends {}, Value extends {}>(maxEntries: number, ttlMs = 0): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ttl: ttlMs })
}

/** A cache of entries of at most `maxSize` together, as `sizeOf` counts them. An entry that is larger is not kept. */
export function lruOfSize<Key extends {}, Value extends {}>(
  maxSize: number,
  sizeOf: (value: Value, key: Key) => number,
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: sizeOf })
}

export type { LRUCache } from 'lru-cache'
