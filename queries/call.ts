// Calls sent with an Idempotency-Key that were recorded.

import type { QueryDeps } from './deps.ts'

/** The hash of the call that a command was recorded with and when (ISO 8601), or null where it never was. */
export async function callOf(deps: QueryDeps, command: string): Promise<{ call: string; time: string } | null> {
  const [document] = await deps.views.get(deps.viewKey('commands'), 'commands', [command])
  return document ? { call: String(document.body.call), time: String(document.body.time) } : null
}
