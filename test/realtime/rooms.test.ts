// The rooms on one node, with everything in its process or on the servers under test.

import { openWorld } from '../front-door/world.ts'
import { roomsSuite } from './rooms.suite.ts'

roomsSuite('the rooms of a game', async () => {
  const world = await openWorld()
  return { world, ports: [world.port], close: () => world.close() }
})
