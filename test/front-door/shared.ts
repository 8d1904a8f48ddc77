// One server for all suites that do not disturb each other: they create their own games, and only set the clock forward.

import { after } from 'mocha'
import { openWorld, type World } from './world.ts'

let opened: Promise<World> | null = null

export function sharedWorld(): Promise<World> {
  opened ??= openWorld()
  return opened
}

after('close the shared server', async () => {
  await (await opened)?.close()
})
