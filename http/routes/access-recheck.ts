// Whether a caller may still have what takes long to tell: asked again with the token
// they came with, as for a new call.

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
