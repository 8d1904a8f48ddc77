// Recorded calls that were sent with an Idempotency-Key.

import type { QueryDeps } from './deps.ts'

/** The hash of the call that a command id was recorded with, and the time (ISO 8601); null if it was never used. */
export async function callOf(deps: QueryDeps, command: string): Promise<{ call: string; time: string } | null> {
  const [document] = await deps.views.get(deps.viewKey('commands'), 'commands', [command])
  return document ? { call: String(document.body.call), time: String(document.body.time) } : null
}
