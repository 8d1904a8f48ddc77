// One request at a time sends the bytes of an upload, on all nodes. A request whose sender has stopped sending gives up
// its lock, so that another one may take over; it takes the lock again if its bytes arrive first.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import { ClaimsFull } from '../../stores/contract/faults.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import { HttpRefusal } from '../problem.ts'

/** Another request may take over an upload of which no byte has arrived for this long, although this one reads. */
export const STILL_MS = 5_000
/** Checks of the arrived bytes per STILL_MS. */
const LOOKS = 20
/** How long a lock outlives a process that was killed. */
const LOCK_MS = 7_500
/** Renewals of a lock per LOCK_MS. */
const RENEWALS = 5

/** What a request with the lock of its upload may do. */
export interface UploadLock {
  /** Aborts, with the refusal as its reason, when another request has taken over. */
  readonly lost: AbortSignal
  /** Rejects with the same refusal unless this request still has the lock, or can take it again. */
  confirm(): Promise<void>
}

interface LockDeps {
  /** The locks of all nodes. */
  readonly locks: Pick<Transient, 'lock' | 'unlock'>
  /** In place of STILL_MS. */
  readonly stillMs?: number
}

/** Runs `run` with the lock. Throws 409 `upload_running` if another request has it. */
export async function withUploadLock<T>(
  { locks, stillMs = STILL_MS }: LockDeps,
  upload: string,
  request: IncomingMessage,
  run: (lock: UploadLock) => Promise<T>,
): Promise<T> {
  const owner = randomUUID()
  const key = `upload:${upload}`
  const lock = () => locks.lock(key, owner, LOCK_MS)
  const unlock = () => locks.unlock(key, owner)
  if (!(await lock().catch(refuseFull))) throw uploadRunning(stillMs)
  const lost = new AbortController()
  const watch = setInterval(watchSender(request, { lock, unlock, lost, stillMs }), stillMs / LOOKS)
  try {
    return await run({
      lost: lost.signal,
      async confirm() {
        if (!(await lock())) throw takenOver()
      },
    })
  } finally {
    clearInterval(watch)
    // A lock that cannot be released ends by itself.
    await unlock().catch(() => {})
  }
}

interface Watching {
  lock(): Promise<boolean>
  unlock(): Promise<boolean>
  readonly lost: AbortController
  readonly stillMs: number
}

/**
 * Returns the look at the sender: renews the lock while bytes arrive or none are missing, and gives it up while they
 * have stopped.
 */
function watchSender(request: IncomingMessage, { lock, unlock, lost, stillMs }: Watching): () => void {
  let received = request.socket.bytesRead
  let lookedMs = performance.now()
  let quietMs = 0
  let lockedMs = lookedMs
  let isGivenUp = false
  let isAsking = false
  return () => {
    const nowMs = performance.now()
    const { bytesRead } = request.socket
    // Before the store reads, and while it is slower than the sender, the sender cannot be blamed.
    const isQuiet = bytesRead === received && !request.complete && request.readableFlowing === true
    // A late look counts as one: this process was busy or suspended, and what has arrived is not read yet.
    quietMs = isQuiet ? quietMs + Math.min(nowMs - lookedMs, (2 * stillMs) / LOOKS) : 0
    received = bytesRead
    lookedMs = nowMs
    const isStill = quietMs >= stillMs
    if (isAsking || lost.signal.aborted) return
    if (!isStill && !isGivenUp && nowMs - lockedMs < LOCK_MS / RENEWALS) return
    isAsking = true
    isGivenUp = isStill
    lockedMs = nowMs
    // While the store does not answer, nobody can take over.
    ;(isStill ? unlock() : lock())
      .then(
        (isMine) => isMine || lost.abort(takenOver()),
        () => {},
      )
      .finally(() => {
        isAsking = false
      })
  }
}

const MAX_RETRY_AFTER_S = 5

function refuseFull(error: unknown): never {
  if (!(error instanceof ClaimsFull)) throw error
  const detail = 'Too many uploads are running. Nothing was stored. Send the bytes again after Retry-After.'
  throw Object.assign(new Refusal('unavailable', 'busy', detail, { retry_after: MAX_RETRY_AFTER_S }), { cause: error })
}

function uploadRunning(stillMs: number): HttpRefusal {
  const detail =
    'Another request is sending the bytes of this upload. Send them again after Retry-After: if no byte has arrived ' +
    `there for ${STILL_MS / 1_000} seconds, yours take over.`
  return new HttpRefusal(409, 'upload_running', detail, { 'Retry-After': String(Math.ceil(stillMs / 1_000)) })
}

/** Its sender sees a closed connection instead. */
const takenOver = () => new HttpRefusal(409, 'upload_running', 'Another request has taken over this upload.')
