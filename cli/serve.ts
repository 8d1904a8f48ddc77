// `scorebook serve`: runs the server until SIGINT or SIGTERM. In development it greets with commands to try next, and
// on a terminal it prints the log as text.

import { existsSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { openLog, outputOf } from '../runtime/log-output.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { VERSION } from '../runtime/version.ts'
import { type Config, readConfig } from '../server/config.ts'
import { releaseStartMemory, setUpGarbageCollection } from '../server/heap.ts'
import { operatorFile } from '../server/operator.ts'
import { type Running, start } from '../server/start.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import { does, type Shell } from './command.ts'
import { tellFailure } from './failure.ts'
import { invocation, localUrl } from './target.ts'
import { FAILED, printable, type Terminal, withExamples } from './terminal.ts'

/** A second signal within this time is the same one, passed on by npm. */
const SAME_SIGNAL_MS = 1_000

/** A stop that takes longer than this has failed: running requests have 10 s of it (server/serve.ts). */
const STOP_DEADLINE_MS = 20_000

const ENVIRONMENT = `
Environment (empty counts as unset):
  PORT 8080, HOST 127.0.0.1        where it listens
  ADMIN_PORT 9090                  /metrics and /health; if it is not set and 9090 is taken, development takes a free port
  DATA_DIR ./data                  log, views, vault and secrets
  FILES_DIR                        bytes of files: DATA_DIR/files, and on the three servers none unless set
  S3_URL                           S3-compatible store for the bytes of files, in place of FILES_DIR:
                                   https://access-key:secret@host/bucket?region=…
  EVENTSTORE_URL                   EventStoreDB for the log, such as esdb://host:2113?tls=false;
                                   set all of this and the next two, or none of them
  MONGODB_URL                      MongoDB for views and vault, such as mongodb://host:27017/scorebook
  REDIS_URL                        Redis for rankings and what lives for seconds, such as redis://host:6379
  REDIS_PREFIX scorebook:          what its keys begin with
  SMTP_URL                         server that mails sign-in codes: smtp://user:password@host:587?from=game@example.com,
                                   or smtps://; without it production mails none, and development writes to DATA_DIR/mail
  PUBLIC_URL                       what clients reach it at; needed in production
  MASTER_KEY                       32 bytes in base64; needed in production
  MASTER_KEY_OLD                   former master keys, to decrypt older secrets, separated by commas
  LOG_LEVEL info                   trace, debug, info, warn, error, fatal, silent
  MEMORY                           memory to plan for, from 256M on, such as 768M or 2G: sizes caches and the memory for
                                   large boards; unless set, the container's limit, or else the machine's memory
  REALTIME_URL                     where clients reach the rooms; PUBLIC_URL unless set
  REALTIME_SECRET                  what rooms apart redeem tickets by, 32 characters or more
  API_URL                          where rooms apart reach the API; PUBLIC_URL unless set
  ROLES api,projector,rooms        what this process does; several processes need all three servers
  RATE_LIMITS                      off, or JSON over the defaults, also of addresses
  TRUSTED_PROXIES                  proxies before it whose X-Forwarded-For counts, such as 10.0.0.0/8,::1
  CONSOLE on                       off: no console at /console/, and no sign-in links for it
  NODE_ENV                         production: no secrets are made by themselves`

export function serveCommand(shell: Shell): void {
  const command = shell.program.command('serve').description('run the server, like npm start')
  command.option('--accept-clock', 'start and record although the clock is more than a day behind the newest event')
  withExamples(command, 'serve', 'serve --accept-clock').addHelpText('after', ENVIRONMENT)
  does<{ acceptClock?: boolean }>(shell, command, async ({ terminal, options }) => {
    await serve(terminal, options.acceptClock === true)
    return null
  })
}

/** Resolves when the server is ready; the process then runs until SIGTERM or SIGINT. Throws ConfigFault. */
async function serve(terminal: Terminal, acceptsClock: boolean): Promise<void> {
  const config = { ...readConfig(terminal.env), acceptsClock }
  setUpGarbageCollection()
  let running: Running | null = null
  // Listen from the beginning: as the first process of a container, Node ignores signals without a listener. A start
  // can be killed at any point, so no cleanup is needed.
  const log = newLog(config)
  stopOnSignal(async () => {
    await running?.stop()
    await outputOf(log)?.flushed()
  })
  surviveOutputs()
  try {
    running = await start(config, log)
  } catch (failure) {
    tellFailure(new Error(`cannot start: ${reasonOf(failure, config)}`), terminal, false)
    // A failed start must exit, even if something that it began would keep the process alive.
    process.exit(FAILED)
  }
  greet(config, running, terminal)
  releaseStartMemory().catch((failure: unknown) =>
    log.warn({ failure: String(failure) }, 'the memory of the start is kept'),
  )
}

function greet(config: Config, { port, adminPort }: Running, terminal: Terminal): void {
  const { production, host, publicUrl, dataDir } = config
  if (production || port === null) return
  const keyFile = operatorFile(dataDir)
  const movedAdminPort = config.adminPortMayMove && adminPort !== config.adminPort ? adminPort : null
  const started = { host, port, publicUrl, dataDir, operatorFile: existsSync(keyFile) ? keyFile : null, movedAdminPort }
  for (const line of greetingLines(started, VERSION)) terminal.err(line)
}

function newLog({ logLevel, production }: Config): Logger {
  const options = { level: logLevel, base: null }
  if (production || !process.stdout.isTTY) return openLog(options, process.stdout.fd)
  const readable: DestinationStream = readableLog((line) => process.stdout.write(`${line}\n`))
  return pino(options, readable)
}

/** Ignores output errors: a full disk or broken pipe behind stdout or stderr must not end the service. */
function surviveOutputs(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.removeAllListeners('error')
    output.on('error', () => {})
  }
}

function reasonOf(failure: unknown, { host, port, adminPort }: Config): string {
  const { code, port: taken } = failure as { readonly code?: unknown; readonly port?: unknown }
  if (code === 'EADDRINUSE' && taken === port) {
    return `port ${port} of ${host} is taken. Stop what listens there, or set PORT; \`npx scorebook doctor\` tells more.`
  }
  if (code === 'EADDRINUSE' && taken === adminPort) {
    return `port ${adminPort} of ${host} is taken. Stop what listens there, or set ADMIN_PORT.`
  }
  if (failure instanceof FolderInUse) return `${failure.message}. Stop it first, or set DATA_DIR to another folder.`
  return messageOf(failure)
}

function stopOnSignal(stop: () => Promise<void>): void {
  let firstMs: number | null = null
  const onSignal = () => {
    const nowMs = Date.now()
    if (firstMs === null) {
      firstMs = nowMs
      setTimeout(() => process.exit(FAILED), STOP_DEADLINE_MS).unref()
      void stop().then(
        () => process.exit(0),
        (failure: unknown) => {
          process.stderr.write(`scorebook: stopped, but not in order: ${String(failure)}\n`)
          process.exit(FAILED)
        },
      )
    } else if (nowMs - firstMs > SAME_SIGNAL_MS) process.exit(FAILED)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

interface Started {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataDir: string
  readonly operatorFile: string | null
  /** The admin port if it is not the usual one, which was taken. */
  readonly movedAdminPort: number | null
}

export function greetingLines(started: Started, version: string): string[] {
  const { host, port, publicUrl, dataDir, operatorFile, movedAdminPort } = started
  const url = localUrl(host, port)
  const command = invocation({ url, dataDir })
  const elsewhere =
    new URL(publicUrl).origin === new URL(url).origin || isOwnDefault(host, publicUrl) ? null : publicUrl
  const lines = ['', `Scorebook ${version} is ready at ${url}`]
  if (elsewhere !== null) lines.push(`The public address is ${elsewhere}`)
  if (movedAdminPort !== null) {
    lines.push(`The usual ADMIN_PORT is taken: metrics and health are at ${localUrl(host, movedAdminPort)}`)
  }
  if (operatorFile !== null) lines.push(`The operator key is in ${operatorFile}`)
  lines.push('', 'Next, in another terminal, in this folder:')
  // One command per line without a comment behind it, because zsh would pass that as arguments.
  lines.push('', '  Create a demo game with players and scores:', `    ${command} demo`)
  lines.push('  Create your own game:', `    ${command} game create "My game"`)
  lines.push('  List all API calls:', `    curl ${url}/api/openapi.json`, '')
  return lines
}

/** Without PUBLIC_URL the public address derives from HOST and PORT, and is not worth printing (PORT 0 means any). */
function isOwnDefault(host: string, publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return hostname === host || hostname === `[${host}]`
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}
/** Fields that are in the message already, or useless to a reader. */
const LEFT_OUT: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'request_id', 'views', 'failure'])

/** A destination for pino that writes lines such as `07:05:01 POST /api/gm/ 201 3.2 ms`. */
export function readableLog(write: (line: string) => void): { write(line: string): void } {
  return {
    write: (line) => {
      for (const text of linesFor(JSON.parse(line))) write(text)
    },
  }
}

function linesFor(entry: Readonly<Record<string, unknown>>): string[] {
  const { time, level, msg, failure } = entry
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const rank = LEVELS[Number(level)] ?? ''
  const body = msg === 'request' ? requestText(entry) : `${msg}${fieldsText(entry)}`
  const first = printable([at, ...(rank === '' ? [] : [rank]), body].join(' '))
  return typeof failure === 'string' ? [first, ...failure.split('\n').map(printable)] : [first]
}

function requestText({ method, route, status, ms }: Readonly<Record<string, unknown>>): string {
  return `${method} ${route} ${status} ${Number(ms).toFixed(1)} ms`
}

function fieldsText(entry: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(entry).filter(([name]) => !LEFT_OUT.has(name))
  return shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')
}
