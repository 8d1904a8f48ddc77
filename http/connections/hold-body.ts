// Bounds the bodies of requests that wait behind others of their connections: each may take 64 KiB until its request starts.

import type { IncomingMessage } from 'node:http'
import { Budget, type BudgetLimits } from './budget.ts'

/** Takes a place for a body until its request closes; false where its network address or the process has none. */
export function createHoldBody(
  limits: BudgetLimits,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => boolean {
  const budget = new Budget(limits)
  return (request) => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers
    if (encoding === undefined && length === '0') return true
    const taken = budget.take(addressOf(request))
    if (typeof taken === 'string') return false
    request.once('close', taken)
    return true
  }
}
