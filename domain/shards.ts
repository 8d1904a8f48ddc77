// A map that changes by making another one, for states folded from long streams: what was folded before must stay as it
// was, and copying a map of 100,000 for each event is too much. It is a tree by the keys' hashes, of which one path is copied.

/** Bits of the hash that choose a branch. */
const BITS = 4
const BRANCHES = 1 << BITS
const MASK = BRANCHES - 1
/** Deeper than this the hash has no bits left. */
const DEEPEST = 32 / BITS
/** A leaf of more is split. Small ones are searched faster than any map. */
const LEAF_MOST = 8

/** Keys, and the value of each at the same place. */
interface Leaf<Value> {
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
    let node = this.#root
    for (let bits = hashOf(key); node !== undefined && !isLeaf(node); bits >>>= BITS) node = node[bits & MASK]
    const at = node?.keys.indexOf(key) ?? -1
    return at < 0 ? undefined : node?.values[at]
  }

  has(key: string): boolean {
    let node = this.#root
    for (let bits = hashOf(key); node !== undefined && !isLeaf(node); bits >>>= BITS) node = node[bits & MASK]
    return node?.keys.includes(key) === true
  }

  with(key: string, value: Value): Shards<Value> {
    const size = this.has(key) ? this.size : this.size + 1
    return new Shards(withKey(this.#root, key, value, hashOf(key), 0), size)
  }

  without(key: string): Shards<Value> {
    if (!this.has(key)) return this
    return new Shards(withoutKey(this.#root as Node<Value>, key, hashOf(key)), this.size - 1)
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

/** `bits`: what of the key's hash the levels above have not used. */
function withKey<Value>(
  node: Node<Value> | undefined,
  key: string,
  value: Value,
  bits: number,
  depth: number,
): Node<Value> {
  if (node === undefined) return { keys: [key], values: [value] }
  if (!isLeaf(node))
    return replaced(node, bits & MASK, withKey(node[bits & MASK], key, value, bits >>> BITS, depth + 1))
  const at = node.keys.indexOf(key)
  if (at >= 0) return { keys: node.keys, values: node.values.with(at, value) }
  const grown = { keys: [...node.keys, key], values: [...node.values, value] }
  return grown.keys.length <= LEAF_MOST || depth === DEEPEST ? grown : split(grown, depth)
}

function split<Value>({ keys, values }: Leaf<Value>, depth: number): Node<Value> {
  let branches: Branches<Value> = Array.from({ length: BRANCHES })
  for (const [at, key] of keys.entries()) {
    const bits = hashOf(key) >>> (depth * BITS)
    const branch = withKey(branches[bits & MASK], key, values[at] as Value, bits >>> BITS, depth + 1)
    branches = replaced(branches, bits & MASK, branch)
  }
  return branches
}

/** Of a node that has the key. Undefined where nothing is left. */
function withoutKey<Value>(node: Node<Value>, key: string, bits: number): Node<Value> | undefined {
  if (!isLeaf(node)) {
    const branch = withoutKey(node[bits & MASK] as Node<Value>, key, bits >>> BITS)
    const left = replaced(node, bits & MASK, branch)
    return branch === undefined && left.every((one) => one === undefined) ? undefined : left
  }
  if (node.keys.length === 1) return undefined
  const at = node.keys.indexOf(key)
  return { keys: node.keys.toSpliced(at, 1), values: node.values.toSpliced(at, 1) }
}

function replaced<Value>(branches: Branches<Value>, at: number, by: Node<Value> | undefined): Branches<Value> {
  const copy = branches.slice()
  copy[at] = by
  return copy
}

/** FNV-1a, stirred: its lowest bits alone are too alike. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
