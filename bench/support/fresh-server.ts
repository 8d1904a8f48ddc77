// Runs our server on a temporary folder for one measurement.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startOurs, startProjector } from './processes.ts'
import { makeWorld, type NewBoard, type World } from './test-game.ts'

export interface Fresh {
  readonly server: Server
  readonly world: World
  readonly dataDir: string
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

const BOARD: NewBoard = { name: 'Bench', unique: true }

/** A server on an empty folder, with a game and a unique board in it, which other settings may change. */
export async function freshServer(
  env: NodeJS.ProcessEnv = {},
  checkout?: string,
  board: Partial<NewBoard> = {},
): Promise<Fresh> {
  const dataDir = await freshFolder()
  const server = await startOurs(dataDir, env, checkout)
  const world = await makeWorld(server.port, dataDir, { ...BOARD, ...board })
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
  return { server, world, dataDir, stop }
}

/** An API process and a projector process on the same servers. `server` is the API process. */
export async function freshApart(env: NodeJS.ProcessEnv): Promise<Fresh & { readonly projector: Pick<Server, 'pid'> }> {
  const dataDir = await freshFolder()
  // Neither is ready without the other: an API process waits for views.
  const [server, projector] = await Promise.all([
    startOurs(dataDir, { ...env, ROLES: 'api' }),
    startProjector(dataDir, env),
  ])
  const world = await makeWorld(server.port, dataDir, BOARD)
  const stop = async () => {
    await Promise.all([server.stop(), projector.stop()])
    await rm(dataDir, { recursive: true })
  }
  return { server, projector, world, dataDir, stop }
}

export function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'scorebook-bench-'))
}
