// A game of a tenant with a guest, created for each test, and the tenant’s calls about the guest.

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
  /** Calls with the tenant’s token. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  /** The tenant’s path of a player; by default of the guest. */
  path(id?: string): string
  /** Submits with the tenant’s token for a player. */
  submit(board: string, score: string, player: string, more?: object): Promise<Answered>
}

/** Call it in the body of a `describe`: its fields are set once a test begins. */
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
