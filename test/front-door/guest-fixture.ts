// A tenant's game with a guest in it, created for each test, and the tenant's calls about them: what tests of
// bans and of deletions begin with.

import { clientToken, type Guest, type MadeGame, makeGame, signInGuest } from './game-fixtures.ts'
import type { Answered } from './http-client.ts'
import { openTenant, type Tenant } from './tenant.ts'
import type { World } from './world.ts'

export interface GuestFixture {
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
export function guestFixture(): GuestFixture {
  const calls: Pick<GuestFixture, 'call' | 'path' | 'submit'> = {
    call: (method, path, body, headers = {}) =>
      fixture.world.call(method, path, { token: fixture.game.token, headers, ...(body === undefined ? {} : { body }) }),
    path: (id = fixture.guest.id) => `/api/gm/${fixture.game.id}/players/${id}/`,
    submit: (board, score, player, more = {}) =>
      fixture.call('POST', `/api/lb/${board}/score/`, { score, player, ...more }),
  }
  const fixture = calls as GuestFixture
  before(async () => {
    fixture.tenant = await openTenant()
    fixture.world = fixture.tenant.world
  })
  beforeEach(async () => {
    fixture.game = await makeGame(fixture.world)
    fixture.client = await clientToken(fixture.world, fixture.game)
    fixture.guest = await signInGuest(fixture.world, fixture.game, fixture.client, 'Ada')
  })
  return fixture
}
