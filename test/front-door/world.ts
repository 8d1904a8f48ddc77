// The real server on a free port and its own data folder, with a clock that tests set; and the handshake over HTTP,
// which most tests need.

import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { recordDownloaded } from '../../commands/download.ts'
import { bytesStored, linkState } from '../../commands/upload.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import type { Config } from '../../server/config.ts'
import { type Running, start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { createMemoryFiles, type MemoryFiles } from '../memory/files.ts'
import { type FreshStores, freshStores, ON_SERVERS, type StoreUrls } from '../servers/store-urls.ts'
import { type Answered, createHttpClient, type HttpClient, type Sent } from './http-client.ts'
import { type BucketFiles, inBucket, type WorldFiles } from './world-files.ts'

export interface Clock {
  nowMs: number
}

export interface World {
  readonly dataDir: string
  readonly storeUrls: StoreUrls
  /** The server’s current time. Suites that share a server only set it forward. */
  readonly clock: Clock
  /** Log lines, if a `logLevel` was given. */
  readonly lines: readonly string[]
  readonly port: number
  /** The port of the operators’ listener. */
  readonly adminPort?: number
  /** Bytes of files, which are kept over a restart. */
  readonly files: WorldFiles
  /** The same, if they are in memory. */
  readonly memoryFiles?: MemoryFiles
  /** The same, if they are in S3. */
  readonly bucketFiles?: BucketFiles
  /** The operator's key. */
  readonly operator: Signer
  call(method: string, path: string, sent?: Sent): Promise<Answered>
  /** Stops the server; the stores are kept. */
  end(): Promise<unknown>
  /** Restarts the server on the same stores; changes of its configuration are kept. */
  restart(changes?: Partial<Config>): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly rateLimits?: Config['rateLimits']
  readonly smtpUrl?: string
  /** Collects log lines of this level and above. */
  readonly logLevel?: string
  /** Stores files in S3 even if everything else is in the data folder. */
  readonly filesInS3?: boolean
  /** Called at each start; without a file store, files are off. */
  readonly hasFileStore?: () => boolean
  /** For tests that set the clock back by more than a day. */
  readonly acceptsClock?: boolean
  /** Where the stores are, instead of the test run’s choice. */
  readonly storeUrls?: FreshStores
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-front-door-'))
  const clock: Clock = { nowMs: Date.now() }
  const lines: string[] = []
  const log = pino({ level: options.logLevel ?? 'silent' }, collectLines(lines))
  const fresh = options.storeUrls ?? (await freshStores())
  let config: Config = {
    ...BASE_CONFIG,
    roles: new Set(['api', 'projector', 'rooms']),
    dataDir,
    smtpUrl: options.smtpUrl ?? null,
    rateLimits: options.rateLimits ?? 'off',
    acceptsClock: options.acceptsClock ?? false,
    ...fresh.storeUrls,
  }
  const bucket = ON_SERVERS || options.filesInS3 === true ? await inBucket(() => clock.nowMs) : null
  if (bucket !== null) config = { ...config, s3Url: bucket.s3Url }
  const files = bucket === null ? createMemoryFiles(() => clock.nowMs) : null
  const own = () => ({ ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs })
  let running: Running
  let client: HttpClient
  const begin = async () => {
    const hasFiles = options.hasFileStore?.() ?? true
    running = await start(
      hasFiles ? config : { ...config, s3Url: null },
      log,
      () => clock.nowMs,
      files === null || !hasFiles
        ? null
        : (commands) => {
            files.hooks = {
              isOpen: async (upload) => (await linkState(commands, upload, clock.nowMs)) === 'open',
              bytesStored: (upload, stored) => bytesStored(commands, upload, stored, own()),
              downloaded: (bucket, download, bytes) => recordDownloaded(commands, bucket, { download, bytes }, own()),
            }
            return files
          },
    )
    client = createHttpClient(portOf(running))
  }
  const end = async () => {
    client.close()
    await running.stop()
  }
  await begin()
  const { prefix, secret } = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  return {
    dataDir,
    storeUrls: fresh.storeUrls,
    clock,
    lines,
    get port() {
      return portOf(running)
    },
    files: bucket ?? (files as MemoryFiles),
    ...(files === null ? {} : { memoryFiles: files }),
    ...(bucket === null ? {} : { bucketFiles: bucket }),
    get adminPort() {
      return running.adminPort
    },
    operator: hmacSigner(prefix, secret),
    call: (method, path, sent) => client.call(method, path, sent),
    restart: async (changes = {}) => {
      await end()
      config = { ...config, ...changes }
      await begin()
    },
    end,
    close: async () => {
      await end()
      await bucket?.close()
      await rm(dataDir, { recursive: true, force: true })
      await fresh.end()
    },
  }
}

function portOf({ port }: Running): number {
  if (port === null) throw new Error('the server has no API')
  return port
}

function collectLines(lines: string[]): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
}

/** A key that can prove itself. */
export interface Signer {
  readonly prefix: string
  sign(message: string): string
}

export function hmacSigner(prefix: string, secret: string): Signer {
  return { prefix, sign: (message) => createHmac('sha256', secret).update(message).digest('base64url') }
}

/** PKCS #8 of an Ed25519 seed (RFC 8410) is this and the seed. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `seed` is base64url of 32 bytes. */
export function ed25519Signer(prefix: string, seed: string): Signer {
  const der = Buffer.concat([PKCS8_ED25519, Buffer.from(seed, 'base64url')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { prefix, sign: (message) => sign(null, Buffer.from(message), key).toString('base64url') }
}

export function requestChallenge(world: World, prefix: string): Promise<Answered> {
  return world.call('POST', '/api/auth/jwt/challenge/', { headers: { 'x-api-key': prefix } })
}

/** The body of a redeem call for this challenge. */
export function signed(
  world: World,
  signer: Signer,
  challenge: { request_id: string; nonce: string },
  permissions: readonly string[] = [],
  unixTs = Math.floor(world.clock.nowMs / 1000),
) {
  const requested = [...permissions].sort().join('|')
  const signature = signer.sign(`${challenge.request_id}.${challenge.nonce}.${unixTs}.${requested}`)
  const body = { request_id: challenge.request_id, challenge: signature, unix_ts: unixTs }
  return permissions.length === 0 ? body : { ...body, permissions: [...permissions] }
}

export function redeem(world: World, prefix: string, body: unknown): Promise<Answered> {
  return world.call('POST', '/api/auth/jwt/redeem/', { headers: { 'x-api-key': prefix }, body })
}

/** The complete handshake; returns the answer of redeem. */
export async function handshake(world: World, signer: Signer, permissions: readonly string[] = []): Promise<Answered> {
  const { body } = await requestChallenge(world, signer.prefix)
  return redeem(world, signer.prefix, signed(world, signer, body, permissions))
}

export async function tokenOf(world: World, signer: Signer, permissions: readonly string[] = []): Promise<string> {
  const answer = await handshake(world, signer, permissions)
  return must(answer, 200).token
}

/** The body of an answer that must have this status; otherwise throws with the text of the answer. */
export function must(answer: Answered, status: number): Answered['body'] {
  if (answer.status !== status) throw new Error(`${answer.status} where ${status} was expected: ${answer.text}`)
  return answer.body
}
