// One server for all suites that do not mind each other: they make games of their own, and set the clock forward only.

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
