// Bounds the bodies of requests that wait behind others of their connections: each may take 64 KiB until its request
// starts.

import type { IncomingMessage } from 'node:http'
import { Budget, type BudgetLimits, type Release } from './budget.ts'

/** Returns a function that reserves one body for a request: it returns the release, or null at the limit. */
export function createReserveBody(
  limits: BudgetLimits,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => Release | null {
  const budget = new Budget(limits)
  return (request) => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers
    if (encoding === undefined && length === '0') return () => {}
    const taken = budget.take(addressOf(request))
    return typeof taken === 'string' ? null : taken
  }
}
