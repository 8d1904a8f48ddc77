// The calls with an Idempotency-Key that a stream has recorded, for as long as a key is remembered. It finds repeats of
// a call to the same stream, also before the views have it; a key that was used on another stream, or too long ago, is
// found by the view in projections/commands.ts.

import { Refusal } from '../domain/decider.ts'
import type { EventMeta } from '../domain/event.ts'

/** How long a call with an Idempotency-Key is remembered. */
export const CALLS_REMEMBERED_MS = 48 * 60 * 60 * 1000

/** 422 for a key that another call, or another submission of a list, has used. */
export const keyReused = (): Refusal =>
  new Refusal(
    'unprocessable',
    'idempotency_key_reused',
    'This idempotency key was used for another submission or call. Use a new one.',
  )

export class Calls {
  /**
   * Command id -> hash of its call, and time of its events; oldest first. Made with the first call, because most of the
   * many streams in memory have none.
   */
  #calls: Map<string, { readonly call: string; readonly timeMs: number }> | null = null

  get size(): number {
    return this.#calls?.size ?? 0
  }

  /** The hash of the call that recorded a command, if still remembered. */
  get(command: string): string | undefined {
    return this.#calls?.get(command)?.call
  }

  /** `nowMs`: by the clock of this node. An event dated after it does not make us forget earlier calls. */
  note({ command, call, time }: EventMeta, nowMs: number): void {
    if (call === undefined || this.#calls?.has(command)) return
    this.#calls ??= new Map()
    const timeMs = Date.parse(time)
    this.#calls.set(command, { call, timeMs })
    for (const [oldest, stored] of this.#calls) {
      if (stored.timeMs >= Math.min(timeMs, nowMs) - CALLS_REMEMBERED_MS) return
      this.#calls.delete(oldest)
    }
  }
}
