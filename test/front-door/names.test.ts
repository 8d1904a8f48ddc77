// Where names are checked: everywhere they are set, and not where they are compared with what is stored.

import { expect } from 'chai'
import { z } from 'zod'
import { nameOf, TABLE } from '../security/samples.ts'
import { clientToken } from './game-fixtures.ts'
import { openTenant, outcome, type Tenant } from './tenant.ts'

const INVISIBLE = '\u200b\u200b'
const DETAIL = 'must not contain U+200B, which shows nothing: remove it'

describe('names that show nothing', () => {
  it('are refused by every route that sets a name, and only compared when a game is deleted and a player signs in', () => {
    const found = TABLE.flatMap((route) => {
      const body = route.body instanceof z.ZodOptional ? route.body.unwrap() : route.body
      const shape: Readonly<Record<string, z.ZodType>> = body instanceof z.ZodObject ? body.shape : {}
      return Object.entries(shape)
        .filter(([field]) => ['name', 'player_name', 'login'].includes(field))
        .map(([field, schema]) => [`${nameOf(route)} ${field}`, schema.safeParse(INVISIBLE).success] as const)
    })
    expect(found.filter(([, accepted]) => accepted).map(([field]) => field)).to.deep.equal([
      'DELETE /api/gm/:game/ name',
      'POST /api/gm/:game/player/password/ login',
    ])
    expect(found.filter(([, accepted]) => !accepted).length).to.be.greaterThan(14)
  })

  describe('over HTTP', () => {
    let tenant: Tenant
    before(async () => {
      tenant = await openTenant()
    })

    const SET: readonly (readonly [string, string, string, object, string])[] = [
      ['a player', 'POST', 'players/', { name: INVISIBLE }, '/name'],
      ['a leaderboard', 'POST', 'lb/', { name: INVISIBLE, ordering: 'asc' }, '/name'],
      ['a fixed room', 'PUT', '', { fixed_rooms: [roomNamed(INVISIBLE)] }, '/fixed_rooms/0/name'],
    ]
    for (const [what, method, path, body, pointer] of SET) {
      it(`are refused for ${what}, with the character and its place`, async () => {
        const { world, game } = tenant
        const answer = await world.call(method, `/api/gm/${game.id}/${path}`, { token: game.token, body })
        expect([answer.status, answer.body.errors]).to.deep.equal([400, [{ pointer, detail: DETAIL }]])
      })
    }

    it('are compared at a deletion and a sign-in, so that what was set before can still be named', async () => {
      const { world, game, operator } = tenant
      const deletion = { token: operator, body: { name: INVISIBLE } }
      expect(outcome(await world.call('DELETE', `/api/gm/${game.id}/`, deletion))).to.deep.equal({
        status: 409,
        code: 'name_mismatch',
      })
      const signIn = { token: await clientToken(world, game), body: { login: INVISIBLE, password: 'anything' } }
      expect(outcome(await world.call('POST', `/api/gm/${game.id}/player/password/`, signIn))).to.deep.equal({
        status: 401,
        code: 'sign_in_rejected',
      })
    })
  })
})

function roomNamed(name: string) {
  return { id: 'a', name, max_members: 2, listed: true }
}
