// Several processes of one installation on its three servers, each to be ended, held and started again.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '../crash/build.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { type ServerProcess, startSupervised } from '../crash/server-process.ts'
import type { Node } from '../crash/stage.ts'
import { isOfAStop } from '../front-door/http-client.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { environmentOf, type Places, placesBeside } from '../servers/places.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'

/** A node that answers HTTP. */
export interface ApiNode extends Node {
  readonly world: ProcessWorld
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM; answers its exit code, and the milliseconds until it was gone. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>
  /** Starts it again after either. */
  begin(): Promise<void>
}

export interface SideBySide {
  readonly dataDir: string
  readonly places: Places
  readonly eventStore: EventStoreServer
  readonly redis: RedisServer
  readonly apis: readonly ApiNode[]
  /** Those that run; who ends one takes it out. */
  readonly projectors: ServerProcess[]
  startApi(env?: Readonly<Record<string, string>>, program?: string): Promise<ApiNode>
  startProjector(program?: string): Promise<ServerProcess>
  /** SIGTERM to all that run; one line for each that does not end with 0. */
  stopAll(): Promise<string[]>
  /** Ends and removes everything. */
  close(): Promise<void>
}

export async function openSideBySide(wanted: {
  readonly apis: number
  readonly projectors: number
  readonly program?: string
}): Promise<SideBySide> {
  const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
  const { places: beside } = await placesBeside(eventStore)
  const places = { ...beside, redisUrl: redis.url }
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-nodes-'))
  const apis: ApiNode[] = []
  const projectors: ServerProcess[] = []
  const startProjector = async (program = builtProgram()) => {
    const projector = await startSupervised(dataDir, { ...environmentOf(places), ROLES: 'projector' }, program)
    projectors.push(projector)
    return projector
  }
  const startApi = async (env = {}, program = builtProgram()) => {
    const api = apiNode(await openProcessWorld({ ROLES: 'api', ...env }, { dataDir, places, program }))
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
  const close = async () => {
    for (const projector of projectors.splice(0)) {
      projector.signal('SIGKILL')
      await projector.exited
    }
    await Promise.all(apis.map(({ world }) => world.close()))
    await Promise.all([eventStore.stop(), redis.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    for (let n = 0; n < wanted.projectors; n++) await startProjector(wanted.program)
    for (let n = 0; n < wanted.apis; n++) await startApi({}, wanted.program)
  } catch (failure) {
    await close()
    throw failure
  }
  return { dataDir, places, eventStore, redis, apis, projectors, startApi, startProjector, stopAll, close }
}

function apiNode(world: ProcessWorld): ApiNode {
  /** How each process so far was ended. */
  const told: ('SIGKILL' | 'SIGTERM')[] = []
  let runs = true
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    told.push(signal)
    runs = false
    const begun = performance.now()
    const { code } = await world.end(signal)
    return { code, ms: Math.round(performance.now() - begun) }
  }
  return {
    world,
    // What is sent after SIGTERM, and before the next one answers, was sent to the one that ends:
    // that nobody answered may be heard of only when the next one already does.
    lives: () => (runs ? told.length : told.length - 1),
    forgives: (failure, life) => {
      const since = told.slice(life)
      return since.includes('SIGKILL') || (since.length > 0 && isOfAStop(failure))
    },
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    begin: async () => {
      await world.begin()
      runs = true
    },
  }
}
