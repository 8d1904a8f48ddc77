// Null in bodies: in a POST it means that an optional field is left out, unless null has a meaning of its own; in a PUT
// it is accepted only where the value of a field may be null.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { z } from 'zod'
import { nameOf, TABLE } from '../security/samples.ts'
import { clientToken } from './game-fixtures.ts'
import { openTenant, type Tenant } from './tenant.ts'
import { must } from './world.ts'

/** Optional fields of POST bodies that do not take null. */
const NOT_NULL = [
  'POST /api/auth/jwt/redeem/ permissions',
  'POST /api/gm/:game/keys/ permissions',
  'POST /api/gm/:game/token/ permissions',
]
/** Optional fields whose null means something else than leaving them out. */
const OWN_MEANING = [
  'POST /api/lb/:leaderboard/preview/ key',
  'POST /api/lb/:leaderboard/preview/ max_score',
  'POST /api/lb/:leaderboard/preview/ min_score',
  'POST /api/lb/:leaderboard/preview/ seasons',
  'PUT /api/gm/:game/limits/ recorded_bytes_per_day',
  'PUT /api/lb/:leaderboard/ key',
  'PUT /api/lb/:leaderboard/ max_score',
  'PUT /api/lb/:leaderboard/ min_score',
  'PUT /api/lb/:leaderboard/ seasons',
]

/** The optional fields of each body: `<route> <field>` with its schema. */
function optionalFields(method: string): [string, z.ZodType][] {
  return TABLE.filter((route) => route.method === method && route.body !== undefined).flatMap((route) => {
    const body = route.body instanceof z.ZodOptional ? route.body.unwrap() : route.body
    if (!(body instanceof z.ZodObject)) throw new Error(`the body of ${nameOf(route)} is no object`)
    const shape: Readonly<Record<string, z.ZodType>> = body.shape
    return Object.entries(shape)
      .filter(([, schema]) => schema.safeParse(undefined).success)
      .map(([name, schema]): [string, z.ZodType] => [`${nameOf(route)} ${name}`, schema])
  })
}

const outcome = (schema: z.ZodType, value: unknown) => schema.safeParse(value)

describe('null in a body', () => {
  it('means in every POST that an optional field is left out, but for permissions and for bounds in a preview', () => {
    const found = optionalFields('POST')
    expect(found.length).to.be.greaterThan(30)
    const refused = found.filter(([, schema]) => !outcome(schema, null).success).map(([name]) => name)
    expect(refused.sort()).to.deep.equal(NOT_NULL)
    const differing = found
      .filter(([name]) => !NOT_NULL.includes(name))
      .filter(([, schema]) => outcome(schema, null).data !== outcome(schema, undefined).data)
      .map(([name]) => name)
    expect(differing.sort()).to.deep.equal(OWN_MEANING.filter((name) => name.startsWith('POST')))
  })

  it('is accepted in a PUT only where the value of a field may be null', () => {
    const accepted = optionalFields('PUT')
      .filter(([, schema]) => outcome(schema, null).success)
      .map(([name]) => name)
    expect(accepted.sort()).to.deep.equal(OWN_MEANING.filter((name) => name.startsWith('PUT')))
  })

  describe('under one Idempotency-Key', () => {
    let tenant: Tenant
    before(async () => {
      tenant = await openTenant()
    })

    const CALLS: readonly (readonly [string, string, object, object])[] = [
      ['a player', 'players/', { name: 'Ada' }, { name: 'Ada', external_id: null }],
      [
        'a leaderboard',
        'lb/',
        { name: 'L', ordering: 'asc' },
        {
          ...{ name: 'L', ordering: 'asc', description: null, secondary_ordering: null, unique: null },
          ...{ min_score: null, max_score: null },
        },
      ],
      ['a bucket', 'buckets/', { name: 'B' }, { name: 'B', max_files: null, monthly_download_bytes: null }],
      [
        'a key',
        'keys/',
        { name: 'K', kind: 'client', algorithm: 'ed25519' },
        { name: 'K', kind: 'client', algorithm: 'ed25519', public_key: null },
      ],
      ['a ticket', 'player/ticket/', { external_id: 'x' }, { player: null, external_id: 'x', name: null }],
    ]
    for (const [what, path, without, withNull] of CALLS) {
      it(`makes ${what} once for a call without the optional fields and one with null in them`, async () => {
        const { world, game } = tenant
        const headers = { 'idempotency-key': randomUUID() }
        const call = (body: object) =>
          world.call('POST', `/api/gm/${game.id}/${path}`, { token: game.token, body, headers })
        const first = await call(without)
        const second = await call(withNull)
        expect([second.status, second.headers['idempotent-replay'], second.body]).to.deep.equal([
          201,
          'true',
          must(first, 201),
        ])
      })
    }

    it('signs one guest in for no token, null and an empty token, and for no body', async () => {
      const { world, game } = tenant
      const token = await clientToken(world, game)
      const headers = { 'idempotency-key': randomUUID() }
      const ids: string[] = []
      for (const body of [undefined, {}, { guest_token: '' }, { guest_token: null, name: null }]) {
        const sent = body === undefined ? { token, headers } : { token, headers, body }
        ids.push(must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, sent), 201).player.id)
      }
      expect(new Set(ids).size).to.equal(1)
    })
  })
})
