// Keeps the log readable while a server is away: of failures of one kind the first has a line at once, and from then on one line
// a minute gives their number.

import { StoreAway } from '../stores/contract/faults.ts'

export const LINE_EVERY_MS = 60_000
/** Kinds of failures that are kept separately; the oldest is forgotten first, and then has a line at once. */
const KINDS_MAX = 100
/** Of a message: what follows names times, requests and ports. */
const KIND_CHARACTERS = 40

export interface RepeatedFailures {
  /** What to add to the line of a failure: how many had none since the last line. Null where it has no line either. */
  line(failure: unknown): { readonly repeated?: number } | null
  /** The next failure is a change of state again. Answers whether there was one since. */
  ended(): boolean
}

/** `now` is milliseconds of any clock that does not go back. */
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

/** The message of a store that is away says all; anything else is a fault of ours, and its stack is needed. */
export function failureText(failure: unknown): string {
  if (failure instanceof StoreAway) return failure.message
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}

function kindOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure).slice(0, KIND_CHARACTERS)
  return `${failure.name} ${failure.message.slice(0, KIND_CHARACTERS)}`
}
