// Sends what concurrent calls ask in one command: a command costs the driver more than ten documents, and a request
// under load reads half a dozen one by one.

const AT_ONCE = 1_000
/** Calls with more items than this are sent directly. */
const FEW = 32
/** Maximum milliseconds that calls wait for a running command, to be sent together. */
const GATHERED_MS = 4
/** With this many items in one command more are likely to follow, so the next command also waits for a moment. */
const MANY = 4
const MOMENT_MS = 1

/** Sends items in one command. The result is that of all of them. */
type Send<Item, Result> = (items: readonly Item[]) => Promise<Result>

interface Gathered<Item, Result> {
  readonly items: Set<Item>
  readonly result: Promise<Result>
  send(): void
}

/**
 * A call never joins a command that is already running, so that it reads no older state. Items that are `===` are sent
 * once.
 */
export function batching<Item, Result>(sendAll: Send<Item, Result>): Send<Item, Result> {
  let waiting: Gathered<Item, Result> | null = null
  let underWay = 0
  let areMany = false
  let timer: NodeJS.Timeout | undefined

  /** Begins the next combined command. */
  function gather(): Gathered<Item, Result> {
    const items = new Set<Item>()
    let send = () => {}
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    timer = setTimeout(flush, underWay === 0 ? MOMENT_MS : GATHERED_MS)
    return { items, result: sent.then(() => answered([...items])), send }
  }

  function flush(): void {
    clearTimeout(timer)
    const gathered = waiting
    waiting = null
    gathered?.send()
  }

  async function answered(items: readonly Item[]): Promise<Result> {
    underWay += 1
    areMany = items.length >= MANY
    try {
      return await sendAll(items)
    } finally {
      underWay -= 1
      flush()
    }
  }

  return (items) => {
    if (items.length > FEW) return sendAll(items)
    if (underWay === 0 && waiting === null && !areMany) return answered(items)
    waiting ??= gather()
    for (const item of items) waiting.items.add(item)
    const { result } = waiting
    if (waiting.items.size >= AT_ONCE) flush()
    return result
  }
}
