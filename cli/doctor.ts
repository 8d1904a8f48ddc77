// `scorebook doctor`: checks everything that a server needs, and prints how to fix each fault.

import { VERSION } from '../runtime/version.ts'
import { type Config, ConfigFault, readConfig } from '../server/config.ts'
import { type Answer, does, type Shell } from './command.ts'
import { checkClock } from './doctor-clock.ts'
import { checkDegraded, servedClockWarning } from './doctor-degraded.ts'
import { FILE_STORE } from './doctor-files.ts'
import type { Finding } from './doctor-finding.ts'
import { checkFolder } from './doctor-folder.ts'
import { checkServer } from './doctor-server.ts'
import { checkStores } from './doctor-stores.ts'
import { withExamples } from './examples.ts'
import { FAILED } from './exit-codes.ts'
import type { Target } from './target.ts'
import type { Terminal } from './terminal.ts'

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
