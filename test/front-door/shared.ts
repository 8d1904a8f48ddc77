// One server for all suites that do not disturb each other: they create games of their own, and set the clock forward
// only.

import { rmSync } from 'node:fs'
import { atEnd } from '../at-end.ts'
import { openWorld, type World } from './world.ts'

let opened: Promise<World> | null = null

atEnd(async () => (await opened)?.close())

export function sharedWorld(): Promise<World> {
  opened ??= open()
  return opened
}

async function open(): Promise<World> {
  const world = await openWorld()
  process.once('exit', () => rmSync(world.dataDir, { recursive: true, force: true }))
  return world
}
