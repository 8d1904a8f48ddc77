// Runs the services of compose.yaml as processes: our services with the environment of compose.yaml except addresses,
// ports and the folder, the stores that this machine has, and nginx.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtProgram } from '../crash/build.ts'
import { freePort } from '../free-port.ts'
import { createHttpClient } from '../front-door/http-client.ts'
import { hmacSigner, type World } from '../front-door/world.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { withDatabase } from '../servers/ferretdb/database.ts'
import { startMongo } from '../servers/ferretdb.ts'
import { startRedis } from '../servers/redis.ts'
import { freshBucket } from '../servers/s3/store.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import { composeFile, environmentOf, filledVariables, oursIn, ROOT } from './compose-file.ts'
import { execOf, lastStage } from './dockerfile.ts'

type Env = Readonly<Record<string, string>>

export interface Running {
  readonly name: string
  readonly port: number
  readonly adminPort: number
  output(): string
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

export interface Stores {
  readonly eventStoreUrl: string
  readonly mongoUrl: string
  /** A connection as the user of compose.yaml. */
  readonly redisUrl: string
  /** A connection with all rights, for checks. */
  readonly redisAdminUrl: string
  readonly redisPassword: string
  /** A new bucket. */
  readonly s3Url: string
  stop(): Promise<void>
}

/** The variables of .env. */
const variables = filledVariables()
const compose = composeFile(variables)
const run = promisify(execFile)
const HEALTHY_WITHIN_MS = 60_000
const RECHECK_MS = 100

/** Starts Redis with the settings and user of compose.yaml, and a second user for checks. */
export async function startStores(): Promise<Stores> {
  const [program, file, ...words] = compose.services.redis?.command ?? []
  if (program !== 'redis-server' || file === undefined) throw new Error('compose.yaml starts Redis another way')
  const settings = join(ROOT, 'deploy', file.replace(/^.*\//, ''))
  const looker = ['--user', 'looker', 'on', 'nopass', '~*', '&*', '+@all']
  const [log, mongo, redis, bucket] = await Promise.all([
    startEventStore(),
    startMongo({ replicaSet: true }),
    startRedis({ config: ['--include', settings, ...words, ...looker] }),
    freshBucket(),
  ])
  const redisPassword = variables.REDIS_PASSWORD ?? ''
  return {
    eventStoreUrl: `esdb://127.0.0.1:${log.port}?tls=false`,
    mongoUrl: withDatabase(mongo.url, 'scorebook'),
    redisUrl: redis.url.replace('//', `//scorebook:${redisPassword}@`),
    redisAdminUrl: redis.url.replace('//', '//looker:any@'),
    redisPassword,
    s3Url: bucket.url,
    stop: async () => {
      await Promise.all([log.stop(), mongo.stop(), redis.stop(), bucket.close()])
    },
  }
}

/** Our services in dependency order, without those of a profile. */
export function startOrder(): string[] {
  const names = oursIn(compose).flatMap(([name, { profiles }]) => (profiles === undefined ? [name] : []))
  const order: string[] = []
  const add = (name: string): void => {
    if (order.includes(name) || !names.includes(name)) return
    for (const other of Object.keys(compose.services[name]?.depends_on ?? {})) add(other)
    order.push(name)
  }
  for (const name of names) add(name)
  return order
}

function environment(name: string, stores: Stores, dataDir: string, ports: readonly [number, number]): Env {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`)
  const written = environmentOf(service)
  const { eventStoreUrl, mongoUrl, redisUrl } = stores
  return {
    ...written,
    EVENTSTORE_URL: eventStoreUrl,
    MONGODB_URL: mongoUrl,
    REDIS_URL: redisUrl,
    S3_URL: stores.s3Url,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(ports[0]),
    ADMIN_PORT: String(ports[1]),
    ...(written.TRUSTED_PROXIES === undefined ? {} : { TRUSTED_PROXIES: '127.0.0.1' }),
  }
}

/** The command of a Dockerfile instruction, with the paths of this test run's build. */
function words(instruction: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  const found = lastStage().find(({ name }) => name === instruction)
  if (found === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return execOf(found).map((word, at) => {
    if (at === 0 && word === 'node') return process.execPath
    return word === 'dist/cli/main.js' ? builtProgram() : word
  })
}

/** Like `docker compose run --rm operator`: creates the operator key and returns it. */
export async function makeOperatorKey(stores: Stores): Promise<{ prefix: string; secret: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-operator-'))
  try {
    const env = environment('operator', stores, dataDir, [0, 0])
    const [node = '', ...rest] = [...words('ENTRYPOINT'), ...(compose.services.operator?.command ?? [])]
    await run(node, rest, { env })
    return JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Starts a service and resolves when its health check passes. Rejects with its output if it exits before. */
export async function startService(name: string, stores: Stores): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-node-'))
  const ports = [await freePort(), await freePort()] as const
  const env = environment(name, stores, dataDir, ports)
  const [node = '', ...rest] = [...words('ENTRYPOINT'), ...words('CMD')]
  const child = spawn(node, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let logged = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      logged += chunk
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await healthy(child, env, () => logged)
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await exited
    process.off('exit', killWithUs)
    await rm(dataDir, { recursive: true, force: true })
    return code
  }
  return { name, port: ports[0], adminPort: ports[1], output: () => logged, stop }
}

/** Runs the health check of the image. */
async function healthy(child: ChildProcess, env: Env, logged: () => string): Promise<void> {
  const [node = '', ...rest] = words('HEALTHCHECK')
  const end = performance.now() + HEALTHY_WITHIN_MS
  while (child.exitCode === null && performance.now() < end) {
    const isHealthy = await run(node, rest, { env }).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await pause(RECHECK_MS)
  }
  throw new Error(`it did not become healthy:\n${logged()}`)
}

/** A world of the front-door tests for the server at this port. */
export function worldAt(port: number, operator: { prefix: string; secret: string }): World {
  const client = createHttpClient(port)
  const close = async () => client.close()
  return {
    dataDir: '',
    storeUrls: EMBEDDED,
    files: createMemoryFiles(Date.now),
    clock: {
      get nowMs() {
        return Date.now()
      },
    },
    lines: [],
    port,
    operator: hmacSigner(operator.prefix, operator.secret),
    call: (method, path, sent) => client.call(method, path, sent),
    end: close,
    restart: close,
    close,
  }
}
