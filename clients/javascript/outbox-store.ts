// The submissions of one player that wait on the device, in order, each with its Idempotency-Key.

import type { PlayerClient } from './player.ts'
import type { NewScore } from './score-shapes.ts'
import { exclusive, itemName, type KeyValueStorage, readJson } from './storage.ts'

export interface QueuedSubmission {
  /** The Idempotency-Key. */
  readonly id: string
  readonly leaderboard: string
  readonly score: NewScore
  /** Unix milliseconds. */
  readonly queued: number
}

export interface StoredSubmission extends QueuedSubmission {
  /** Null before the first sending: nothing can have arrived. */
  readonly sent: {
    /** Unix milliseconds. */
    readonly first: number
    /** Prefix of the API key that it was sent with. */
    readonly key: string
  } | null
}

export interface OutboxStore {
  /** Serialises senders of this player in all tabs. */
  readonly name: string
  all(): Promise<readonly StoredSubmission[]>
  /** Rejects with OutboxFullError, or with what the storage throws. */
  add(submission: StoredSubmission): Promise<void>
  /** False if another tab has removed it. */
  markSent(id: string, sent: NonNullable<StoredSubmission['sent']>): Promise<boolean>
  /** False if another tab has removed it. */
  remove(id: string): Promise<boolean>
}

/** So many submissions wait that no more are kept. */
export class OutboxFullError extends Error {
  constructor() {
    super(`The outbox holds ${MAX_SUBMISSIONS} submissions; no more are kept until some are sent.`)
    this.name = 'OutboxFullError'
  }
}

const MAX_SUBMISSIONS = 1_000

export function outboxStore({ context, player }: PlayerClient, storage: KeyValueStorage): OutboxStore {
  const name = itemName(context.baseUrl, context.game, 'outbox', player.id)
  const all = async () => {
    const found = await readJson(storage, name)
    return Array.isArray(found) ? found.filter(isStored) : []
  }
  /** Reads and writes without another tab in between. */
  const change = <Result>(by: (stored: StoredSubmission[]) => { keep: StoredSubmission[] | null; result: Result }) =>
    exclusive(`${name} item`, async () => {
      const { keep, result } = by(await all())
      if (keep?.length === 0) await storage.removeItem(name)
      else if (keep !== null) await storage.setItem(name, JSON.stringify(keep))
      return result
    })
  return {
    name,
    all,
    add: (submission) =>
      change((stored) => {
        if (stored.length >= MAX_SUBMISSIONS) throw new OutboxFullError()
        return { keep: [...stored, submission], result: undefined }
      }),
    markSent: (id, sent) =>
      change((stored) => {
        const isThere = stored.some((one) => one.id === id)
        return { keep: isThere ? stored.map((one) => (one.id === id ? { ...one, sent } : one)) : null, result: isThere }
      }),
    remove: (id) =>
      change((stored) => {
        const keep = stored.filter((one) => one.id !== id)
        return { keep: keep.length < stored.length ? keep : null, result: keep.length < stored.length }
      }),
  }
}

function isStored(value: unknown): value is StoredSubmission {
  const { id, leaderboard, score, sent } = (value ?? {}) as Partial<StoredSubmission>
  const isSentOrNot = sent === null || (typeof sent?.first === 'number' && typeof sent.key === 'string')
  return typeof id === 'string' && typeof leaderboard === 'string' && typeof score === 'object' && isSentOrNot
}
