// Repeats the access check of a long answer, with the token of the call.

import { tokenIn } from '../pipeline/headers.ts'
import type { Call } from '../route.ts'
import type { RouteDeps } from './deps.ts'

export function accessRecheck(
  deps: Pick<RouteDeps, 'mayStill'>,
  call: Pick<Call, 'header'>,
  permission: string,
): () => Promise<boolean> {
  const token = tokenIn(call.header('authorization')) ?? ''
  return () => deps.mayStill(token, permission)
}
