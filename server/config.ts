// Reads and validates the configuration from environment variables, and reports all faults at once. No other module
// reads the environment.

import { join } from 'node:path'
import { z } from 'zod'
import { NOBODY, type Trusted, trustedProxies } from '../runtime/network.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits, rateLimitsIn } from '../runtime/rate-limits.ts'

/** `api`: answers HTTP. `projector`: runs the views and the processes. `rooms`: serves the realtime rooms. */
export type Role = (typeof ROLES)[number]
const ROLES = ['api', 'projector', 'rooms'] as const

/** Unset variables have their default, or null. */
export interface Config {
  readonly production: boolean
  /** The roles of this process. Running several processes requires all three store servers. */
  readonly roles: ReadonlySet<Role>
  readonly port: number
  readonly host: string
  readonly adminPort: number
  readonly dataDir: string
  /**
   * Servers of the event log, of read models and secrets, and of rankings and short-lived data; null: embedded.
   */
  readonly eventStoreUrl: string | null
  readonly mongoUrl: string | null
  readonly redisUrl: string | null
  /** Prefix of all keys in Redis. */
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
  readonly rateLimits: RateLimits
  /** Folder of uploaded files, shared by all processes of the installation; null: not in a folder. */
  readonly filesDir: string | null
  /**
   * URL of an S3-compatible file store, with its credentials; null: none. If filesDir is null too, there is no file
   * store.
   */
  readonly s3Url: string | null
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: Trusted
  /** URL at which clients connect to the rooms; null: `publicUrl`. */
  readonly realtimeUrl: string | null
  /** Shared secret of the API and rooms in other processes; null: rooms cannot run apart. */
  readonly realtimeSecret: string | null
  /** API URL for rooms in other processes; null: `publicUrl`. */
  readonly apiUrl: string | null
  /** Whether processes with the role `api` serve the console. */
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

/** 32 random bytes have at least this many characters in base64 or hexadecimal. */
const REALTIME_SECRET_MIN_CHARACTERS = 32

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
  EVENTSTORE_URL: serverUrl(/^esdb(\+discover)?:\/\/./, 'esdb://user:password@host:2113?tls=true'),
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
  PUBLIC_URL: httpUrl.optional(),
  REALTIME_URL: httpUrl.refine((text) => new URL(text).pathname === '/', 'must have no path').optional(),
  REALTIME_SECRET: z
    .string()
    .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
    .min(REALTIME_SECRET_MIN_CHARACTERS, `must have at least ${REALTIME_SECRET_MIN_CHARACTERS} characters`)
    .optional(),
  API_URL: httpUrl.optional(),
  MASTER_KEY: z.string().optional(),
  MASTER_KEY_OLD: z.string().optional(),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
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

/** Throws ConfigFault. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = environment.safeParse(given)
  if (!read.success) {
    throw new ConfigFault(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`))
  }
  const { data } = read
  const faults = combinationFaults(data)
  const masterKey = data.MASTER_KEY === undefined ? null : readMasterKey('MASTER_KEY', data.MASTER_KEY, faults)
  const oldMasterKeys = (data.MASTER_KEY_OLD?.split(',') ?? []).map((text) =>
    readMasterKey('MASTER_KEY_OLD', text.trim(), faults),
  )
  const rateLimits = readRateLimits(data.RATE_LIMITS, faults)
  const proxies = readTrustedProxies(data.TRUSTED_PROXIES, faults)
  if (faults.length > 0) throw new ConfigFault(faults)
  const isAllOnServers = storesMissing(data).length === 0
  return {
    production: data.NODE_ENV === 'production',
    roles: new Set(data.ROLES),
    port: data.PORT,
    host: data.HOST,
    adminPort: data.ADMIN_PORT,
    dataDir: data.DATA_DIR,
    // With all stores on servers, other processes may share the files, so the folder must be set explicitly.
    filesDir: data.FILES_DIR ?? (isAllOnServers || data.S3_URL !== undefined ? null : join(data.DATA_DIR, 'files')),
    s3Url: data.S3_URL ?? null,
    eventStoreUrl: data.EVENTSTORE_URL ?? null,
    mongoUrl: data.MONGODB_URL ?? null,
    redisUrl: data.REDIS_URL ?? null,
    redisPrefix: data.REDIS_PREFIX,
    smtpUrl: data.SMTP_URL ?? null,
    publicUrl: data.PUBLIC_URL ?? `http://${data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST}:${data.PORT}`,
    masterKey,
    oldMasterKeys,
    logLevel: data.LOG_LEVEL,
    rateLimits,
    trustedProxies: proxies,
    realtimeUrl: data.REALTIME_URL?.replace(/\/$/, '') ?? null,
    apiUrl: data.API_URL?.replace(/\/+$/, '') ?? null,
    realtimeSecret: data.REALTIME_SECRET ?? null,
    console: data.CONSOLE === 'on',
    acceptsClock: false,
  }
}

type Environment = z.infer<typeof environment>

const STORE_URLS = ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL'] as const

const storesMissing = (data: Environment) => STORE_URLS.filter((name) => data[name] === undefined)

/** Faults in combinations of variables. */
function combinationFaults(data: Environment): string[] {
  const faults: string[] = []
  const production = data.NODE_ENV === 'production'
  if (production && data.PUBLIC_URL === undefined) {
    faults.push('PUBLIC_URL is missing: set it to the URL at which clients reach this service.')
  }
  if (production && data.MASTER_KEY === undefined) {
    faults.push(
      'MASTER_KEY is missing: set it to 32 random bytes in base64url, such as `openssl rand -base64 32` prints.',
    )
  }
  if (data.S3_URL !== undefined && data.FILES_DIR !== undefined) {
    faults.push('FILES_DIR and S3_URL are both set, but files are stored in only one of them: unset the other.')
  }
  const roles = new Set(data.ROLES)
  const missing = storesMissing(data)
  if (roles.size < ROLES.length && missing.length > 0) {
    faults.push(`ROLES is not all of them, so that others must be on the same stores: set ${missing.join(', ')} too.`)
  }
  if (roles.has('rooms') && !roles.has('api') && data.REALTIME_SECRET === undefined) {
    faults.push('REALTIME_SECRET is missing: rooms apart from the API redeem tickets by it. Set one secret on both.')
  }
  return faults
}

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

function readRateLimits(text: string | undefined, faults: string[]): RateLimits {
  if (text === undefined) return DEFAULT_RATE_LIMITS
  const limits = rateLimitsIn(text)
  if (limits !== null) return limits
  faults.push('RATE_LIMITS must be `off`, or JSON such as {"player":{"perSecond":50,"burst":250}}.')
  return DEFAULT_RATE_LIMITS
}
