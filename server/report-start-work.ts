// Log lines about work that delays a start: the conversion of an old log, and the index of a log.

import type { LogOptions } from '../stores/embedded/log.ts'

/** Minimum milliseconds between two lines about the same work. */
const LINE_EVERY_MS = 5_000

/** Work that is complete after its first batch is not reported. */
export function reportStartWork(
  write: (message: string) => void,
  now: () => number,
): NonNullable<LogOptions['onStartWork']> {
  const reportedMs = new Map<string, number>()
  return (work, done, total) => {
    const last = reportedMs.get(work)
    const isDue = done === total ? last !== undefined : last === undefined || now() - last >= LINE_EVERY_MS
    if (!isDue) return
    reportedMs.set(work, now())
    write(`${work}: ${Math.floor((100 * done) / total)} %, ${done} of ${total} events`)
  }
}
