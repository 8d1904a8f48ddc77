// A board in a data folder whose events are written directly into the log.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { openLog } from '../../stores/embedded/log.ts'
import { type Append, appendAll } from './events.ts'
import { ROOT, startOurs, untilIdle } from './processes.ts'
import { makeWorld, type NewBoard, type World } from './test-game.ts'

/**
 * Makes a game with the board in an empty folder, and appends events of it by the code of `checkout`, which must be
 * built. Its views are built by `buildViews`.
 */
export async function recordBoard(
  dataDir: string,
  board: NewBoard,
  eventsOf: (world: World) => Iterable<Append>,
  checkout = ROOT,
): Promise<World> {
  const server = await startOurs(dataDir, {}, checkout)
  const world = await makeWorld(server.port, dataDir, board)
  await server.stop()
  const itsLog: { openLog: typeof openLog } = await import(pathToFileURL(join(checkout, 'stores/embedded/log.ts')).href)
  const log = await itsLog.openLog(join(dataDir, 'log.sqlite'))
  await appendAll(log, eventsOf(world))
  await log.close()
  // Without views the next start reads the whole log in large batches.
  await deleteViews(dataDir)
  return world
}

/** Builds the views by a server of `checkout`, which it stops once that is idle. */
export async function buildViews(dataDir: string, checkout = ROOT): Promise<void> {
  const server = await startOurs(dataDir, {}, checkout)
  await untilIdle(server)
  await server.stop()
}

export async function deleteViews(dataDir: string): Promise<void> {
  for (const file of await readdir(dataDir)) if (file.startsWith('views.sqlite')) await rm(join(dataDir, file))
}
