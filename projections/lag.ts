// How far the views are behind the log: told by the log, so that it is so too where the runner stands still.

import type { Position } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'

/** Milliseconds that the first event after what was applied has waited; 0 where there is none. Rejects where the log is away. */
export async function lagMs(log: Pick<Log, 'readAll'>, applied: Position | null, nowMs: number): Promise<number> {
  const [first] = await log.readAll(applied, 1)
  return first === undefined ? 0 : Math.max(0, nowMs - Date.parse(first.meta.time))
}
