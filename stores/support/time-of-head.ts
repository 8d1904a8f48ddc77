// The time of a log's last event.

import type { Log } from '../contract/log.ts'

/** ISO 8601; null while the log is empty. */
export async function timeOfHead(log: Pick<Log, 'head' | 'eventAt'>): Promise<string | null> {
  const head = await log.head()
  return (head === null ? null : await log.eventAt(head))?.meta.time ?? null
}
