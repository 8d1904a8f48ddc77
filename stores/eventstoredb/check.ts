// Checks at start whether a server is usable, with a separate message for each reason why it is not.

import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionOptions, connect } from 'node:tls'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { withTimeout } from '../../runtime/with-timeout.ts'
import { StoresFault } from '../contract/faults.ts'
import { denialText, type Right } from './access.ts'
import { type Batch, openBatch, WrongRevision } from './batch.ts'
import type { EventStoreConnection } from './event-store-connection.ts'
import { createLine, type Line } from './line.ts'
import { noAnswerTo } from './refusals.ts'
import { impossibleAppend, logPage, streamPage } from './requests.ts'
import { parseServer, type Server } from './server.ts'
import type { Host } from './url.ts'

/** The first version with batch appends, and with log positions of events read from a stream. */
const OLDEST_VERSION = '22.6'
const TRY_AGAIN_MS = 200
const DEADLINE_MS = 5_000
const DIAGNOSIS_MS = 1_000

interface CheckOptions {
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

interface ServerFacts {
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
  const line = createLine(server, { graceMs: 0 })
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
  await checkRights(line, server, `${prefixes[0] ?? ''}check`, ms)
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

// Explains to operators why a server cannot be reached. One TLS handshake with each host shows what gRPC's errors do
// not: it distinguishes a host that is down from one with TLS where none is expected, the reverse, or a certificate
// of another CA.

type Handshake =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly code: string }
  | { readonly kind: 'plain' }
  | { readonly kind: 'unreachable' }

const UNTRUSTED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other host names',
}
/** Error codes of a handshake with a server of another protocol. */
const NOT_TLS =
  /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL)|EPROTO|ECONNRESET)$/
const OTHER_CA = 'its certificate is not signed by the CA in tlsCAFile, or by any that Node knows'

/** One sentence per host with a finding; none after `ms` milliseconds. */
async function diagnose(server: Server, ms: number): Promise<string[]> {
  const found = await Promise.all(
    server.url.hosts.map(async (host) => sentence(host, server, await handshake(host, server, ms))),
  )
  return found.filter((one) => one !== null)
}

function sentence({ address, port }: Host, server: Server, seen: Handshake | null): string | null {
  const where = `${address}:${port}`
  const isPlain = server.credentials.insecure === true
  if (seen === null || seen.kind === 'unreachable') return null
  if (isPlain) return seen.kind === 'plain' ? null : `${where} speaks TLS, and EVENTSTORE_URL says tls=false.`
  if (seen.kind === 'plain') {
    return `${where} does not speak TLS: set tls=false, if it runs with --insecure on purpose.`
  }
  return seen.kind === 'trusted' ? null : `${where}: ${UNTRUSTED[seen.code] ?? OTHER_CA} (${seen.code}).`
}

function handshake({ address, port }: Host, { credentials }: Server, ms: number): Promise<Handshake | null> {
  const options: ConnectionOptions = {
    host: address,
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
    ...(credentials.rootCertificate === undefined ? {} : { ca: credentials.rootCertificate }),
    ...(/^[\d.]+$/.test(address) ? {} : { servername: address }),
  }
  return new Promise((resolve) => {
    const socket = connect(options)
    let isConnected = false
    const done = (seen: Handshake | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(seen)
    }
    const timer = setTimeout(() => done(null), ms)
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('secureConnect', () => {
      const code = String(socket.authorizationError ?? '')
      done(socket.authorized ? { kind: 'trusted' } : { kind: 'untrusted', code })
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      done(isConnected && NOT_TLS.test(code) ? { kind: 'plain' } : { kind: 'unreachable' })
    })
  })
}

/**
 * Writes nothing. Throws a StoresFault with the missing permission, because each is granted in another place, or about
 * a wrong user or password.
 */
async function checkRights(line: Line, server: Server, stream: string, ms: number): Promise<void> {
  const denied = (right: Right) => (error: unknown) => {
    const text = denialText(server, right, error)
    throw text === null ? error : new StoresFault(text, error)
  }
  const connection = line.connection()
  await reads(connection, logPage(null, 'backwards', 1), ms).catch(denied('readAll'))
  await reads(connection, streamPage(stream, 0, 1), ms).catch(denied('readStream'))
  await appends(openBatch(connection, line), stream, ms).catch(denied('append'))
}

function reads(connection: EventStoreConnection, request: ReadReq, ms: number): Promise<void> {
  const reading = connection
    .openRead(request, () => true)
    .then(
      (call) =>
        new Promise<void>((resolve, reject) => {
          call.on('error', reject)
          call.on('end', resolve)
          call.on('data', () => {})
        }),
    )
  return withTimeout(ms, reading, noAnswerTo('reading the log'))
}

/** Sends an append that must fail: a revision conflict shows that the user may append. */
export async function appends(batch: Batch, stream: string, ms: number): Promise<void> {
  await batch.append(impossibleAppend(stream), ms).catch((error: unknown) => {
    if (!(error instanceof WrongRevision)) throw error
  })
}
