// Commands of operator keys: issue one, and revoke one but the last.

import { Refusal } from '../domain/decider.ts'
import { type Key, type KeyAlgorithm, key, keyStream } from '../domain/key.ts'
import {
  listRevocation,
  OPERATOR_KEYS_MAX,
  OPERATOR_REVOCATIONS_STREAM,
  operatorRevocations,
} from '../domain/operator-keys.ts'
import { OPERATOR_PERMISSION } from '../domain/permissions.ts'
import { type CommandContext, childContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { type IssuedKey, issue, revoke } from './key.ts'
import { loadState } from './load-state.ts'

export interface NewOperatorKey {
  readonly name: string
  readonly algorithm: KeyAlgorithm
  readonly publicKey: string | undefined
}

/** Prefixes of the operator keys that the views show as not revoked. */
export type LiveOperatorKeys = () => Promise<readonly string[]>

/** 422 `too_many_keys`, by what the views show. */
export async function issueOperatorKey(
  deps: CommandDeps,
  fresh: NewOperatorKey,
  liveKeys: LiveOperatorKeys,
  context: CommandContext,
): Promise<IssuedKey> {
  if (!context.repeated && (await liveKeys()).length >= OPERATOR_KEYS_MAX) {
    const detail = `There is the maximum of ${OPERATOR_KEYS_MAX} operator keys. Revoke one that you do not need.`
    throw new Refusal('unprocessable', 'too_many_keys', detail, { limit: OPERATOR_KEYS_MAX })
  }
  return issue(deps, { ...fresh, game: null, kind: 'server', permissions: [OPERATOR_PERMISSION] }, context)
}

/**
 * 404 `key_not_found`; 409 `last_operator_key`. Of the other keys only those count that the log says are still valid.
 * After a crash between its two events, a repeat completes it. Publishes the revocation to all nodes before it
 * resolves.
 */
export async function revokeOperatorKey(
  deps: CommandDeps,
  prefix: string,
  liveKeys: LiveOperatorKeys,
  context: CommandContext,
) {
  const found = await stateOf(deps, prefix)
  if (found === null || found.game !== null) throw new Refusal('not_found', 'key_not_found', 'There is no such key.')
  if (!found.revoked) {
    const others = (await liveKeys()).filter((other) => other !== prefix)
    const states = await Promise.all(others.map((other) => stateOf(deps, other)))
    const live = others.filter((_, n) => states[n]?.revoked === false)
    const about = { stream: OPERATOR_REVOCATIONS_STREAM, game: null }
    await deps.handler.handle(operatorRevocations, about, childContext(context, 'list'), listRevocation(prefix, live))
  }
  return revoke(deps, prefix, null, context)
}

const stateOf = (deps: CommandDeps, prefix: string): Promise<Key | null> => loadState(deps, key, keyStream(prefix))
