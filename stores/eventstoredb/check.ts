// Checks at start whether a server is usable, with a separate message for each reason why it is not.

import { setTimeout as pause } from 'node:timers/promises'
import { withTimeout } from '../../runtime/with-timeout.ts'
import { StoresFault } from '../contract/faults.ts'
import { diagnose } from './diagnosis.ts'
import { createLine, type Line } from './line.ts'
import { checkRights } from './rights.ts'
import { parseServer, type Server } from './server.ts'
import { noAnswerTo } from './silence.ts'

/** The first version with batch appends, and with log positions of events read from a stream. */
const OLDEST_VERSION = '22.6'
const TRY_AGAIN_MS = 200
const DEADLINE_MS = 5_000
const DIAGNOSIS_MS = 1_000

export interface CheckOptions {
  readonly url: string
  readonly prefixes: readonly string[]
  /** Milliseconds to retry while the server does not answer or is not ready. Default 5,000. */
  readonly deadlineMs?: number
  /** Also rejects an in-memory server. Default false. */
  readonly production?: boolean
}

/** A warning about a usable server, and what to do. */
export interface ServerWarning {
  readonly detail: string
  readonly advice: string
}

export interface ServerFacts {
  readonly version: string
  /** 'unknown' if the server does not report it: a secured server reports it to administrators only. */
  readonly inMemory: 'yes' | 'no' | 'unknown'
  readonly warnings: readonly ServerWarning[]
}

/**
 * Throws a StoresFault if the server cannot be reached in time, rejects the credentials, denies reading or appending,
 * is older than 22.6, or (in production) keeps its log in memory.
 */
export async function checkEventStore(options: CheckOptions): Promise<ServerFacts> {
  const { url, deadlineMs = DEADLINE_MS } = options
  const server = parseServer(url)
  const line = createLine(server, 0)
  const end = performance.now() + deadlineMs
  try {
    for (;;) {
      const left = Math.max(end - performance.now(), TRY_AGAIN_MS)
      const startedMs = performance.now()
      const connection = line.connection()
      try {
        return await once(line, server, options, left)
      } catch (error) {
        if (error instanceof StoresFault) throw error
        if (performance.now() + TRY_AGAIN_MS >= end) throw await unreachable(server, error)
        line.silent(connection, startedMs)
        await pause(TRY_AGAIN_MS)
      }
    }
  } finally {
    await line.close()
  }
}

async function unreachable(server: Server, error: unknown): Promise<StoresFault> {
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no reason given'
  const found = await diagnose(server, DIAGNOSIS_MS)
  const hints = found.map((hint) => ` ${hint}`).join('')
  return new StoresFault(
    `EventStoreDB at ${server.url.shown} cannot be reached (${reason}).${hints} Check EVENTSTORE_URL.`,
    error,
  )
}

async function once(
  line: Line,
  server: Server,
  { prefixes, production = false }: CheckOptions,
  ms: number,
): Promise<ServerFacts> {
  const { shown } = server.url
  const connection = line.connection()
  const { version, batch } = await withTimeout(ms, connection.abilities(), noAnswerTo('version'))
  if (!batch || isOlder(version)) {
    const what = version === 'unknown' ? 'a version too old to say' : `version ${version}`
    throw new StoresFault(
      `EventStoreDB at ${shown} has ${what}; ${OLDEST_VERSION} or later is needed, 24.10 or later is best.`,
    )
  }
  await checkRights(connection, server, `${prefixes[0] ?? ''}check`, ms)
  const inMemory = await withTimeout(ms, connection.startOptions(), noAnswerTo('options')).then(
    inMemoryOf,
    () => 'unknown' as const,
  )
  if (production && inMemory === 'yes') {
    const advice = 'Start it without --mem-db and --dev.'
    throw new StoresFault(`EventStoreDB at ${shown} keeps its log in memory: a restart loses all of it. ${advice}`)
  }
  return { version, inMemory, warnings: warningsOf(server, inMemory, production) }
}

function warningsOf(server: Server, inMemory: ServerFacts['inMemory'], production: boolean): ServerWarning[] {
  const warnings: ServerWarning[] = []
  if (inMemory === 'yes') {
    warnings.push({
      detail: 'it keeps its log in memory: a restart of it loses all',
      advice: 'Start it without --mem-db and --dev. Good enough for development; production rejects it.',
    })
  }
  if (inMemory === 'unknown') {
    warnings.push({
      detail: 'it does not say whether it keeps its log in memory, where a restart loses all of it',
      advice: 'Its options are readable by administrators only: make sure that it runs without --mem-db and --dev.',
    })
  }
  if (production && server.user !== undefined && server.credentials.insecure === true) {
    warnings.push({
      detail: 'EVENTSTORE_URL has a user and tls=false: without TLS the client sends no user and no password',
      advice: 'Remove tls=false and run the server with certificates, or remove the user.',
    })
  }
  return warnings
}

/** Compares the first two numbers of a version. Accepts 0.0, the version of development builds. */
function isOlder(version: string): boolean {
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10))
  const [major = Number.NaN, minor = 0] = parts(version)
  const [oldestMajor = 0, oldestMinor = 0] = parts(OLDEST_VERSION)
  if (Number.isNaN(major)) return true
  if (major === 0) return false
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

/** Parses the answer of GET /info/options, a list of options in one of several formats. */
function inMemoryOf(options: unknown): ServerFacts['inMemory'] {
  if (!Array.isArray(options)) return 'unknown'
  let isNamed = false
  for (const option of options as readonly Readonly<Record<string, unknown>>[]) {
    const name = String(option.name ?? option.Name ?? '')
      .replace(/[^a-z]/gi, '')
      .toLowerCase()
    if (name !== 'memdb' && name !== 'dev') continue
    isNamed = true
    if (/^true$/i.test(String(option.value ?? option.Value ?? ''))) return 'yes'
  }
  return isNamed ? 'no' : 'unknown'
}
