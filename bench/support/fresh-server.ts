// Runs our server on a temporary folder for one measurement.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startOurs } from './processes.ts'
import { makeWorld, type NewBoard, type World } from './test-game.ts'

export interface Fresh {
  readonly server: Server
  readonly world: World
  readonly dataDir: string
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

const BOARD: NewBoard = { name: 'Bench', unique: true }

/** A server on an empty folder, with a game and a unique board in it. */
export async function freshServer(env: NodeJS.ProcessEnv = {}, checkout?: string): Promise<Fresh> {
  const dataDir = await freshFolder()
  const server = await startOurs(dataDir, env, checkout)
  const world = await makeWorld(server.port, dataDir, BOARD)
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
  return { server, world, dataDir, stop }
}

export function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'scorebook-bench-'))
}
