// A tenant's game with a guest in it, created for each test, and the tenant's calls about them: what tests of
// bans and of deletions begin with.

import type { Answered } from './http-client.ts'
import { clientToken, type Guest, type MadeGame, makeGame, signInGuest } from './scenery.ts'
import { openTenant, type Tenant } from './tenant.ts'
import type { World } from './world.ts'

export interface GuestScene {
  tenant: Tenant
  world: World
  game: MadeGame
  /** A token of a client key of the game. */
  client: string
  guest: Guest
  /** With the tenant's token. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  /** Where the tenant finds a player; without an id the guest. */
  path(id?: string): string
  /** By the tenant, for a player. */
  submit(board: string, score: string, player: string, more?: object): Promise<Answered>
}

/** To be called where a suite is described: what it gives is there once a test begins. */
export function guestScene(): GuestScene {
  const calls: Pick<GuestScene, 'call' | 'path' | 'submit'> = {
    call: (method, path, body, headers = {}) =>
      scene.world.call(method, path, { token: scene.game.token, headers, ...(body === undefined ? {} : { body }) }),
    path: (id = scene.guest.id) => `/api/gm/${scene.game.id}/players/${id}/`,
    submit: (board, score, player, more = {}) =>
      scene.call('POST', `/api/lb/${board}/score/`, { score, player, ...more }),
  }
  const scene = calls as GuestScene
  before(async () => {
    scene.tenant = await openTenant()
    scene.world = scene.tenant.world
  })
  beforeEach(async () => {
    scene.game = await makeGame(scene.world)
    scene.client = await clientToken(scene.world, scene.game)
    scene.guest = await signInGuest(scene.world, scene.game, scene.client, 'Ada')
  })
  return scene
}
