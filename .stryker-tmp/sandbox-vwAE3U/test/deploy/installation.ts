// The processes of compose.yaml without containers: each service of ours as a process with the very environment that it
// has there, but for the servers' addresses, the ports and the folder; the stores that can be had on this machine; and
// nginx.

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
import { EMBEDDED } from '../servers/places.ts'
import { startRedis } from '../servers/redis.ts'
import { freshBucket } from '../servers/s3/store.ts'
import { composeFile, environmentOf, filledVariables, oursIn, ROOT } from './compose-file.ts'
import { execOf, lastStage } from './dockerfile.ts'

type Env = Readonly<Record<string, string>>

export interface Running {
  readonly name: string
  readonly port: number
  readonly adminPort: number
  output(): string
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
}

export interface Stores {
  readonly eventStoreUrl: string
  readonly mongoUrl: string
  /** As compose.yaml's user. */
  readonly redisUrl: string
  /** As one who may do all, for looking. */
  readonly redisAdminUrl: string
  readonly redisPassword: string
  /** A bucket of its own. */
  readonly s3Url: string
  stop(): Promise<void>
}

/** What .env would hold. */
const variables = filledVariables()
const compose = composeFile(variables)
const run = promisify(execFile)
const HEALTHY_WITHIN_MS = 60_000
const LOOK_AGAIN_MS = 100

/** Redis with the settings and the user of compose.yaml, and one beside it that the tests look with. */
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

/** Services of ours in the order that they wait for each other; those of a profile are left out. */
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

/** The words of an instruction of the Dockerfile, on the build of this test run. */
function words(instruction: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  const found = lastStage().find(({ name }) => name === instruction)
  if (found === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return execOf(found).map((word, at) => {
    if (at === 0 && word === 'node') return process.execPath
    return word === 'dist/cli/main.js' ? builtProgram() : word
  })
}

/** `docker compose run --rm operator`: makes the operator's key, and answers it. */
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

/** Starts a service, and answers when its container would be healthy; rejects with its output where it ends before. */
export async function startService(name: string, stores: Stores): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-node-'))
  const ports = [await freePort(), await freePort()] as const
  const env = environment(name, stores, dataDir, ports)
  const [node = '', ...rest] = [...words('ENTRYPOINT'), ...words('CMD')]
  const child = spawn(node, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      said += piece
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await healthy(child, env, () => said)
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await exited
    process.off('exit', killWithUs)
    await rm(dataDir, { recursive: true, force: true })
    return code
  }
  return { name, port: ports[0], adminPort: ports[1], output: () => said, stop }
}

/** By the health check of the image. */
async function healthy(child: ChildProcess, env: Env, said: () => string): Promise<void> {
  const [node = '', ...rest] = words('HEALTHCHECK')
  const end = performance.now() + HEALTHY_WITHIN_MS
  while (child.exitCode === null && performance.now() < end) {
    const isHealthy = await run(node, rest, { env }).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await new Promise((later) => setTimeout(later, LOOK_AGAIN_MS))
  }
  throw new Error(`it did not become healthy:\n${said()}`)
}

/** What the tests of the front door call a world, through whatever listens at that port. */
export function worldAt(port: number, operator: { prefix: string; secret: string }): World {
  const client = createHttpClient(port)
  const close = async () => client.close()
  return {
    dataDir: '',
    places: EMBEDDED,
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
