// One stream lists the operator keys whose revocation was decided, so that of concurrent revocations one key is left.
// The key's own stream then records that it is revoked.

import { Set as ImmutableSet } from 'immutable'
import { type Aggregate, type Decision, Refusal } from './decider.ts'
import { deletionsStream } from './deleted-games.ts'

export const OPERATOR_REVOCATIONS_STREAM = deletionsStream('operators')

/** Operator keys that are not revoked. */
export const OPERATOR_KEYS_MAX = 100

export interface OperatorKeyEvent {
  readonly type: 'OperatorKeyRevocationListed'
  /** The prefix. */
  readonly data: { readonly key: string }
}

type Listed = ImmutableSet<string>

export const operatorRevocations: Aggregate<Listed, OperatorKeyEvent> = {
  name: 'revocations of operator keys',
  initial: ImmutableSet(),
  evolve: (listed, event) => (event.type === 'OperatorKeyRevocationListed' ? listed.add(event.data.key) : listed),
  size: ({ size }) => size,
}

/** 409 `last_operator_key` unless one of the `others`, keys that the log does not say are revoked, is not listed. */
export function listRevocation(key: string, others: readonly string[]): Decision<Listed, OperatorKeyEvent> {
  return (listed) => {
    if (listed.has(key)) return []
    if (others.every((other) => listed.has(other))) throw lastOperatorKey()
    return [{ type: 'OperatorKeyRevocationListed', data: { key } }]
  }
}

function lastOperatorKey(): Refusal {
  const detail =
    'This is the last operator key: without it nobody could manage the games. Make another operator key, then revoke this one.'
  return new Refusal('conflict', 'last_operator_key', detail)
}
