// Logs a hint if a page on this machine is refused because it uses another name of it: to a browser, `localhost`,
// `127.0.0.1` and `[::1]` are three origins, and a developer may allow one and open the page by another.

import type { Logger } from 'pino'
import { otherSpellings } from '../../domain/loopback-origins.ts'

/** Maximum number of hints, because any client can send any origin. */
const HINTS_MAX = 100

/** Call it with a refused origin. `isAllowed` checks another one. Logs at most one line per origin. */
export type OriginHints = (origin: string, isAllowed: (other: string) => Promise<boolean>) => Promise<void>

export function createOriginHints(log: Logger): OriginHints {
  const hinted = new Set<string>()
  return async (origin, isAllowed) => {
    if (hinted.has(origin) || hinted.size >= HINTS_MAX) return
    for (const other of otherSpellings(origin)) {
      if (!(await isAllowed(other)) || hinted.has(origin)) continue
      hinted.add(origin)
      const advice = `Open the page at ${other}, or allow ${origin} too: scorebook game set --origin ${other} ${origin}`
      log.info({ origin, allowed: other, advice }, 'origin refused: it is allowed by another name of this machine')
      return
    }
  }
}
