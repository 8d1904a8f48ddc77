// Checks whether a server answers; if none does, whether its ports are free.

import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import type { Finding } from './doctor-finding.ts'

const ANSWER_WITHIN_MS = 3_000

interface ServerFound {
  readonly findings: readonly Finding[]
  readonly isReady: boolean
  /** Whether a server answers, even if it is not ready. */
  readonly isRunning: boolean
  /** Minimum difference of its clock to this one, from its Date header; null without one. */
  readonly aheadMs: number | null
  /** What the server says about its own clock; null if nothing is wrong. */
  readonly clockWarning: string | null
}

/** `elsewhere`: the address was given, so no local port is checked. */
export async function checkServer(config: Config, url: string, elsewhere: boolean): Promise<ServerFound> {
  const name = 'server'
  const answer = await ask(url)
  if (answer?.isScorebook) {
    const { isReady, aheadMs } = answer
    const clockWarning = answer.isClockBehind ? await warningOf(config, elsewhere) : null
    const finding: Finding = isReady
      ? { name, state: 'ok', detail: `ready at ${url}` }
      : { name, state: 'fail', detail: `at ${url}, and not ready`, fix: 'Wait; if it stays so, look into its log.' }
    return { findings: [finding], isReady, isRunning: true, aheadMs, clockWarning }
  }
  const none = { isReady: false, isRunning: false, aheadMs: null, clockWarning: null }
  if (elsewhere) {
    const detail = answer === null ? `no answer from ${url}` : `what answers at ${url} is not a Scorebook server`
    return { findings: [{ name, state: 'fail', detail, fix: 'Check the address, and the network between.' }], ...none }
  }
  const { host, port, adminPort } = config
  const findings = [await checkPort('PORT', host, port), await checkPort('ADMIN_PORT', host, adminPort)]
  return { findings: [{ name, state: 'ok', detail: `no server is running at ${url}` }, ...findings], ...none }
}

interface HealthAnswer {
  readonly isScorebook: boolean
  readonly isReady: boolean
  readonly isClockBehind: boolean
  readonly aheadMs: number | null
}

async function ask(url: string): Promise<HealthAnswer | null> {
  try {
    const startedMs = Date.now()
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(`${url.replace(/\/+$/, '')}/health/ready`, { signal, redirect: 'error' })
    const text = await response.text()
    const aheadMs = aheadOf(response.headers.get('Date'), startedMs, Date.now())
    const isScorebook = /^\{"status":"(?:ready|not ready|degraded)"[,}]/.test(text)
    const isClockBehind = isScorebook && missingIn(text).includes('clock')
    return { isScorebook, isReady: isScorebook && response.ok, isClockBehind, aheadMs }
  } catch {
    return null
  }
}

/** The components that a public answer of `/health/ready` names. */
function missingIn(text: string): readonly unknown[] {
  const { missing } = JSON.parse(text) as { readonly missing?: unknown }
  return Array.isArray(missing) ? missing : []
}

/** The server's warning about its clock, with both times if its admin port answers here. */
async function warningOf({ host, adminPort }: Config, elsewhere: boolean): Promise<string> {
  const unknown = 'the clock of the server is behind its newest event: /health/ready on its ADMIN_PORT has both times'
  if (elsewhere) return unknown
  try {
    const address = host.includes(':') ? `[${host}]` : host
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(`http://${address}:${adminPort}/health/ready`, { signal, redirect: 'error' })
    const { reasons } = (await response.json()) as { readonly reasons?: { readonly clock?: string } }
    return reasons?.clock ?? unknown
  } catch {
    return unknown
  }
}

/** The difference of a server time that was received between two local times. */
export function aheadOf(date: string | null, startedMs: number, endedMs: number): number | null {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return null
  return serverMs < startedMs ? serverMs - startedMs : Math.max(0, serverMs - endedMs)
}

/** Tries to listen on the port. */
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
