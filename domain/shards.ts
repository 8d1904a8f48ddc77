// A map that changes by making another one, for states folded from long streams: what was folded before must stay as it
// was, and copying a map of 100,000 for each event is too much. It is spread over small maps, of which one is copied.

const WIDTH = 512

export class Shards<Value> {
  readonly #shards: readonly (ReadonlyMap<string, Value> | undefined)[]
  readonly size: number

  private constructor(shards: readonly (ReadonlyMap<string, Value> | undefined)[], size: number) {
    this.#shards = shards
    this.size = size
  }

  static of<Value>(entries: Iterable<readonly [string, Value]> = []): Shards<Value> {
    const shards: Map<string, Value>[] = []
    let size = 0
    for (const [key, value] of entries) {
      const at = shardOf(key)
      const shard = shards[at] ?? new Map<string, Value>()
      if (!shard.has(key)) size++
      shard.set(key, value)
      shards[at] = shard
    }
    return new Shards(shards, size)
  }

  get(key: string): Value | undefined {
    return this.#shards[shardOf(key)]?.get(key)
  }

  has(key: string): boolean {
    return this.#shards[shardOf(key)]?.has(key) === true
  }

  with(key: string, value: Value): Shards<Value> {
    const at = shardOf(key)
    const before = this.#shards[at]
    const size = before?.has(key) === true ? this.size : this.size + 1
    return new Shards(replaced(this.#shards, at, new Map(before).set(key, value)), size)
  }

  without(key: string): Shards<Value> {
    if (!this.has(key)) return this
    const at = shardOf(key)
    const shard = new Map(this.#shards[at])
    shard.delete(key)
    return new Shards(replaced(this.#shards, at, shard), this.size - 1)
  }

  *entries(): IterableIterator<[string, Value]> {
    for (const shard of this.#shards) if (shard !== undefined) yield* shard.entries()
  }
}

function replaced<Item>(items: readonly (Item | undefined)[], at: number, item: Item): (Item | undefined)[] {
  const copy = items.slice()
  copy[at] = item
  return copy
}

/** FNV-1a. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % WIDTH
}
