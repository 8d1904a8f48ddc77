// Checks whether a server answers, and what it reports as not well; if none answers, whether its ports are free.

import { createServer } from 'node:net'
import type { Config } from '../server/config.ts'
import type { Finding } from './doctor-finding.ts'

const ANSWER_WITHIN_MS = 3_000

interface ServerFound {
  readonly findings: readonly Finding[]
  readonly isReady: boolean
  readonly isRunning: boolean
  /** Minimum difference of its clock to this one, from its Date header; null without one. */
  readonly aheadMs: number | null
  readonly degraded: Degraded
}

/** `elsewhere`: the address was given, so no local port is checked. */
export async function checkServer(config: Config, url: string, elsewhere: boolean): Promise<ServerFound> {
  const name = 'server'
  const answer = await ask(url)
  if (answer?.isScorebook) {
    const { isReady, aheadMs } = answer
    const degraded = await degradedIn(answer.text, config, elsewhere)
    const finding: Finding = isReady
      ? { name, state: 'ok', detail: `ready at ${url}` }
      : { name, state: 'fail', detail: `at ${url}, and not ready`, fix: 'Wait; if it stays so, look into its log.' }
    return { findings: [finding], isReady, isRunning: true, aheadMs, degraded }
  }
  const none = { isReady: false, isRunning: false, aheadMs: null, degraded: new Map() }
  if (elsewhere) {
    const detail = answer === null ? `no answer from ${url}` : `what answers at ${url} is not a Scorebook server`
    return { findings: [{ name, state: 'fail', detail, fix: 'Check the address, and the network between.' }], ...none }
  }
  const { host, port, adminPort } = config
  const findings = [await checkPort('PORT', host, port), await checkAdminPort(config, host, adminPort)]
  return { findings: [{ name, state: 'ok', detail: `no server is running at ${url}` }, ...findings], ...none }
}

interface HealthAnswer {
  readonly isScorebook: boolean
  readonly isReady: boolean
  readonly text: string
  readonly aheadMs: number | null
}

async function ask(url: string): Promise<HealthAnswer | null> {
  try {
    const startedMs = Date.now()
    const response = await readiness(url)
    const text = await response.text()
    const aheadMs = aheadOf(response.headers.get('Date'), startedMs, Date.now())
    const isScorebook = /^\{"status":"(?:ready|not ready|degraded)"[,}]/.test(text)
    return { isScorebook, isReady: isScorebook && response.ok, text, aheadMs }
  } catch {
    return null
  }
}

/**
 * The components that a public answer of `/health/ready` names, with the reasons of the admin port if it answers here.
 */
async function degradedIn(text: string, { host, adminPort }: Config, elsewhere: boolean): Promise<Degraded> {
  const { missing } = JSON.parse(text) as { readonly missing?: readonly string[] }
  if (missing === undefined || missing.length === 0) return new Map()
  const reasons = elsewhere ? {} : await reasonsAt(`http://${host.includes(':') ? `[${host}]` : host}:${adminPort}`)
  return new Map(missing.map((part) => [part, reasons[part] ?? null]))
}

async function reasonsAt(url: string): Promise<Readonly<Record<string, string>>> {
  try {
    const response = await readiness(url)
    const { reasons } = (await response.json()) as { readonly reasons?: Readonly<Record<string, string>> }
    return reasons ?? {}
  } catch {
    return {}
  }
}

const readiness = (url: string): Promise<Response> =>
  fetch(`${url.replace(/\/+$/, '')}/health/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'error' })

/** The difference of a server time that was received between two local times. */
export function aheadOf(date: string | null, startedMs: number, endedMs: number): number | null {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return null
  return serverMs < startedMs ? serverMs - startedMs : Math.max(0, serverMs - endedMs)
}

async function checkAdminPort({ adminPortMayMove }: Config, host: string, port: number): Promise<Finding> {
  const finding = await checkPort('ADMIN_PORT', host, port)
  if (finding.state === 'ok' || !adminPortMayMove) return finding
  return { ...finding, state: 'warn', fix: 'The start takes a free port and prints it, or set ADMIN_PORT.' }
}

async function checkPort(variable: 'PORT' | 'ADMIN_PORT', host: string, port: number): Promise<Finding> {
  const name = variable === 'PORT' ? 'port' : 'admin port'
  const code = await new Promise<string | null>((resolve) => {
    const listener = createServer()
    listener.once('error', (failure: NodeJS.ErrnoException) => resolve(failure.code ?? failure.message))
    listener.listen(port, host, () => listener.close(() => resolve(null)))
  })
  const detail = `${port} of ${host}`
  if (code === null) return { name, state: 'ok', detail: `${detail} is free` }
  const [what, fix] = FAULTS[code] ?? [`cannot be listened on (${code})`, `Set ${variable} or HOST to what can be.`]
  return { name, state: 'fail', detail: `${detail} ${what}`, fix: fix.replace('%', variable) }
}

const FAULTS: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  EADDRINUSE: ['is taken by another program', 'Stop that program, or set % to a port that is free.'],
  EACCES: ['may not be listened on by this user', 'Set % to a port from 1024 on.'],
  EADDRNOTAVAIL: ['is not an address of this machine', 'Set HOST to an address of this machine; 0.0.0.0 means all.'],
}

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
