// What a running server reports as not well: its components, with the reasons if its admin port answered.

import type { Finding } from './doctor-finding.ts'

/** A component of the server -> the reason; null if only the admin port has it. */
export type Degraded = ReadonlyMap<string, string | null>

const NAME = 'server'

/** `checked`: components that other checks report. */
export function checkDegraded(degraded: Degraded, checked: ReadonlySet<string>): Finding[] {
  const others = [...degraded].filter(([part]) => !checked.has(part))
  const fix = 'Calls that do not need it work. docs/operations.md says what to do.'
  const findings = others.flatMap(([part, reason]): Finding[] =>
    reason === null ? [] : [{ name: NAME, state: 'warn', detail: `${part}: ${reason}`, fix }],
  )
  const unexplained = others.flatMap(([part, reason]) => (reason === null ? [part] : []))
  if (unexplained.length === 0) return findings
  const detail = `degraded: ${unexplained.join(', ')}`
  return [
    ...findings,
    { name: NAME, state: 'warn', detail, fix: 'Read /health/ready on its ADMIN_PORT: it has the reasons.' },
  ]
}

/** The server's warning about its clock, with both times if its admin port answered; null if nothing is wrong. */
export function servedClockWarning(degraded: Degraded): string | null {
  if (!degraded.has('clock')) return null
  const unknown = 'the clock of the server is behind its newest event: /health/ready on its ADMIN_PORT has both times'
  return degraded.get('clock') ?? unknown
}
