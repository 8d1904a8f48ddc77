// How far the views are behind the log: told by the log, so that it is so too where the runner stands still.

import type { StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Progress } from './progress.ts'

export interface LagDeps {
  readonly log: Pick<Log, 'readAll'>
  readonly progress: Pick<Progress, 'furthest'>
}

/** Milliseconds that the oldest event not yet applied has waited; 0 where there is none. Rejects where the log is away. */
export async function lagMs({ log, progress }: LagDeps, nowMs: number): Promise<number> {
  const [first]: StoredEvent[] = await log.readAll(progress.furthest(), 1)
  return first === undefined ? 0 : Math.max(0, nowMs - Date.parse(first.meta.time))
}
