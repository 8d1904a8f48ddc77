// The caller of a command, its time, and a generator for new ids and secrets. With an Idempotency-Key they are derived
// from the key, so that a repeated call generates the same ones; without a key they are random.

import { hash } from 'node:crypto'
import { uuidOf } from '../credentials/text.ts'
import type { RecordedCall } from '../queries/call.ts'
import type { CallUsage } from './count-recorded.ts'

/** Generates ids and secrets for one command. The same purpose gives the same value. */
export interface IdGenerator {
  /** 24 characters of a–z and 2–7: 120 bits. */
  id(purpose: string): string
  /** 32 bytes. */
  secret(purpose: string): Uint8Array
}

export interface CommandContext {
  /** The command's id, a UUID; the same for all calls with the same Idempotency-Key. */
  readonly command: string
  /** Hash of the call if it has an Idempotency-Key; null: the command is not remembered. */
  readonly call: string | null
  /** True if this call is known to be recorded already: what it deleted then no longer exists. */
  readonly repeated: boolean
  /** Prefix of the caller's API key; null if the service itself acts. */
  readonly actor: string | null
  readonly request: string | null
  /** By the clock of this node, Unix milliseconds. */
  readonly nowMs: number
  /**
   * Time of what the command follows in another stream: its events are not earlier, within the bound of `eventTime`.
   */
  readonly notBefore?: string | undefined
  readonly generator: IdGenerator
  /** Counts the bytes recorded for this call, if they are limited. */
  readonly usage?: CallUsage | undefined
}

/** A part of a call, which runs under a key of its own until it is ended. */
export interface BegunPart {
  readonly context: CommandContext
  /** What is recorded of an earlier call with its key; null: nothing. */
  readonly recorded: RecordedCall | null
  /** Call it once, when the part is recorded or refused. Never throws or rejects. */
  end(): Promise<void> | undefined
}

/**
 * The position after which a command's events are in the log. A consistency token contains it, and a read waits for it.
 */
export interface CommitPosition {
  readonly game: string | null
  readonly position: string
}

/** How long a call waits until the views have applied a write; after that, it is answered without them. */
export const BEHIND_AFTER_MS = 2_000

/** Resolves to true once the views have applied a write, or to false after `timeoutMs`; true at once for null. */
export type WaitForProjection = (written: CommitPosition | null, timeoutMs: number) => Promise<boolean>

/** The same context for a command that a repeated call may safely handle again, so that it is not remembered. */
export const withoutIdempotencyKey = (context: CommandContext): CommandContext => ({ ...context, call: null })

// The context of a command that is one step of another command. It has its own id, so that two steps on one stream do
// not record the same events, and the caller's Idempotency-Key does not remember it.

export function childContext(context: CommandContext, step: string): CommandContext {
  return { ...context, command: uuidOf(hash('sha256', `${context.command}/${step}`)), call: null, repeated: false }
}
