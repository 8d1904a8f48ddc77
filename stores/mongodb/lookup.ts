// Reads documents and secrets by id. Concurrent reads, of any requests, share one command: a command costs the driver
// more than ten documents, and a request under load reads half a dozen one by one.

import type { Collection } from 'mongodb'
import type { Document } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import type { CallTimeout } from './call-timeout.ts'
import { documentOf, type Row } from './document-rows.ts'

/** By id; missing or null if there is none. */
type FoundOf<One> = ReadonlyMap<string, One | null>
export type LookupOf<One> = (ids: readonly string[]) => Promise<FoundOf<One>>
export type Found = FoundOf<Document>
export type Lookup = LookupOf<Document>

const IDS_AT_ONCE = 1_000
/** Calls with more ids than this are sent directly. */
const FEW = 32
/** Maximum milliseconds that calls wait for a running command, to be sent together. */
const GATHERED_MS = 4
/** With this many ids in one command more are likely to follow, so the next command also waits for a moment. */
const MANY = 4
const MOMENT_MS = 1

interface Gathered<One> {
  readonly ids: Set<string>
  readonly found: Promise<FoundOf<One>>
  send(): void
}

export function createLookup(rows: Collection<Row>, withCallTimeout: CallTimeout): Lookup {
  return gathering((ids) => read(rows, ids, withCallTimeout))
}

/** A call never joins a command that is already running, so that it reads no older state. */
export function gathering<One>(read: LookupOf<One>): LookupOf<One> {
  let waiting: Gathered<One> | null = null
  let underWay = 0
  let areMany = false
  let timer: NodeJS.Timeout | undefined

  /** Begins the next combined command. */
  function gather(): Gathered<One> {
    const ids = new Set<string>()
    let send = () => {}
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    timer = setTimeout(flush, underWay === 0 ? MOMENT_MS : GATHERED_MS)
    return { ids, found: sent.then(() => fetched([...ids])), send }
  }

  function flush(): void {
    clearTimeout(timer)
    const gathered = waiting
    waiting = null
    gathered?.send()
  }

  async function fetched(ids: readonly string[]): Promise<FoundOf<One>> {
    underWay += 1
    areMany = ids.length >= MANY
    try {
      return await read(ids)
    } finally {
      underWay -= 1
      flush()
    }
  }

  return (ids) => {
    if (ids.length > FEW) return read(ids)
    if (underWay === 0 && waiting === null && !areMany) return fetched(ids)
    waiting ??= gather()
    for (const id of ids) waiting.ids.add(id)
    const { found } = waiting
    if (waiting.ids.size >= IDS_AT_ONCE) flush()
    return found
  }
}

async function read(rows: Collection<Row>, ids: readonly string[], withCallTimeout: CallTimeout): Promise<Found> {
  // An invalid id matches nothing, so it is not queried.
  const fetched = [...new Set(ids.filter(isPlain))]
  const found = new Map<string, Document | null>()
  for (let at = 0; at < fetched.length; at += IDS_AT_ONCE) {
    const some = fetched.slice(at, at + IDS_AT_ONCE)
    const page = rows.find({ _id: { $in: some } }, { projection: { pos: 1, doc: 1 }, batchSize: some.length + 1 })
    for (const row of await withCallTimeout(page.toArray())) found.set(row._id, documentOf(row))
  }
  return found
}
