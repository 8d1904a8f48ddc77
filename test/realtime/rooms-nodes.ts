// Two rooms nodes on the three servers, as processes: without the API, or each with all roles. They can be killed,
// suspended and restarted.

import { type ServerProcess, startSupervised } from '../crash/server-process.ts'
import type { World } from '../front-door/world.ts'
import { type ApiNode, openSideBySide, type SideBySide } from '../nodes/side-by-side.ts'
import { environmentOf } from '../servers/store-urls.ts'

const SECRET = 'shared-by-two-nodes-of-rooms-and-the-api'

export interface RoomsNode {
  readonly port: number
  readonly pid: number
  /** kill -9. */
  kill(): Promise<void>
  begin(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  suspend(): void
  resume(): void
}

export interface RoomsNodes {
  readonly side: SideBySide
  /** A node that answers HTTP. */
  readonly world: World
  readonly nodes: readonly [RoomsNode, RoomsNode]
  close(): Promise<void>
}

/**
 * `apart`: one process with the API and the views, and two with the rooms only. `whole`: two processes with all roles.
 */
export async function openRoomsNodes(kind: 'apart' | 'whole'): Promise<RoomsNodes> {
  const side = await openSideBySide({ apis: 0, projectors: 0 })
  try {
    if (kind === 'whole') {
      const [a, b] = [await side.startApi({ ROLES: '' }), await side.startApi({ ROLES: '' })]
      return { side, world: a.world, nodes: [whole(a), whole(b)], close: () => side.close() }
    }
    const { world } = await side.startApi({ ROLES: 'api,projector', REALTIME_SECRET: SECRET })
    const env = {
      ...environmentOf(side.storeUrls),
      ROLES: 'rooms',
      REALTIME_SECRET: SECRET,
      API_URL: `http://127.0.0.1:${world.port}`,
    }
    const nodes = [await apart(side.dataDir, env), await apart(side.dataDir, env)] as const
    const close = async () => {
      await Promise.all(nodes.map((node) => node.kill()))
      await side.close()
    }
    return { side, world, nodes, close }
  } catch (failure) {
    await side.close()
    throw failure
  }
}

async function apart(dataDir: string, env: Readonly<Record<string, string>>): Promise<RoomsNode> {
  let server: ServerProcess = await startSupervised(dataDir, env)
  return {
    get port() {
      return server.port
    },
    get pid() {
      return server.pid
    },
    kill: async () => {
      server.signal('SIGKILL')
      await server.exited
    },
    begin: async () => {
      server = await startSupervised(dataDir, env)
    },
    suspend: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
  }
}

const whole = ({ world, kill, begin }: ApiNode): RoomsNode => ({
  get port() {
    return world.port
  },
  get pid() {
    return world.pid
  },
  kill,
  begin,
  suspend: () => world.signal('SIGSTOP'),
  resume: () => world.signal('SIGCONT'),
})
