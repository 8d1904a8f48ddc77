// `scorebook doctor`: checks everything that a server needs, and prints how to fix each fault. Versions, configuration,
// clock, data folder and disk are checked here.

import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { TIMESTAMP_TOLERANCE_S } from '../commands/handshake.ts'
import { behindMs, clockWarning, REFUSED_BEHIND_MS } from '../domain/clock.ts'
import { VERSION } from '../runtime/version.ts'
import { type Config, ConfigFault, readConfig } from '../server/config.ts'
import { type Answer, does, type Shell } from './command.ts'
import type { Finding } from './doctor-finding.ts'
import { checkDegraded, checkServer, servedClockWarning } from './doctor-server.ts'
import { checkStores, FILE_STORE } from './doctor-stores.ts'
import { quoted, type Target } from './target.ts'
import { FAILED, type Terminal, withExamples } from './terminal.ts'

/** Equals `engines` in package.json. */
const NODE_LEAST = [20, 19] as const
const NODE_BELOW = 25

export function doctorCommand(shell: Shell): void {
  const command = shell.program
    .command('doctor')
    .description('check everything a server needs and say how to fix each fault; exits with 1 on a fault')
  withExamples(command, 'doctor', 'doctor --json', 'doctor --url https://scores.example.com')
  does(shell, command, async ({ terminal, target, options }): Promise<Answer> => {
    const { findings, isRunning } = await examine(terminal, target, options.url !== undefined)
    const ok = findings.every(({ state }) => state !== 'fail')
    const closing = closingOf(findings, isRunning)
    const lines = [...findings.flatMap(findingLines), '', closing]
    return { json: { ok, running: isRunning, findings }, lines, exitCode: ok ? 0 : FAILED }
  })
}

function closingOf(findings: readonly Finding[], isRunning: boolean): string {
  const states = new Set(findings.map(({ state }) => state))
  if (states.has('fail')) return 'Fix what is marked FAIL, and run doctor again.'
  const found = states.has('warn') ? 'Nothing keeps it from running; check what is marked warn.' : 'Nothing is wrong.'
  return isRunning ? found : `${found} No server is running: start one with \`npm start\`.`
}

interface Examined {
  readonly findings: readonly Finding[]
  readonly isRunning: boolean
}

async function examine(terminal: Terminal, target: Target, elsewhere: boolean): Promise<Examined> {
  const findings = [checkVersions()]
  let config: Config
  try {
    config = readConfig(terminal.env)
  } catch (failure) {
    if (!(failure instanceof ConfigFault)) throw failure
    const faults = failure.faults.map((fault): Finding => {
      return { name: 'configuration', state: 'fail', detail: fault, fix: '`npx scorebook serve --help` lists it all.' }
    })
    return { findings: [...findings, ...faults], isRunning: false }
  }
  const mode = config.production ? 'production' : 'development'
  findings.push({ name: 'configuration', state: 'ok', detail: `${mode}, port ${config.port} of ${config.host}` })
  const server = await checkServer(config, target.url, elsewhere)
  findings.push(...server.findings)
  findings.push(...(await checkFolder(config.dataDir, config.servers === null)))
  const stores = await checkStores(config, server.isReady && !elsewhere, target.url, terminal)
  findings.push(...stores.findings)
  if (server.isReady) {
    const isReported = stores.findings.some(({ name, state }) => name === FILE_STORE && state !== 'ok')
    findings.push(...checkDegraded(server.degraded, new Set(isReported ? ['clock', 'files'] : ['clock'])))
  }
  const clockWarning = servedClockWarning(server.degraded)
  findings.push(checkClock(Date.now(), { ...server, clockWarning, newest: stores.newest }))
  return { findings, isRunning: server.isRunning }
}

function checkVersions(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [leastMajor, leastMinor] = NODE_LEAST
  const oldEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  const detail = `Scorebook ${VERSION}, Node ${process.versions.node}`
  if (oldEnough && major < NODE_BELOW) return { name: 'versions', state: 'ok', detail }
  const fix = `Use Node from ${leastMajor}.${leastMinor} on, below ${NODE_BELOW}.`
  return { name: 'versions', state: 'fail', detail, fix }
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
const NAME_WIDTH = 13

function findingLines({ name, state, detail, fix }: Finding): string[] {
  const lines = [`${MARKS[state]}  ${name.padEnd(NAME_WIDTH)}  ${detail}`]
  if (fix !== undefined) lines.push(`${' '.repeat(NAME_WIDTH + 8)}${fix}`)
  return lines
}

const NOTABLE_MS = 5_000
/** A clock before this time was never set. */
const NEVER_BEFORE_MS = Date.UTC(2026, 0, 1)

interface OtherClocks {
  /** How far the server's clock is ahead of this one; null if no server answered. */
  readonly aheadMs: number | null
  /** What the server says about its own clock; null if nothing is wrong or no server answered. */
  readonly clockWarning: string | null
  /** The latest time of all events; null if there is none or the log cannot be read. */
  readonly newest: string | null
  /** Whether a server of these stores has started. */
  readonly isReady: boolean
}

/** Compares this machine's clock with the server's clock and the newest event. */
export function checkClock(nowMs: number, { aheadMs, clockWarning: served, newest, isReady }: OtherClocks): Finding {
  const name = 'clock'
  const fix = 'Set the clock, and keep it set (NTP).'
  const detail = new Date(nowMs).toISOString()
  if (nowMs < NEVER_BEFORE_MS) return { name, state: 'fail', detail: `${detail} is in the past`, fix }
  if (aheadMs !== null && Math.abs(aheadMs) > NOTABLE_MS) {
    const state = Math.abs(aheadMs) > TIMESTAMP_TOLERANCE_S * 1_000 ? 'fail' : 'warn'
    return { name, state, detail: `${apart(-aheadMs)} the server’s`, fix }
  }
  const warning = served ?? clockWarning(nowMs, newest)
  if (warning === null) return { name, state: 'ok', detail }
  const isRefused = !isReady && behindMs(nowMs, newest) > REFUSED_BEHIND_MS
  const ahead = isRefused
    ? 'If it is right, an earlier clock was ahead: start with `scorebook serve --accept-clock`.'
    : 'If it is right, an earlier clock was ahead: the warning ends at the time of that event.'
  return { name, state: isRefused ? 'fail' : 'warn', detail: warning, fix: `${fix} ${ahead}` }
}

function apart(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000)
  return `${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'}`
}

const MIB = 1024 * 1024
const DISK_FAIL_BYTES = 100 * MIB
const DISK_WARN_BYTES = 1024 * MIB
const OTHERS = 0o077

/**
 * The data folder: writable and private. `isStore`: it contains the stores; otherwise only keys, and free disk space
 * does not matter.
 */
async function checkFolder(dataDir: string, isStore: boolean): Promise<Finding[]> {
  const name = 'data folder'
  const found = await stat(dataDir).catch(() => null)
  if (found === null) {
    const parent = dirname(resolve(dataDir))
    const detail = `${dataDir} does not exist yet: the first start creates it`
    return [await checkWritable(parent, { name, state: 'ok', detail }), ...(isStore ? [await checkDisk(parent)] : [])]
  }
  if (!found.isDirectory()) {
    return [{ name, state: 'fail', detail: `${dataDir} is not a folder`, fix: 'Set DATA_DIR to a folder.' }]
  }
  const opened = (found.mode & OTHERS) !== 0
  const fine: Finding = opened
    ? { name, state: 'warn', detail: `other users may read ${dataDir}`, fix: `chmod 700 ${quoted(dataDir)}` }
    : { name, state: 'ok', detail: isStore ? dataDir : `${dataDir}, which contains only keys` }
  const keys = [await checkWritable(dataDir, fine), await checkSecrets(dataDir)]
  return isStore ? [...keys, await checkDisk(dataDir)] : keys
}

/** `fine` if this user can write to the folder, otherwise a failure. */
async function checkWritable(folder: string, fine: Finding): Promise<Finding> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return fine
  } catch {
    const fix = 'Give the user that runs the server the folder (chown), or name another with DATA_DIR.'
    return { name: fine.name, state: 'fail', detail: `${folder} cannot be written by this user`, fix }
  }
}

async function checkSecrets(dataDir: string): Promise<Finding> {
  const name = 'secret files'
  const kept = await readdir(join(dataDir, 'keys')).catch(() => [])
  const files = ['secrets.json', 'operator.json', 'operator.json.unrecorded', ...kept.map((file) => join('keys', file))]
  const open: string[] = []
  for (const file of files) {
    const found = await stat(join(dataDir, file)).catch(() => null)
    if (found !== null && (found.mode & OTHERS) !== 0) open.push(join(dataDir, file))
  }
  if (open.length === 0) return { name, state: 'ok', detail: 'readable by their owner only' }
  const fix = `chmod 600 ${open.map(quoted).join(' ')}`
  return { name, state: 'fail', detail: `others may read ${open.join(', ')}`, fix }
}

async function checkDisk(folder: string): Promise<Finding> {
  const name = 'disk'
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${Math.floor(free / MIB).toLocaleString('en-US')} MiB free`
  if (free >= DISK_WARN_BYTES) return { name, state: 'ok', detail }
  const fix = 'Free disk space: a log that cannot grow rejects writes.'
  return { name, state: free < DISK_FAIL_BYTES ? 'fail' : 'warn', detail, fix }
}
