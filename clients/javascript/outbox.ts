// Submissions that survive a lost network and a closed page: each is stored with its Idempotency-Key before it is sent,
// sent in order, and counts once. What the server refuses, and what became of a submission too long ago to know, is
// reported.

import { type OutboxStore, outboxStore, type QueuedSubmission, type StoredSubmission } from './outbox-store.ts'
import type { PlayerClient } from './player.ts'
import { ProblemError, Unreachable } from './problem.ts'
import type { NewScore, SubmittedScore } from './score-shapes.ts'
import { exclusive, type KeyValueStorage } from './storage.ts'

export type { QueuedSubmission } from './outbox-store.ts'
export { OutboxFullError } from './outbox-store.ts'

export interface OutboxOptions {
  /** Default: the storage of the player's client. */
  readonly storage?: KeyValueStorage
  /** Recorded; of several tabs, the one that sends calls its own. */
  readonly onSent?: (submission: QueuedSubmission, score: SubmittedScore) => void
  /** The server refuses it, for good. */
  readonly onRefused?: (submission: QueuedSubmission, problem: ProblemError) => void
  /**
   * It was sent, the answer is unknown, and it can no longer be repeated safely: the player's scores show whether it
   * counts.
   */
  readonly onUnknown?: (submission: QueuedSubmission) => void
}

export interface Outbox {
  /** Resolves when it is stored; it is sent as soon as the server can be reached. Rejects if it cannot be stored. */
  submit(leaderboard: string, score: NewScore): Promise<QueuedSubmission>
  /**
   * Sends what waits, now. Resolves with how many wait still, because the server cannot be reached or is busy. Rejects
   * with ProblemError if the player can no longer sign in; the submissions stay.
   */
  flush(): Promise<{ readonly waiting: number }>
  /** Stops sending by itself. Nothing is lost: the next outbox of this player sends what waits. */
  close(): void
}

/** The server remembers an Idempotency-Key for 48 hours; this leaves one for clocks and slow calls. */
const REPEATED_FOR_MS = 47 * 3_600_000
/** Clocks are set back by a little now and then. If by more, the age of a submission is unknown. */
const SET_BACK_MS = 60_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** The longest wait that the server can ask for. */
const LONGEST_ASKED_MS = 3_600_000

/**
 * Keeps submissions until they have been sent: each is stored before it is sent, sent in order, and counts once. One
 * outbox of a player runs at a time; tabs that share a storage take turns.
 */
export function createOutbox(player: PlayerClient, options: OutboxOptions = {}): Outbox {
  const store = outboxStore(player, options.storage ?? player.context.storage)
  const runs = repeatedRuns(store.name, sending(player, store, options))
  runs.begin()
  return {
    async submit(leaderboard, score) {
      const queued = { id: crypto.randomUUID(), leaderboard, score, queued: player.context.now() }
      await store.add({ ...queued, sent: null })
      runs.begin()
      return queued
    },
    async flush() {
      try {
        await runs.now()
      } catch (failure) {
        if (!isPassing(failure)) throw failure
      }
      return { waiting: (await store.all()).length }
    },
    close: () => runs.stop(),
  }
}

interface Runs {
  /** A run in the background, unless the last one has failed: then the timer decides. */
  begin(): void
  /** Rejects if the run could not send everything. */
  now(): Promise<void>
  stop(): void
}

/**
 * One run after the other, also of other tabs; after a failure again, with growing delays and when the network is back.
 */
function repeatedRuns(name: string, send: () => Promise<void>): Runs {
  let isStopped = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const result = last.then(() => exclusive(name, send))
    last = result.then(() => {
      failures = 0
    }, wait)
    return result
  }
  function wait(failure: unknown): void {
    if (isStopped || timer !== undefined) return
    const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.5 + Math.random() / 2)
    const asked = failure instanceof ProblemError ? Number(failure.fields.retry_after ?? 0) * 1_000 : 0
    timer = setTimeout(background, Math.min(Math.max(backoffMs, asked), LONGEST_ASKED_MS))
    // A program may end while submissions wait: they are stored.
    const node: { unref?(): void } = Object(timer)
    node.unref?.()
  }
  const background = () => void run().catch(() => {})
  const online = () => {
    failures = 0
    background()
  }
  const events = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
  events.addEventListener?.('online', online)
  return {
    begin: () => {
      if (timer === undefined && !isStopped) background()
    },
    now: run,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      events.removeEventListener?.('online', online)
    },
  }
}

/** Sends everything that is stored. Rejects at the first submission that must be repeated later. */
function sending(player: PlayerClient, store: OutboxStore, options: OutboxOptions): () => Promise<void> {
  const { now, keyPrefix } = player.context
  let isReached = false

  async function send(submission: StoredSubmission): Promise<void> {
    const { id, leaderboard, score, queued, sent } = submission
    const about = { id, leaderboard, score, queued }
    if (sent !== null && !mayRepeat(sent)) {
      if (await store.remove(id)) report(() => options.onUnknown?.(about))
      return
    }
    if (sent === null) {
      // A read first: a device without a network has then sent nothing, and the submission does not expire.
      if (!isReached) await reach()
      if (!(await store.markSent(id, { first: now(), key: keyPrefix }))) return
    }
    try {
      const answer = await player.submit(leaderboard, score, { idempotencyKey: id, retries: false })
      isReached = true
      if (await store.remove(id)) report(() => options.onSent?.(about, answer))
    } catch (failure) {
      isReached = !(failure instanceof Unreachable)
      if (!(failure instanceof ProblemError) || isPassing(failure) || failure.status === 401) throw failure
      if (!(await store.remove(id))) return
      // The server has forgotten the key, and does not execute the call again.
      if (failure.code === 'idempotency_key_reused') report(() => options.onUnknown?.(about))
      else report(() => options.onRefused?.(about, failure))
    }
  }
  async function reach(): Promise<void> {
    try {
      await player.me({ retries: false })
    } catch (failure) {
      // A refusal, such as a ban, is reported by the submission. Without a session nothing can be sent.
      if (isPassing(failure) || !(failure instanceof ProblemError) || failure.status === 401) throw failure
    }
    isReached = true
  }
  function mayRepeat({ first, key }: NonNullable<StoredSubmission['sent']>): boolean {
    const ageMs = now() - first
    return key === keyPrefix && ageMs < REPEATED_FOR_MS && ageMs > -SET_BACK_MS
  }
  return async () => {
    for (;;) {
      const [next] = await store.all()
      if (next === undefined) return
      await send(next)
    }
  }
}

/**
 * Whether a repetition may succeed. Something between here and the server, such as a captive portal, answers without a
 * code.
 */
function isPassing(failure: unknown): boolean {
  if (!(failure instanceof ProblemError)) return failure instanceof Unreachable
  const { status, code } = failure
  if (code === 'no_problem_document' || code === 'idempotency_in_progress') return true
  return status === 408 || status === 429 || status >= 500
}

/** An error of a callback must not stop the outbox. */
function report(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    console.error(error)
  }
}
