// What a running server reports about itself: the components that are not well. The reasons are on its admin port.

import type { Config } from '../config.ts'
import type { Finding } from './doctor-finding.ts'

const ANSWER_WITHIN_MS = 3_000

/** Empty if the server is ready, or does not answer. `url`: of the API; `elsewhere`: its admin port is not known. */
export async function checkDegraded(config: Config, url: string, elsewhere: boolean): Promise<Finding[]> {
  const name = 'server'
  const admin = elsewhere ? null : await readyAt(`http://127.0.0.1:${config.adminPort}`)
  const { status, reasons, missing } = admin ?? (await readyAt(url)) ?? {}
  if (status !== 'degraded') return []
  const fix = 'It serves all other calls. docs/operations.md has each reason.'
  if (reasons !== undefined) {
    return Object.entries(reasons).map(([part, reason]) => ({ name, state: 'warn', detail: `${part}: ${reason}`, fix }))
  }
  const detail = `degraded: ${(missing ?? []).join(', ')}`
  return [{ name, state: 'warn', detail, fix: 'Read /health/ready on its ADMIN_PORT: it has the reasons.' }]
}

interface Ready {
  readonly status?: string
  readonly reasons?: Readonly<Record<string, string>>
  readonly missing?: readonly string[]
}

async function readyAt(url: string): Promise<Ready | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(`${url.replace(/\/+$/, '')}/health/ready`, { signal, redirect: 'error' })
    return (await response.json()) as Ready
  } catch {
    return null
  }
}
