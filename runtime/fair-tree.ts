// Waiting items, each at a path of names (game, network address, player). They are taken round robin at each level: the
// groups of the first name take turns, within each of them the groups of the second name, and so on.

export type Path = readonly string[]

interface Group<Item> {
  /** In the order of service: the group served last is the last. Empty groups are removed. */
  readonly groups: Map<string, Group<Item>>
  /** Items whose path ends here, oldest first. */
  readonly items: Item[]
  count: number
}

const emptyGroup = <Item>(): Group<Item> => ({ groups: new Map(), items: [], count: 0 })

export class FairTree<Item> {
  readonly #root: Group<Item> = emptyGroup()

  get size(): number {
    return this.#root.count
  }

  count(path: Path): number {
    let group: Group<Item> | undefined = this.#root
    for (const name of path) group = group?.groups.get(name)
    return group?.count ?? 0
  }

  add(path: Path, item: Item): void {
    let group = this.#root
    group.count += 1
    for (const name of path) {
      const below: Group<Item> = group.groups.get(name) ?? emptyGroup()
      group.groups.set(name, below)
      below.count += 1
      group = below
    }
    group.items.push(item)
  }

  /** Removes and returns the next item that `isEligible` accepts; null if there is none. O(items that it rejects). */
  take(isEligible: (item: Item) => boolean = () => true): Item | null {
    return takeFrom(this.#root, isEligible)
  }

  remove(path: Path, item: Item): boolean {
    return removeFrom(this.#root, path, item)
  }

  /**
   * Removes and returns the newest item of the largest group below `path`, if that group still has more items than the
   * group `own` would have with one more; otherwise returns null.
   */
  takeFromLargest(path: Path, own: string): Item | null {
    const ownCount = this.count([...path, own])
    let [largest, largestCount] = ['', ownCount + 1]
    for (const [name, { count }] of this.#groupsAt(path))
      if (count > largestCount) [largest, largestCount] = [name, count]
    if (largestCount === ownCount + 1) return null
    const full = [...path, largest]
    for (let groups = this.#groupsAt(full); groups.size > 0; groups = this.#groupsAt(full)) full.push(largestOf(groups))
    const item = this.#groupAt(full)?.items.at(-1) ?? null
    if (item !== null) this.remove(full, item)
    return item
  }

  #groupAt(path: Path): Group<Item> | undefined {
    let group: Group<Item> | undefined = this.#root
    for (const name of path) group = group?.groups.get(name)
    return group
  }

  #groupsAt(path: Path): ReadonlyMap<string, Group<Item>> {
    return this.#groupAt(path)?.groups ?? new Map()
  }
}

function largestOf<Item>(groups: ReadonlyMap<string, Group<Item>>): string {
  let [largest, largestCount] = ['', 0]
  for (const [name, { count }] of groups) if (count > largestCount) [largest, largestCount] = [name, count]
  return largest
}

function takeFrom<Item>(group: Group<Item>, isEligible: (item: Item) => boolean): Item | null {
  const at = group.items.findIndex(isEligible)
  const [own = null] = at < 0 ? [] : group.items.splice(at, 1)
  if (own !== null) {
    group.count -= 1
    return own
  }
  for (const [name, below] of group.groups) {
    const item = takeFrom(below, isEligible)
    if (item === null) continue
    group.count -= 1
    group.groups.delete(name)
    if (below.count > 0) group.groups.set(name, below)
    return item
  }
  return null
}

function removeFrom<Item>(group: Group<Item>, [name, ...rest]: Path, item: Item): boolean {
  if (name === undefined) {
    const at = group.items.indexOf(item)
    if (at < 0) return false
    group.items.splice(at, 1)
    group.count -= 1
    return true
  }
  const below = group.groups.get(name)
  if (below === undefined || !removeFrom(below, rest, item)) return false
  group.count -= 1
  if (below.count === 0) group.groups.delete(name)
  return true
}
