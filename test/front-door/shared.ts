// One server for all suites that do not disturb each other: they create games of their own, and set the clock forward only.

import { rmSync } from 'node:fs'
import { atEnd } from '../at-end.ts'
import { openWorld, type World } from './world.ts'

let opened: Promise<World> | null = null

export function sharedWorld(): Promise<World> {
  opened ??= open()
  return opened
}

async function open(): Promise<World> {
  const world = await openWorld()
  const removeFolder = () => rmSync(world.dataDir, { recursive: true, force: true })
  process.once('exit', removeFolder)
  atEnd(async () => {
    process.removeListener('exit', removeFolder)
    await world.close()
  })
  return world
}
