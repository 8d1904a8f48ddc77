// Keeps the log readable during outages: the first failure of a kind is logged at once, then one line a minute with the
// count.

import { StoreUnavailable } from '../stores/contract/faults.ts'

export const LINE_EVERY_MS = 60_000
/** Maximum number of tracked kinds. Beyond it the oldest is dropped, and its next failure is logged at once. */
const KINDS_MAX = 100
/** Characters of a message that identify its kind: later ones contain times, requests and ports. */
const KIND_CHARACTERS = 40

export interface RepeatedFailures {
  /**
   * Fields for the log line, with the number of failures suppressed since the last one. Null: do not log this failure.
   */
  line(failure: unknown): { readonly repeated?: number } | null
  /** Ends the outage: the next failure is logged at once. Returns whether there had been any. */
  ended(): boolean
}

/** `now`: a monotonic clock in milliseconds. */
export function createRepeatedFailures(now: () => number = () => performance.now()): RepeatedFailures {
  const kinds = new Map<string, { lineMs: number; left: number }>()
  return {
    line(failure) {
      const kind = kindOf(failure)
      const nowMs = now()
      const known = kinds.get(kind)
      if (known !== undefined && nowMs - known.lineMs < LINE_EVERY_MS) {
        known.left++
        return null
      }
      kinds.delete(kind)
      const [oldest] = kinds.keys()
      if (oldest !== undefined && kinds.size >= KINDS_MAX) kinds.delete(oldest)
      kinds.set(kind, { lineMs: nowMs, left: 0 })
      return known === undefined || known.left === 0 ? {} : { repeated: known.left }
    },
    ended() {
      const hadAny = kinds.size > 0
      kinds.clear()
      return hadAny
    },
  }
}

/** What went wrong, as one line for people. */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

/** The message of an unavailable store is enough; any other error is logged with its stack. */
export function failureText(failure: unknown): string {
  if (failure instanceof StoreUnavailable) return failure.message
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}

function kindOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure).slice(0, KIND_CHARACTERS)
  return `${failure.name} ${failure.message.slice(0, KIND_CHARACTERS)}`
}
