// Who wants something done, and the ids and secrets that doing it may make. With an Idempotency-Key they follow from
// the key, so a repeated call makes the same ones; without, they are random.

import type { Tally } from './count-recorded.ts'

/** Ids and secrets for one command. The same purpose gives the same value within one intent. */
export interface IdGenerator {
  /** 24 characters of a–z and 2–7: 120 bits. */
  id(purpose: string): string
  /** 32 bytes. */
  secret(purpose: string): Uint8Array
}

export interface CommandContext {
  /** The command's id, a UUID: the same for every repetition of a call with the same Idempotency-Key. */
  readonly command: string
  /** Hash of the call where an Idempotency-Key was sent, else null: then nothing is remembered. */
  readonly call: string | null
  /**
   * True where this very call is known to have been recorded already: what it took away
   * is then no longer there to find.
   */
  readonly repeated: boolean
  /** Prefix of the API key that asks; null where the service itself acts. */
  readonly actor: string | null
  readonly request: string | null
  /** Unix milliseconds. */
  readonly nowMs: number
  readonly generator: IdGenerator
  /** Counts what is recorded for this call, where that is limited. */
  readonly tally?: Tally
}

/** Where a write went: what a consistency token says, and what a read after it waits for. */
export interface CommitPosition {
  readonly game: string | null
  readonly position: string
}

/**
 * Whether the views have come to a write, which is waited for at most so long; true at once
 * for null: nothing was written.
 */
export type WaitForProjection = (written: CommitPosition | null, timeoutMs: number) => Promise<boolean>

/** On behalf of a call, with nothing of its own to be answered again. */
export const besides = (context: CommandContext): CommandContext => ({ ...context, call: null })
