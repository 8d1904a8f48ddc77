// The single-process guard. Without Redis, leases, revocations, rate limits, rooms and secrets live in one process,
// so a second process on the same MongoDB would do harm and is refused. The running process changes a row with each
// heartbeat. A starting process watches that row, by its own clock, for the duration of a lease; if it does not
// change, its process has died and is replaced. A process that cannot send heartbeats, because it is cut off from
// MongoDB, stops trusting its claim, by its own clock, before another can take over.

import { randomUUID } from 'node:crypto'
import { type Db, MongoServerError } from 'mongodb'
import { StoresFault } from '../contract/faults.ts'
import { BEAT_EVERY_MS, LEASE_MS } from '../contract/leases.ts'
import { DUPLICATE_KEY, type Server } from './check.ts'
import { patience } from './patience.ts'

export interface Held {
  readonly holder: string
  readonly beat: number
}

/** The row. Each call is one step, and rejects where the server does not answer. */
export interface AloneRow {
  read(): Promise<Held | null>
  /** Puts it where it is still as it was read; whether it was. */
  take(before: Held | null, after: Held): Promise<boolean>
  /** Whether it is still this holder's. */
  beat(held: Held): Promise<boolean>
  /** Removes it where it is this holder's. */
  leave(holder: string): Promise<void>
}

interface AloneTimes {
  readonly beatEveryMs: number
  /** For how long a row must stand still to be of nobody. */
  readonly silentMs: number
  readonly lookEveryMs: number
  /**
   * So long before it could be taken for dead this process is not sure any more: what it
   * began then has come to its end.
   */
  readonly marginMs: number
}

const TIMES: AloneTimes = { beatEveryMs: BEAT_EVERY_MS, silentMs: LEASE_MS, lookEveryMs: 500, marginMs: 1_500 }

interface Alone {
  /**
   * Whether nobody can have taken over yet. The row stood as the last acknowledged beat left it from when that was sent
   * at the earliest; the successor watches it for `silentMs` after that. So two clocks need only run alike, not
   * agree.
   */
  isSure(): boolean
  /** Lets the next one in at once. Never rejects. */
  leave(): Promise<void>
}

/**
 * Answers once this process is the only one: at once, or after `silentMs` where another one ended without a word.
 * Throws a StoresFault where there is another. Calls `lost` once if another one took over: this one was
 * silent too long.
 */
export async function holdAlone(
  row: AloneRow,
  shown: string,
  lost: (why: string) => void,
  { beatEveryMs, silentMs, lookEveryMs, marginMs }: AloneTimes = TIMES,
): Promise<Alone> {
  const holder = randomUUID()
  let beat = 0
  const before = await untilSilent(row, shown, silentMs, lookEveryMs)
  let sureSinceMs = performance.now()
  if (!(await row.take(before, { holder, beat }))) throw notAlone(shown)
  let beating: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating
      .then(async () => {
        const sentMs = performance.now()
        if (await row.beat({ holder, beat: ++beat })) {
          sureSinceMs = sentMs
          return
        }
        clearInterval(timer)
        sureSinceMs = Number.NEGATIVE_INFINITY
        lost(
          `another process without REDIS_URL has taken over the MongoDB at ${shown}, as this one was silent too long`,
        )
      })
      // Nobody else can beat there either while the server is away.
      .catch(() => {})
  }, beatEveryMs).unref()
  return {
    isSure: () => performance.now() - sureSinceMs < silentMs - marginMs,
    leave: async () => {
      clearInterval(timer)
      await beating
      await row.leave(holder).catch(() => {})
    },
  }
}

/** What stands there and has not changed for as long as that, or null for nothing. */
async function untilSilent(row: AloneRow, shown: string, silentMs: number, everyMs: number): Promise<Held | null> {
  const first = await row.read()
  if (first === null) return null
  const fromMs = performance.now()
  while (performance.now() - fromMs < silentMs) {
    await new Promise((wake) => setTimeout(wake, everyMs))
    const now = await row.read()
    if (now === null) return null
    if (now.holder !== first.holder || now.beat !== first.beat) throw notAlone(shown)
  }
  return first
}

function notAlone(shown: string): StoresFault {
  return new StoresFault(
    `The MongoDB at ${shown} is used by another process, and without REDIS_URL one alone may use it: stop the other one, ` +
      'or set EVENTSTORE_URL and REDIS_URL for both',
  )
}

const ID = 'process'

/** `db` writes by a majority, so that the row outlives a failover. */
export function aloneRow(db: Db, { answerMs }: Server): AloneRow {
  const inTime = patience(answerMs)
  const rows = db.collection<Held & { readonly _id: string }>('alone')
  return {
    async read() {
      const found = await inTime(rows.findOne({ _id: ID }))
      return found === null ? null : { holder: found.holder, beat: found.beat }
    },
    async take(before, after) {
      if (before !== null) {
        const { matchedCount } = await inTime(rows.updateOne({ _id: ID, ...before }, { $set: after }))
        return matchedCount === 1
      }
      try {
        await inTime(rows.insertOne({ _id: ID, ...after }))
        return true
      } catch (failure) {
        if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return false
        throw failure
      }
    },
    async beat({ holder, beat }) {
      return (await inTime(rows.updateOne({ _id: ID, holder }, { $set: { beat } }))).matchedCount === 1
    },
    async leave(holder) {
      await inTime(rows.deleteOne({ _id: ID, holder }))
    },
  }
}
