// A map that changes by making another one, for states folded from long streams: what was folded before must stay as it
// was, and copying a map of 100,000 for each event is too much. It is a hash trie (Bagwell: Ideal Hash Trees,
// 2001), of which one path is copied.

import { textHash } from './hash.ts'

/** Bits of the hash that choose a branch. */
const BITS = 4
const BRANCHES = 1 << BITS
const MASK = BRANCHES - 1
/** Deeper than this the hash has no bits left. */
const DEEPEST = 32 / BITS
/**
 * A leaf of more is split. Small ones are searched faster than any map; larger ones save copies of the branches above.
 */
const LEAF_MOST = 24

/**
 * Keys, and the hash and the value of each at the same place: the hashes lie side by side, where keys would each be
 * looked up.
 */
interface Leaf<Value> {
  readonly hashes: readonly number[]
  readonly keys: readonly string[]
  readonly values: readonly Value[]
}
type Branches<Value> = readonly (Node<Value> | undefined)[]
type Node<Value> = Leaf<Value> | Branches<Value>

const isLeaf = <Value>(node: Node<Value>): node is Leaf<Value> => !Array.isArray(node)

export class Shards<Value> {
  readonly #root: Node<Value> | undefined
  readonly size: number

  private constructor(root: Node<Value> | undefined, size: number) {
    this.#root = root
    this.size = size
  }

  static of<Value>(entries: Iterable<readonly [string, Value]> = []): Shards<Value> {
    let made = new Shards<Value>(undefined, 0)
    for (const [key, value] of entries) made = made.with(key, value)
    return made
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key)
    const leaf = leafOf(this.#root, hash)
    const at = leaf === undefined ? -1 : placeOf(leaf, key, hash)
    return at < 0 ? undefined : leaf?.values[at]
  }

  has(key: string): boolean {
    const hash = hashOf(key)
    const leaf = leafOf(this.#root, hash)
    return leaf !== undefined && placeOf(leaf, key, hash) >= 0
  }

  with(key: string, value: Value): Shards<Value> {
    const put = { key, value, hash: hashOf(key), isNew: true }
    const root = withKey(this.#root, put, 0)
    return new Shards(root, put.isNew ? this.size + 1 : this.size)
  }

  without(key: string): Shards<Value> {
    if (this.#root === undefined) return this
    const root = withoutKey(this.#root, key, hashOf(key), 0)
    return root === this.#root ? this : new Shards(root, this.size - 1)
  }

  *entries(): IterableIterator<[string, Value]> {
    const nodes = [this.#root]
    for (let node = nodes.pop(); node !== undefined || nodes.length > 0; node = nodes.pop()) {
      if (node === undefined) continue
      if (isLeaf(node)) {
        for (const [at, key] of node.keys.entries()) yield [key, node.values[at] as Value]
      } else for (const branch of node) nodes.push(branch)
    }
  }
}

function leafOf<Value>(root: Node<Value> | undefined, hash: number): Leaf<Value> | undefined {
  let node = root
  for (let bits = hash; node !== undefined && !isLeaf(node); bits >>>= BITS) node = node[bits & MASK]
  return node
}

function placeOf({ hashes, keys }: Leaf<unknown>, key: string, hash: number): number {
  for (let at = 0; at < hashes.length; at++) if (hashes[at] === hash && keys[at] === key) return at
  return -1
}

/** To be put; `isNew` is told by putting it. */
interface Put<Value> {
  readonly key: string
  readonly value: Value
  readonly hash: number
  isNew: boolean
}

const branchOf = (hash: number, depth: number): number => (hash >>> (depth * BITS)) & MASK

function withKey<Value>(node: Node<Value> | undefined, put: Put<Value>, depth: number): Node<Value> {
  const { key, value, hash } = put
  if (node === undefined) return { hashes: [hash], keys: [key], values: [value] }
  if (!isLeaf(node)) {
    const branch = branchOf(hash, depth)
    return replaced(node, branch, withKey(node[branch], put, depth + 1))
  }
  const at = placeOf(node, key, hash)
  if (at >= 0) {
    put.isNew = false
    return { hashes: node.hashes, keys: node.keys, values: node.values.with(at, value) }
  }
  const grown = { hashes: [...node.hashes, hash], keys: [...node.keys, key], values: [...node.values, value] }
  return grown.keys.length <= LEAF_MOST || depth === DEEPEST ? grown : split(grown, depth)
}

function split<Value>({ hashes, keys, values }: Leaf<Value>, depth: number): Node<Value> {
  const branches: (Node<Value> | undefined)[] = Array.from({ length: BRANCHES })
  for (const [at, key] of keys.entries()) {
    const hash = hashes[at] as number
    const branch = branchOf(hash, depth)
    branches[branch] = withKey(branches[branch], { key, value: values[at] as Value, hash, isNew: true }, depth + 1)
  }
  return branches
}

/** The node itself where it has no such key; undefined where nothing is left. */
function withoutKey<Value>(node: Node<Value>, key: string, hash: number, depth: number): Node<Value> | undefined {
  if (!isLeaf(node)) {
    const branch = branchOf(hash, depth)
    const before = node[branch]
    if (before === undefined) return node
    const after = withoutKey(before, key, hash, depth + 1)
    if (after === before) return node
    const left = replaced(node, branch, after)
    return after === undefined && left.every((one) => one === undefined) ? undefined : left
  }
  const at = placeOf(node, key, hash)
  if (at < 0) return node
  if (node.keys.length === 1) return undefined
  const { hashes, keys, values } = node
  return { hashes: hashes.toSpliced(at, 1), keys: keys.toSpliced(at, 1), values: values.toSpliced(at, 1) }
}

function replaced<Value>(branches: Branches<Value>, at: number, by: Node<Value> | undefined): Branches<Value> {
  const copy = branches.slice()
  copy[at] = by
  return copy
}

/** Stirred: its lowest bits alone are too alike. Of 32 bits with a sign, which V8 keeps without a box. */
function hashOf(key: string): number {
  const hash = textHash(key)
  return hash ^ (hash >>> 15)
}
