// The lock on a backup destination in S3: an object that its holder replaces at intervals, by conditional writes. No
// clocks are compared: a process that finds a lock watches, on its own monotonic clock, whether the holder replaces it.

import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { BackupFault, type DestinationLock } from './destination.ts'

/**
 * A lock that is not renewed for this time has a holder that was killed or suspended: another process takes it over.
 */
const TAKEN_OVER_AFTER_MS = 60_000
/**
 * How long a holder relies on the lock after it sent a renewal. A write that began in this time ends before a
 * take-over.
 */
const VALID_MS = TAKEN_OVER_AFTER_MS / 2
const RENEWED_EVERY_MS = 10_000
const WATCHED_EVERY_MS = 1_000

type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string }

export interface LockObject {
  /** The destination, for messages. */
  readonly shown: string
  /** Writes it with new content; returns false if the condition does not hold. */
  putIf(condition: Condition, holder: string): Promise<boolean>
  /** Null if there is none. `holder`: null if the object is no lock. */
  read(): Promise<{ readonly etag: string; readonly holder: string | null } | null>
  remove(): Promise<void>
}

export interface LockClock {
  /** Monotonic milliseconds. */
  now(): number
  pause(ms: number): Promise<unknown>
  /** Returns how to stop it. */
  every(ms: number, run: () => void): () => void
}

const CLOCK: LockClock = {
  now: () => performance.now(),
  pause: (ms) => setTimeout(ms),
  every(ms, run) {
    const timer = setInterval(run, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

export interface LockOptions {
  /** Gets the milliseconds that it may wait for a lock that it found. */
  readonly onWait?: (ms: number) => void
  /** For tests. */
  readonly clock?: LockClock
}

/** Throws BackupFault if another process has the lock, or if the store does not support the conditions. */
export async function takeS3Lock(
  object: LockObject,
  { onWait = () => {}, clock = CLOCK }: LockOptions = {},
): Promise<DestinationLock> {
  const holder = randomBytes(12).toString('hex')
  const isTaken =
    (await isWritten(object, { IfNoneMatch: '*' }, holder)) || (await takeOver(object, holder, onWait, clock))
  if (!isTaken) {
    throw new BackupFault(`Another backup, verification or restore is using ${object.shown}. Wait until it has ended.`)
  }
  await requireConditions(object, holder)
  const lock = heldLock(object, holder, clock)
  await lock.confirm().catch(async (failure: unknown) => {
    await lock.release().catch(() => {})
    throw failure
  })
  return lock
}

/** If the answer to a write is lost, the store refuses the retry, although the first try has written the object. */
async function isWritten(object: LockObject, condition: Condition, holder: string): Promise<boolean> {
  if (await object.putIf(condition, holder)) return true
  const found = await object.read()
  return found?.holder === holder && !('IfMatch' in condition && condition.IfMatch === found.etag)
}

/** Returns whether it got the lock: not if the lock is replaced while it watches. */
async function takeOver(
  object: LockObject,
  holder: string,
  onWait: (ms: number) => void,
  { now, pause }: LockClock,
): Promise<boolean> {
  const found = await object.read()
  const sinceMs = now()
  if (found?.holder === null) throw notLock(object)
  if (found !== null) onWait(TAKEN_OVER_AFTER_MS)
  for (let seen = found; seen !== null; seen = await object.read()) {
    if (seen.etag !== found?.etag) return false
    if (now() - sinceMs >= TAKEN_OVER_AFTER_MS) return isWritten(object, { IfMatch: seen.etag }, holder)
    await pause(WATCHED_EVERY_MS)
  }
  // It was released.
  return isWritten(object, { IfNoneMatch: '*' }, holder)
}

const notLock = ({ shown }: LockObject) =>
  new BackupFault(
    `The object lock in ${shown} is not the lock of a backup. Nothing was read or written. ` +
      'Remove it if nothing else uses it, or use another prefix.',
  )

/** The ETag of no object. */
const NO_ETAG = '"00000000000000000000000000000000"'

/** A store that does not support a condition ignores it: then two processes would both get the lock. */
async function requireConditions(object: LockObject, holder: string): Promise<void> {
  for (const condition of [{ IfNoneMatch: '*' }, { IfMatch: NO_ETAG }] as const) {
    if (!(await object.putIf(condition, holder))) continue
    await object.remove()
    throw conditionsUnsupported(object.shown)
  }
}

export const conditionsUnsupported = (shown: string): BackupFault =>
  new BackupFault(
    `The S3 store of ${shown} does not support If-None-Match and If-Match on PUT, which the lock on a backup destination needs. ` +
      'Use a store, or a version of it, that supports both.',
  )

/** Renews the lock until it is released. */
function heldLock(object: LockObject, holder: string, clock: LockClock): DestinationLock {
  let validUntilMs = Number.NEGATIVE_INFINITY
  let isLost = false
  let renewing: Promise<void> = Promise.resolve()

  /** Reads the ETag each time, because the answer to an earlier renewal may have been lost. */
  async function renewNow(): Promise<void> {
    if (isLost) return
    const sentMs = clock.now()
    const found = await object.read()
    if (found?.holder === holder && (await isWritten(object, { IfMatch: found.etag }, holder))) {
      validUntilMs = sentMs + VALID_MS
    } else if ((await object.read())?.holder !== holder) isLost = true
  }

  function renew(): Promise<void> {
    const own = renewing.then(renewNow)
    // After a failure the next renewal tries again; `check` refuses a lock that was not renewed for too long.
    renewing = own.catch(() => {})
    return own
  }

  function check(): void {
    if (!isLost && clock.now() < validUntilMs) return
    throw new BackupFault(
      'The lock of the backup destination was lost: this process was suspended, or S3 did not answer.',
    )
  }

  const stop = clock.every(RENEWED_EVERY_MS, () => void renew().catch(() => {}))
  return {
    check,
    async confirm() {
      await renew()
      check()
    },
    async release() {
      stop()
      // A process that was suspended does not know yet whether its lock was taken over: it must not remove another
      // one's.
      await renew()
      if (!isLost) await object.remove()
    },
  }
}
