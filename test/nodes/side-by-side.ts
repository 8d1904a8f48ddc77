// Several processes of one installation on its three servers; each can be ended, suspended and restarted.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '../crash/build.ts'
import type { Node } from '../crash/load-run.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { type ServerProcess, startSupervised } from '../crash/server-process.ts'
import { isOfAStop } from '../front-door/http-client.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { environmentOf, freshStoresBeside, type ServerUrls, withServers } from '../servers/store-urls.ts'

/** A node that answers HTTP. */
export interface ApiNode extends Node {
  readonly world: ProcessWorld
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM; returns the exit code, and the milliseconds until it exited. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>
  /** Starts it again. */
  begin(): Promise<void>
}

export interface SideBySide {
  readonly dataDir: string
  readonly storeUrls: ServerUrls
  readonly eventStore: EventStoreServer
  readonly redis: RedisServer
  readonly apis: readonly ApiNode[]
  /** The running projectors; code that ends one removes it here. */
  readonly projectors: ServerProcess[]
  startApi(env?: Readonly<Record<string, string>>, program?: string): Promise<ApiNode>
  startProjector(program?: string): Promise<ServerProcess>
  /** SIGTERM to all running processes; one line for each that does not exit with 0. */
  stopAll(): Promise<string[]>
  /** Ends and removes everything. Idempotent. */
  close(): Promise<void>
}

const openOnes = new Set<SideBySide>()

/** Closes those that a test left open because its time limit ended it: they would slow down the tests after it. */
export async function closeAllSideBySide(): Promise<void> {
  await Promise.all([...openOnes].map((nodes) => nodes.close()))
}

export async function openSideBySide(wanted: {
  readonly apis: number
  readonly projectors: number
  readonly program?: string
}): Promise<SideBySide> {
  const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
  const { storeUrls: beside } = await freshStoresBeside(eventStore)
  const storeUrls = withServers(beside, { redisUrl: redis.url })
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-nodes-'))
  const apis: ApiNode[] = []
  const projectors: ServerProcess[] = []
  let closed: Promise<void> | null = null
  /** For a process that was started meanwhile. */
  const unlessClosed = async (end: () => unknown) => {
    if (closed === null) return
    await end()
    throw new Error('the nodes were closed while one of them started')
  }
  const startProjector = async (program = builtProgram()) => {
    const projector = await startSupervised(dataDir, { ...environmentOf(storeUrls), ROLES: 'projector' }, program)
    await unlessClosed(() => projector.signal('SIGKILL'))
    projectors.push(projector)
    return projector
  }
  const startApi = async (env = {}, program = builtProgram()) => {
    const world = await openProcessWorld({ ROLES: 'api', ...env }, { dataDir, storeUrls, program })
    await unlessClosed(world.close)
    const api = apiNode(world, () => unlessClosed(world.close))
    apis.push(api)
    return api
  }
  const stopAll = async () => {
    const exits = await Promise.all([
      ...apis.map((api) => api.stop()),
      ...projectors.splice(0).map(async (projector) => {
        projector.signal('SIGTERM')
        return projector.exited
      }),
    ])
    return exits.flatMap(({ code }) => (code === 0 ? [] : [`a stop exited with ${code}`]))
  }
  const closeAll = async () => {
    for (const projector of projectors.splice(0)) {
      projector.signal('SIGKILL')
      await projector.exited
    }
    await Promise.all(apis.map(({ world }) => world.close()))
    await Promise.all([eventStore.stop(), redis.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
  const close = () => {
    openOnes.delete(nodes)
    closed ??= closeAll()
    return closed
  }
  const nodes = { dataDir, storeUrls, eventStore, redis, apis, projectors, startApi, startProjector, stopAll, close }
  openOnes.add(nodes)
  try {
    for (let n = 0; n < wanted.projectors; n++) await startProjector(wanted.program)
    for (let n = 0; n < wanted.apis; n++) await startApi({}, wanted.program)
  } catch (failure) {
    await close()
    throw failure
  }
  return nodes
}

function apiNode(world: ProcessWorld, begun: () => Promise<void>): ApiNode {
  /** The signals that ended each earlier process. */
  const signals: ('SIGKILL' | 'SIGTERM')[] = []
  let runs = true
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    signals.push(signal)
    runs = false
    const startedMs = performance.now()
    const { code } = await world.end(signal)
    return { code, ms: Math.round(performance.now() - startedMs) }
  }
  return {
    world,
    // A call sent after SIGTERM and before the next process answers went to the process that ended. Its failure may be
    // noticed only when the next process already answers.
    incarnation: () => (runs ? signals.length : signals.length - 1),
    mayLeaveUnanswered: (failure, incarnation) => {
      const since = signals.slice(incarnation)
      return since.includes('SIGKILL') || (since.length > 0 && isOfAStop(failure))
    },
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    begin: async () => {
      await world.begin()
      await begun()
      runs = true
    },
  }
}
