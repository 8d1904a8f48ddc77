// Whether a server can be used at all, asked once before anything else, with a message for each reason why not.

import { setTimeout as pause } from 'node:timers/promises'
import { StoresFault } from '../contract/faults.ts'
import { within } from '../contract/within.ts'
import { openBatch, WrongRevision } from './batch.ts'
import { type Connection, openConnection } from './connection.ts'
import { impossibleAppend, logPage } from './requests.ts'
import { noAnswerTo } from './silence.ts'
import { checkUrl, shownUrl } from './url.ts'

/** From here on batch appends are there, and events read from a stream say where they stand in the log. */
const OLDEST_VERSION = '22.6'
const TRY_AGAIN_MS = 200
const DEADLINE_MS = 5_000
const SHUT_MS = 1_000
/** gRPC's codes for "permission denied" and "unauthenticated". */
const DENIED: readonly unknown[] = [7, 16]

export interface CheckOptions {
  readonly url: string
  readonly prefixes: readonly string[]
  /** A server that does not answer, or is not ready yet, is asked again for so many milliseconds. Default 5,000. */
  readonly deadlineMs?: number
  /** Also refuses a server that keeps nothing on disk. Default false. */
  readonly production?: boolean
}

export interface ServerFacts {
  readonly version: string
  /**
   * 'unknown' where the server does not tell: it tells only whom it takes for an administrator, or anyone if insecure.
   */
  readonly inMemory: 'yes' | 'no' | 'unknown'
}

/**
 * Throws a StoresFault where the server cannot be reached in time, does not take the credentials, refuses reading or
 * appending, is older than 22.6, or (in production) keeps its log in memory.
 */
export async function checkEventStore(options: CheckOptions): Promise<ServerFacts> {
  const { url, deadlineMs = DEADLINE_MS } = options
  checkUrl(url)
  const end = performance.now() + deadlineMs
  for (;;) {
    const left = Math.max(end - performance.now(), TRY_AGAIN_MS)
    try {
      return await once(options, left)
    } catch (error) {
      if (error instanceof StoresFault) throw error
      if (performance.now() + TRY_AGAIN_MS >= end) {
        const reason = error instanceof Error && error.message !== '' ? error.message : 'no reason given'
        throw new StoresFault(`EventStoreDB at ${shownUrl(url)} cannot be reached (${reason}). Check EVENTSTORE_URL.`)
      }
      await pause(TRY_AGAIN_MS)
    }
  }
}

async function once({ url, prefixes, production = false }: CheckOptions, ms: number): Promise<ServerFacts> {
  const connection = openConnection(url)
  try {
    const { version, batch } = await within(ms, connection.abilities(), noAnswerTo('version'))
    if (!batch || isOlder(version)) {
      const what = version === 'unknown' ? 'a version too old to tell' : `version ${version}`
      throw new StoresFault(
        `EventStoreDB at ${shownUrl(url)} has ${what}; ${OLDEST_VERSION} or later is needed, 24.10 or later is best.`,
      )
    }
    await mayRead(connection, url, ms)
    await mayAppend(connection, url, `${prefixes[0] ?? ''}check`, ms)
    const inMemory = await within(ms, connection.startOptions(), noAnswerTo('options')).then(
      inMemoryOf,
      () => 'unknown' as const,
    )
    if (production && inMemory === 'yes') {
      const advice = 'Start it without --mem-db and --dev.'
      throw new StoresFault(
        `EventStoreDB at ${shownUrl(url)} keeps its log in memory: a restart loses all of it. ${advice}`,
      )
    }
    return { version, inMemory }
  } finally {
    await within(SHUT_MS, connection.shut()).catch(() => {})
  }
}

/** Reads one record: what the credentials are good for shows only then. */
async function mayRead(connection: Connection, url: string, ms: number): Promise<void> {
  const reading = connection
    .openRead(logPage(null, 'backwards', 1), () => true)
    .then(
      (call) =>
        new Promise<void>((resolve, reject) => {
          call.on('error', reject)
          call.on('end', resolve)
          call.on('data', () => {})
        }),
    )
  await within(ms, reading, noAnswerTo('reading the log')).catch((error: unknown) => {
    if (!isDenied(error)) throw error
    throw new StoresFault(
      `EventStoreDB at ${shownUrl(url)} refuses the user or password in EVENTSTORE_URL, or this user may not read $all.`,
    )
  })
}

/**
 * Appends what cannot be recorded: whether it is refused for its revision or for who asks tells what this user may do.
 */
async function mayAppend(connection: Connection, url: string, stream: string, ms: number): Promise<void> {
  const batch = openBatch(
    connection,
    () => {},
    () => {},
  )
  await batch.append(impossibleAppend(stream), ms).catch((error: unknown) => {
    if (error instanceof WrongRevision) return
    if (!isDenied(error)) throw error
    throw new StoresFault(`EventStoreDB at ${shownUrl(url)} does not let the user of EVENTSTORE_URL append.`)
  })
}

function isDenied(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return DENIED.includes(code) || /access ?denied/i.test(String(message))
}

/** A version is two numbers and more; one of a build without them (0.0) is let pass. */
function isOlder(version: string): boolean {
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10))
  const [major = Number.NaN, minor = 0] = parts(version)
  const [oldestMajor = 0, oldestMinor = 0] = parts(OLDEST_VERSION)
  if (Number.isNaN(major)) return true
  if (major === 0) return false
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

/** Reads what GET /info/options answers: a list of options with names and values, written in one of several ways. */
function inMemoryOf(options: unknown): ServerFacts['inMemory'] {
  if (!Array.isArray(options)) return 'unknown'
  let isTold = false
  for (const option of options as readonly Readonly<Record<string, unknown>>[]) {
    const name = String(option.name ?? option.Name ?? '')
      .replace(/[^a-z]/gi, '')
      .toLowerCase()
    if (name !== 'memdb' && name !== 'dev') continue
    isTold = true
    if (/^true$/i.test(String(option.value ?? option.Value ?? ''))) return 'yes'
  }
  return isTold ? 'no' : 'unknown'
}
