// The single-process guard. Without Redis, leases, revocations, rate limits, rooms and secrets live in one process,
// so a second process on the same MongoDB would do harm and is refused. The running process changes a row with each
// heartbeat. A starting process watches that row, by its own clock, for the duration of a lease; if it does not
// change, its process has died and is replaced. A process that cannot send heartbeats, because it is cut off from
// MongoDB, stops trusting its claim, by its own clock, before another can take over.

import { randomUUID } from 'node:crypto'
import { type Db, MongoServerError } from 'mongodb'
import { StoresFault } from '../contract/faults.ts'
import { BEAT_EVERY_MS, LEASE_MS } from '../contract/leases.ts'
import { createCallTimeout } from './call-timeout.ts'
import { DUPLICATE_KEY, type Server } from './check.ts'

export interface GuardClaim {
  readonly holder: string
  readonly beat: number
}

/** The guard row. Each call is atomic, and rejects if the server does not answer. */
export interface GuardRow {
  read(): Promise<GuardClaim | null>
  /** Compare-and-set: replaces `before`; returns whether it matched. */
  take(before: GuardClaim | null, after: GuardClaim): Promise<boolean>
  /** Writes a heartbeat; returns whether the row still belongs to this holder. */
  beat(held: GuardClaim): Promise<boolean>
  /** Removes the row if it belongs to this holder. */
  leave(holder: string): Promise<void>
}

interface AloneTimes {
  readonly heartbeatEveryMs: number
  /** How long a row must stay unchanged for its process to count as dead. */
  readonly silentMs: number
  readonly checkEveryMs: number
  /**
   * This process stops trusting its claim this long before another one could take over, so that its running operations
   * have ended by then.
   */
  readonly marginMs: number
}

const TIMES: AloneTimes = { heartbeatEveryMs: BEAT_EVERY_MS, silentMs: LEASE_MS, checkEveryMs: 500, marginMs: 1_500 }

interface Alone {
  /**
   * Whether no other process can have taken over yet. The last acknowledged heartbeat changed the row no earlier than
   * it was sent, and another process watches the row for `silentMs` after that. So the clocks must run at the same
   * rate, but need not agree.
   */
  isSure(): boolean
  /** Releases the claim, so that the next process can start at once. Never rejects. */
  leave(): Promise<void>
}

/**
 * Resolves when this process is the only one: at once, or after `silentMs` if another one died without releasing its
 * claim. Throws a StoresFault if another one is running. Calls `lost` once if another process takes over because the
 * heartbeats of this one failed for too long.
 */
export async function guardSingleProcess(
  row: GuardRow,
  shown: string,
  lost: (reason: string) => void,
  { heartbeatEveryMs, silentMs, checkEveryMs, marginMs }: AloneTimes = TIMES,
): Promise<Alone> {
  const holder = randomUUID()
  let beat = 0
  const before = await untilSilent(row, shown, silentMs, checkEveryMs)
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
      // No other process can write a heartbeat while the server is unavailable.
      .catch(() => {})
  }, heartbeatEveryMs).unref()
  return {
    isSure: () => performance.now() - sureSinceMs < silentMs - marginMs,
    leave: async () => {
      clearInterval(timer)
      await beating
      await row.leave(holder).catch(() => {})
    },
  }
}

/** Returns the row after it was unchanged for `silentMs`, or null if there is none. */
async function untilSilent(
  row: GuardRow,
  shown: string,
  silentMs: number,
  everyMs: number,
): Promise<GuardClaim | null> {
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
export function guardRow(db: Db, { answerMs }: Server): GuardRow {
  const withCallTimeout = createCallTimeout(answerMs)
  const rows = db.collection<GuardClaim & { readonly _id: string }>('alone')
  return {
    async read() {
      const found = await withCallTimeout(rows.findOne({ _id: ID }))
      return found === null ? null : { holder: found.holder, beat: found.beat }
    },
    async take(before, after) {
      if (before !== null) {
        const { matchedCount } = await withCallTimeout(rows.updateOne({ _id: ID, ...before }, { $set: after }))
        return matchedCount === 1
      }
      try {
        await withCallTimeout(rows.insertOne({ _id: ID, ...after }))
        return true
      } catch (failure) {
        if (failure instanceof MongoServerError && failure.code === DUPLICATE_KEY) return false
        throw failure
      }
    },
    async beat({ holder, beat }) {
      return (await withCallTimeout(rows.updateOne({ _id: ID, holder }, { $set: { beat } }))).matchedCount === 1
    },
    async leave(holder) {
      await withCallTimeout(rows.deleteOne({ _id: ID, holder }))
    },
  }
}
