// Idempotency-Key: calls with the same key run one at a time, and a different call with the same key is refused. The
// write path makes repeats harmless: the command id and all generated ids are derived from the key.

import canonicalize from 'canonicalize'
import { CALLS_REMEMBERED_MS, keyReused } from '../../commands/calls.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { CommandIds } from '../../credentials/command-ids.ts'
import { Refusal } from '../../domain/decider.ts'
import type { RecordedCall } from '../../queries/call.ts'
import { ClaimsFull } from '../../stores/contract/faults.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import type { Caller } from '../route.ts'

/**
 * After this time a call counts as crashed and its key may run again; longer than any live call takes. If the first
 * call does resume, optimistic concurrency on the stream lets only one of the two take effect.
 */
const IN_PROGRESS_MS = 15_000
/** By then live calls have released their markers. */
const FULL_RETRY_S = 5

export interface CommandContexts {
  /** Command id and generator derived from (API key, player, Idempotency-Key); the caller is null on open routes. */
  keyed(caller: Caller | null, idempotencyKey: string): CommandIds
  fresh(): CommandIds
  /**
   * HMAC under a key derived from the root secret: a plain hash of a body with a password could be brute-forced.
   */
  callHash(call: string): string
}

export interface IdempotencyDeps {
  readonly contexts: CommandContexts
  readonly transient: Transient
  /** The call that was recorded for a command id; null if the id is unknown. */
  commandSeen(command: string): Promise<RecordedCall | null>
}

export interface KeyedCall {
  readonly caller: Caller | null
  readonly key: string | null
  /** Method, route, the path parameters as they were sent, and the validated query and body. */
  readonly meaning: readonly unknown[]
  readonly requestId: string
  readonly nowMs: number
}

/**
 * Runs the call under its key, with what is recorded of an earlier call if it is a repeat. Throws 409
 * `idempotency_in_progress`, 422 `idempotency_key_reused`, and 503 `busy` where too many calls with a key are running.
 */
export async function runOnce<Result>(
  deps: IdempotencyDeps,
  call: KeyedCall,
  run: (context: CommandContext, recorded: RecordedCall | null) => Promise<Result>,
): Promise<Result> {
  if (call.key === null) return run(unkeyed(deps, call), null)
  const { context, recorded, release } = await claimed(deps, call, call.key)
  try {
    return await run(context, recorded)
  } finally {
    await release()
  }
}

/** The context of a call without a key. */
export const unkeyed = ({ contexts }: Pick<IdempotencyDeps, 'contexts'>, call: KeyedCall): CommandContext =>
  contextOf(call, contexts.fresh(), null, false)

/** A call that runs under its key until it is released. */
interface ClaimedCall {
  readonly context: CommandContext
  readonly recorded: RecordedCall | null
  /** Never rejects. */
  release(): Promise<void>
}

/** Begins a call under its key. Throws as `runOnce`, and the key is released then. */
export async function claimed(deps: IdempotencyDeps, call: KeyedCall, key: string): Promise<ClaimedCall> {
  const { requestId: request, nowMs } = call
  const ids = deps.contexts.keyed(call.caller, key)
  const { command } = ids
  const hash = deps.contexts.callHash(canonicalize(call.meaning) ?? '')
  const markerKey = `call:${command}`
  if (!(await deps.transient.claim(markerKey, request, nowMs, nowMs + IN_PROGRESS_MS).catch(refuseFull))) {
    const detail = 'A call or submission with this idempotency key is still running. Wait a moment and send it again.'
    throw new Refusal('conflict', 'idempotency_in_progress', detail)
  }
  // A marker that cannot be released expires by itself; the answer is valid either way.
  const release = () => deps.transient.release(markerKey, request).catch(() => {})
  try {
    const recorded = await deps.commandSeen(command)
    if (recorded !== null) checkRecorded(recorded, hash, nowMs)
    return { context: contextOf(call, ids, hash, recorded !== null), recorded, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Throws 422 `idempotency_key_reused` unless this call may repeat the recorded one. */
function checkRecorded({ call, time }: RecordedCall, hash: string, nowMs: number): void {
  if (call !== hash) throw keyReused()
  if (Date.parse(time) >= nowMs - CALLS_REMEMBERED_MS) return
  const detail =
    'This idempotency key was used more than 48 hours ago. Use a new one if the call shall take effect again.'
  throw new Refusal('unprocessable', 'idempotency_key_reused', detail)
}

function contextOf(
  { caller, requestId: request, nowMs }: KeyedCall,
  { command, generator }: CommandIds,
  call: string | null,
  repeated: boolean,
): CommandContext {
  const actor = caller === null ? null : caller.key
  // With all optional fields: a spread that adds a field is many times slower than one that replaces it.
  return { command, generator, call, repeated, actor, request, nowMs, notBefore: undefined, usage: undefined }
}

function refuseFull(error: unknown): never {
  if (!(error instanceof ClaimsFull)) throw error
  const detail =
    'Too many calls with an Idempotency-Key are running. Nothing was done. Send it again after Retry-After, with the ' +
    'same key.'
  throw Object.assign(new Refusal('unavailable', 'busy', detail, { retry_after: FULL_RETRY_S }), { cause: error })
}
