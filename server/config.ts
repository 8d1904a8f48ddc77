// Reads and validates the configuration from environment variables, and reports all faults at once. No other module
// reads the environment.

import { join } from 'node:path'
import { z } from 'zod'
import { NOBODY, type Trusted, trustedProxies } from '../runtime/network.ts'
import { type AddressLimits, DEFAULT_LIMITS, type Limits, limitsIn, type RateLimits } from '../runtime/rate-limits.ts'

/** `api`: answers HTTP. `projector`: runs the views and the reactions. `rooms`: serves the realtime rooms. */
export type Role = (typeof ROLES)[number]
const ROLES = ['api', 'projector', 'rooms'] as const

/** The URLs of the three servers, which are used together. */
export interface StoreServers {
  readonly eventStoreUrl: string
  readonly mongoUrl: string
  readonly redisUrl: string
}

/** Unset variables have their default, or null. */
export interface Config {
  readonly production: boolean
  /** The roles of this process. Running several processes requires all three store servers. */
  readonly roles: ReadonlySet<Role>
  readonly port: number
  readonly host: string
  readonly adminPort: number
  /** Whether another free port serves if `adminPort` is taken: in development, unless ADMIN_PORT is set. */
  readonly adminPortMayMove: boolean
  readonly dataDir: string
  /** The servers of the stores; null: the embedded stores of the data folder. */
  readonly servers: StoreServers | null
  readonly redisPrefix: string
  /** The mail server; null: in production no mail, otherwise mails are written to the data folder. */
  readonly smtpUrl: string | null
  /** Base of URLs in answers; the Host header is never used for that. */
  readonly publicUrl: string
  /** 32 bytes or more; null: generated on first start and stored in the data folder (development only). */
  readonly masterKey: Uint8Array | null
  /** Other master keys that can decrypt secrets, during a key rotation. Usually none. */
  readonly oldMasterKeys: readonly Uint8Array[]
  readonly logLevel: string
  /** Bytes that the process may use, of what the container or the machine has; null: all. */
  readonly memory: number | null
  readonly rateLimits: RateLimits
  /** Limits of network addresses, from RATE_LIMITS too. */
  readonly addressLimits: AddressLimits
  /** Folder of uploaded files, shared by all processes of the installation; null: not in a folder. */
  readonly filesDir: string | null
  /**
   * URL of an S3-compatible file store, with its credentials; null: none. If filesDir is null too, there is no file
   * store.
   */
  readonly s3Url: string | null
  readonly trustedProxies: Trusted
  /** URL at which clients connect to the rooms; null: `publicUrl`. */
  readonly realtimeUrl: string | null
  /** Shared secret of the API and rooms in other processes; null: rooms cannot run apart. */
  readonly realtimeSecret: string | null
  /** API URL for rooms in other processes; null: `publicUrl`. */
  readonly apiUrl: string | null
  readonly console: boolean
  /** Whether the node starts and records while its clock is far behind the newest event: `serve --accept-clock`. */
  readonly acceptsClock: boolean
}

/** Invalid configuration. Each fault says what to change. */
export class ConfigFault extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

const MASTER_KEY_MIN_BYTES = 32
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const port = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port number, at most 65535')
    .default(usual)

/** The message must not contain the value, which may include a password. */
const serverUrl = (form: RegExp, example: string) => z.string().regex(form, `must look like ${example}`).optional()

const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) URL')

/** The message must not contain the value, which may include a password. */
const origin = z.string().superRefine((text, { addIssue }) => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    addIssue('must be an http(s) URL')
    return
  }
  const { username, password } = new URL(text)
  const [, path = '', query = '', fragment = ''] = /^https?:\/\/[^/?#]*([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(text) ?? []
  const extra = [
    username + password === '' ? [] : 'a user',
    path === '' || path === '/' ? [] : 'a path',
    query === '' ? [] : 'a query',
    fragment === '' ? [] : 'a fragment',
  ].flat()
  if (extra.length === 0) return
  addIssue(`must be an origin, such as https://scores.example.com, and has ${inWords(extra)}`)
})

/** As it was checked: a URL has spellings that only a parser reads alike, such as `http:host`. */
const originOf = (text: string): string => new URL(text).origin

/** 32 random bytes have at least this many characters in base64 or hexadecimal. */
const REALTIME_SECRET_MIN_CHARACTERS = 32

const MEMORY_UNITS = { M: 2 ** 20, G: 2 ** 30 } as const
const MIN_MEMORY_MIB = 256

/** A number of MiB (`M`) or GiB (`G`), either case, at least 256 MiB. */
const memorySize = z
  .string()
  .regex(/^\d{1,7}[mMgG]$/, 'must be a number of MiB or GiB, such as 768M or 2G')
  .transform((text) => Number.parseInt(text, 10) * MEMORY_UNITS[text.slice(-1).toUpperCase() as 'M' | 'G'])
  .refine((bytes) => bytes >= MIN_MEMORY_MIB * MEMORY_UNITS.M, `must be at least ${MIN_MEMORY_MIB}M`)

const environment = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development'),
  PORT: port(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  ADMIN_PORT: port(9090),
  DATA_DIR: z.string().min(1).default('./data'),
  FILES_DIR: z.string().min(1).optional(),
  S3_URL: serverUrl(/^https?:\/\/./, 'https://access-key:secret@host/bucket?region=eu-central-1'),
  EVENTSTORE_URL: serverUrl(
    /^(esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/./,
    'esdb://user:password@host:2113?tls=true',
  ),
  MONGODB_URL: serverUrl(/^mongodb(\+srv)?:\/\/./, 'mongodb://user:password@host:27017/scorebook'),
  REDIS_URL: serverUrl(/^rediss?:\/\/./, 'redis://user:password@host:6379'),
  REDIS_PREFIX: z
    .string()
    .regex(/^[!-z]{1,64}$/, 'must be 1 to 64 printable ASCII characters')
    .default('scorebook:'),
  SMTP_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^smtps?:\/\/[^?/]/.test(text),
      'must look like smtp://user:password@host:587?from=game@example.com, or smtps://',
    )
    .optional(),
  PUBLIC_URL: origin.transform(originOf).optional(),
  REALTIME_URL: origin.transform(originOf).optional(),
  REALTIME_SECRET: z
    .string()
    .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
    .min(REALTIME_SECRET_MIN_CHARACTERS, `must have at least ${REALTIME_SECRET_MIN_CHARACTERS} characters`)
    .optional(),
  API_URL: httpUrl.refine((text) => !/[?#]/.test(text), 'must have no query and no fragment').optional(),
  MASTER_KEY: z.string().optional(),
  MASTER_KEY_OLD: z.string().optional(),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
  MEMORY: memorySize.optional(),
  RATE_LIMITS: z.string().optional(),
  ROLES: z
    .string()
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, `must be ${ROLES.join(', ')}, or several of them with commas between`)))
    .default([...ROLES]),
  TRUSTED_PROXIES: z.string().optional(),
  CONSOLE: z.enum(['on', 'off'], 'must be on or off').default('on'),
})

/** Names of all variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape)

type Variables = Readonly<Record<string, string | undefined>>

/** Throws ConfigFault. */
export const readConfig = (env: Variables): Config => readAll(env, false).config

/**
 * For the export of an installation that ran on some of the three servers, which everything else refuses. `servers` has
 * those that are set; the other stores are in the data folder. Throws ConfigFault.
 */
export const readExportConfig = (env: Variables): ExportConfig => readAll(env, true)

export interface ExportConfig {
  readonly config: Config
  readonly servers: Partial<StoreServers>
}

function readAll(env: Variables, mayBePartial: boolean): ExportConfig {
  const given = setIn(env)
  const { data, faults } = readVariables(given)
  faults.push(...combinationFaults(data, given))
  if (!mayBePartial) faults.push(...partialServersFaults(given))
  const masterKey = data.MASTER_KEY === undefined ? null : readMasterKey('MASTER_KEY', data.MASTER_KEY, faults)
  const oldMasterKeys = (data.MASTER_KEY_OLD?.split(',') ?? []).map((text) =>
    readMasterKey('MASTER_KEY_OLD', text.trim(), faults),
  )
  const { rateLimits, addressLimits } = readLimits(data.RATE_LIMITS, faults)
  const proxies = readTrustedProxies(data.TRUSTED_PROXIES, faults)
  if (faults.length > 0) throw new ConfigFault(faults)
  const servers = serversIn(data)
  const config: Config = {
    production: data.NODE_ENV === 'production',
    roles: new Set(data.ROLES),
    port: data.PORT,
    host: data.HOST,
    adminPort: data.ADMIN_PORT,
    adminPortMayMove: data.NODE_ENV !== 'production' && given.ADMIN_PORT === undefined,
    dataDir: data.DATA_DIR,
    // With all stores on servers, other processes may share the files, so the folder must be set explicitly.
    filesDir:
      data.FILES_DIR ?? (isComplete(servers) || data.S3_URL !== undefined ? null : join(data.DATA_DIR, 'files')),
    s3Url: data.S3_URL ?? null,
    servers: isComplete(servers) ? servers : null,
    redisPrefix: data.REDIS_PREFIX,
    smtpUrl: data.SMTP_URL ?? null,
    publicUrl: data.PUBLIC_URL ?? `http://${data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST}:${data.PORT}`,
    masterKey,
    oldMasterKeys,
    logLevel: data.LOG_LEVEL,
    memory: data.MEMORY ?? null,
    rateLimits,
    addressLimits,
    trustedProxies: proxies,
    realtimeUrl: data.REALTIME_URL ?? null,
    apiUrl: data.API_URL?.replace(/\/+$/, '') ?? null,
    realtimeSecret: data.REALTIME_SECRET ?? null,
    console: data.CONSOLE === 'on',
    acceptsClock: false,
  }
  return { config, servers }
}

type Environment = z.infer<typeof environment>

/** Values are trimmed; empty ones count as unset. */
function setIn(env: Variables): Variables {
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== undefined && value !== ''))
}

function serversIn({ EVENTSTORE_URL, MONGODB_URL, REDIS_URL }: Environment): Partial<StoreServers> {
  return {
    ...(EVENTSTORE_URL !== undefined && { eventStoreUrl: EVENTSTORE_URL }),
    ...(MONGODB_URL !== undefined && { mongoUrl: MONGODB_URL }),
    ...(REDIS_URL !== undefined && { redisUrl: REDIS_URL }),
  }
}

const isComplete = (servers: Partial<StoreServers>): servers is StoreServers =>
  servers.eventStoreUrl !== undefined && servers.mongoUrl !== undefined && servers.redisUrl !== undefined

/** The values. A variable with a fault counts as unset, so that the faults of all others are found, too. */
function readVariables(given: Variables): { readonly data: Environment; readonly faults: string[] } {
  const read = environment.safeParse(given)
  if (read.success) return { data: read.data, faults: [] }
  const { issues } = read.error
  const isFaulty = new Set(issues.map(({ path: [name] }) => name))
  const rest = Object.entries(given).filter(([name]) => !isFaulty.has(name))
  const faults = new Set(issues.map(({ path, message }) => `${path.join('.')}: ${message}.`))
  return { data: environment.parse(Object.fromEntries(rest)), faults: [...faults] }
}

/** Faults in combinations of variables. A variable that is set to a faulty value is not missing. */
function combinationFaults(data: Environment, given: Variables): string[] {
  const faults: string[] = []
  const production = data.NODE_ENV === 'production'
  if (production && given.PUBLIC_URL === undefined) {
    faults.push('PUBLIC_URL is missing: set it to the URL at which clients reach this service.')
  }
  if (production && given.MASTER_KEY === undefined) {
    faults.push(
      'MASTER_KEY is missing: set it to 32 random bytes in base64url, such as `openssl rand -base64 32` prints.',
    )
  }
  if (given.S3_URL !== undefined && given.FILES_DIR !== undefined) {
    faults.push('FILES_DIR and S3_URL are both set, but files are stored in only one of them: unset the other.')
  }
  const roles = new Set(data.ROLES)
  const missing = SERVER_URLS.filter((name) => given[name] === undefined)
  if (roles.size < ROLES.length && missing.length > 0) {
    faults.push(
      `ROLES is only ${[...roles].join(', ')}: processes with the other roles must reach the same stores. ` +
        `Set ${inWords(missing)} too, or unset ROLES.`,
    )
  }
  if (roles.has('rooms') && !roles.has('api') && given.REALTIME_SECRET === undefined) {
    faults.push('REALTIME_SECRET is missing: rooms apart from the API redeem tickets by it. Set one secret on both.')
  }
  return faults
}

const SERVER_URLS = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'] as const

/** The stores are all embedded or all on servers (docs/decisions/servers.md#two-profiles-of-stores). */
function partialServersFaults(given: Variables): string[] {
  const [set, missing] = [true, false].map((wanted) =>
    SERVER_URLS.filter((name) => (given[name] !== undefined) === wanted),
  ) as [string[], string[]]
  if (set.length === 0 || missing.length === 0) return []
  return [
    `${inWords(set)} ${set.length === 1 ? 'is' : 'are'} set, but ${inWords(missing)} ${missing.length === 1 ? 'is' : 'are'} ` +
      `missing: the three are used together. Set ${inWords(missing)} too, or unset ${inWords(set)} for the embedded stores. ` +
      'To move an installation that ran like this, see "From some of the servers to all or none" in docs/servers.md.',
  ]
}

/** `A, B and C`. */
const inWords = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' and $1')

/** The messages must not contain the value. */
function readMasterKey(name: string, text: string, faults: string[]): Uint8Array {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(text)) faults.push(`${name} has characters outside base64 and base64url.`)
  const key = Buffer.from(text, 'base64')
  if (key.length < MASTER_KEY_MIN_BYTES) {
    faults.push(`${name} has ${key.length} bytes: give at least ${MASTER_KEY_MIN_BYTES}, in base64 or base64url.`)
  }
  return key
}

function readTrustedProxies(text: string | undefined, faults: string[]): Trusted {
  if (text === undefined) return NOBODY
  try {
    return trustedProxies(text)
  } catch (failure) {
    faults.push(`TRUSTED_PROXIES: ${(failure as Error).message}.`)
    return NOBODY
  }
}

function readLimits(text: string | undefined, faults: string[]): Limits {
  if (text === undefined) return DEFAULT_LIMITS
  const limits = limitsIn(text)
  if (!('faults' in limits)) return limits
  faults.push(...limits.faults.map((fault) => `RATE_LIMITS${fault.startsWith('must') ? '' : ':'} ${fault}.`))
  return DEFAULT_LIMITS
}
