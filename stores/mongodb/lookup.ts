// Documents by id. What is asked for at the same time, by whatever request, goes out as one command: the driver spends more
// on a command than on ten documents, and a request under load asks for half a dozen of them one by one.

import type { Collection } from 'mongodb'
import type { Document } from '../contract/views.ts'
import { documentOf, isPlain, type Row } from './rows.ts'

/** By id; without an entry, or null, where there is none. */
export type Found = ReadonlyMap<string, Document | null>
export type Lookup = (ids: readonly string[]) => Promise<Found>

const IDS_AT_ONCE = 1_000
/** More ids than this are a batch already. */
const FEW = 32
/** While an answer is on its way, what is asked next waits for it, and goes out together; but no longer than this. */
const GATHERED_MS = 4

interface Gathered {
  readonly ids: Set<string>
  readonly found: Promise<Found>
  send(): void
}

/** Each call reads after it was made: what is already on its way answers nobody who comes later. */
export function createLookup(rows: Collection<Row>): Lookup {
  let waiting: Gathered | null = null
  let underWay = 0
  let timer: NodeJS.Timeout | undefined

  /** Begins what the next calls gather into. */
  function gather(): Gathered {
    const ids = new Set<string>()
    let send = () => {}
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    // Alone it waits no longer than for what else comes in this turn of the event loop.
    if (underWay === 0) setImmediate(flush)
    else timer = setTimeout(flush, GATHERED_MS)
    return { ids, found: sent.then(() => read(rows, [...ids])).finally(answered), send }
  }

  function flush(): void {
    clearTimeout(timer)
    if (waiting === null) return
    const { send } = waiting
    waiting = null
    underWay += 1
    send()
  }

  function answered(): void {
    underWay -= 1
    flush()
  }

  return (ids) => {
    if (ids.length > FEW || (waiting?.ids.size ?? 0) >= IDS_AT_ONCE) return read(rows, ids)
    waiting ??= gather()
    for (const id of ids) waiting.ids.add(id)
    return waiting.found
  }
}

async function read(rows: Collection<Row>, ids: readonly string[]): Promise<Found> {
  // What is no id is under none, and is not asked for.
  const asked = [...new Set(ids.filter(isPlain))]
  const found = new Map<string, Document | null>()
  for (let at = 0; at < asked.length; at += IDS_AT_ONCE) {
    const some = asked.slice(at, at + IDS_AT_ONCE)
    const page = rows.find({ _id: { $in: some } }, { projection: { pos: 1, doc: 1 }, batchSize: some.length + 1 })
    for (const row of await page.toArray()) found.set(row._id, documentOf(row))
  }
  return found
}
