// Every place of the API that takes the id of a leaderboard takes its key too, and answers both alike: for callers of
// its game and of another one, with all permissions, with exactly the needed one, and with those that are not enough.
// The places are found in the route table, so a new one cannot be left out.

import { expect } from 'chai'
import type { z } from 'zod'
import type { Route } from '../../http/route.ts'
import { keyToken, type MadeGame, makeBoard } from '../front-door/game-fixtures.ts'
import type { Answered } from '../front-door/http-client.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type Sample, type SampleGame, TABLE } from './samples.ts'

const EVERYTHING = ['*', '*:*', '*:*:*']
const NAMES = ['board', 'leaderboard']

/** The fields of an object schema, also behind a transformation. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  if ('shape' in schema) return Object.keys(schema.shape as object)
  return 'in' in schema ? fieldsOf(schema.in as z.ZodType) : []
}

const inPath = TABLE.filter(({ path }) => /:(?:leaderboard|board)\b/.test(path))
const inQuery = TABLE.filter(({ query }) => fieldsOf(query).some((name) => NAMES.includes(name)))
const inBody = TABLE.filter(({ body }) => fieldsOf(body).some((name) => NAMES.includes(name)))

/** A caller, by what is known of the leaderboard: its game, its id and its key. */
interface Who {
  readonly what: string
  readonly kind: 'server' | 'client'
  readonly isOther?: true
  /** 403 for the key, whatever the id is answered: a permission never names a key, and another game’s is unknown. */
  readonly isUnlike?: true
  permissions(of: { readonly needed: (board: string) => string; readonly id: string; readonly key: string }): string[]
}

const KINDS = ['server', 'client'] as const
const WHO: readonly Who[] = KINDS.flatMap((kind): Who[] => [
  { what: 'everything', kind, permissions: () => EVERYTHING },
  { what: 'the needed permission with a wildcard', kind, permissions: ({ needed }) => [needed('*')] },
  { what: 'the needed permission on the id', kind, permissions: ({ needed, id }) => [needed(id)] },
  { what: 'the needed permission on the key', kind, isUnlike: true, permissions: ({ needed, key }) => [needed(key)] },
  { what: 'the needed permission on another id', kind, permissions: ({ needed }) => [needed('b'.repeat(24))] },
  { what: 'another permission on the id', kind, permissions: ({ id }) => [`lb:${id}:nothing`] },
  { what: 'nothing', kind, permissions: () => [] },
  { what: 'everything in another game', kind, isOther: true, permissions: () => EVERYTHING },
  {
    what: 'the needed permission on the id in another game',
    kind,
    isOther: true,
    isUnlike: true,
    permissions: (of) => [of.needed(of.id)],
  },
  { what: 'nothing in another game', kind, isOther: true, permissions: () => [] },
])

describe('keys in place of the ids of leaderboards', () => {
  let world: World
  let a: SampleGame
  let b: SampleGame
  let keys = 0

  before(async () => {
    world = await openWorld()
    a = await makeSampleGame(world, 'AAA')
    b = await makeSampleGame(world, 'BBB')
  })
  after(() => world.close())

  const tokenOfWho = ({ kind, isOther }: Who, permissions: readonly string[]) =>
    keyToken(world, isOther === true ? b.game : a.game, { kind, permissions })

  /** Gives a leaderboard a new key. */
  async function keyed(id: string, { token }: MadeGame = a.game): Promise<string> {
    const key = `key-${keys++}`
    must(await world.call('PUT', `/api/lb/${id}/`, { token, body: { key } }), 200)
    return key
  }

  const outcomeOf = ({ status, body }: Answered) =>
    status < 400
      ? { status }
      : { status, code: body.code, ...(body.needed === undefined ? {} : { needed: body.needed }) }

  it('are looked for in every path, query and body that takes an id', () => {
    expect(inPath.map(nameOf)).to.include.members([
      ...['GET /api/lb/:leaderboard/', 'PUT /api/lb/:leaderboard/', 'DELETE /api/lb/:leaderboard/'],
      ...['GET /api/lb/:leaderboard/score/', 'POST /api/lb/:leaderboard/score/', 'POST /api/lb/:leaderboard/preview/'],
      ...['GET /api/lb/:leaderboard/history/', 'GET /api/lb/:leaderboard/rebuild/'],
    ])
    expect(inPath.filter(({ path }) => !path.startsWith('/api/lb/:leaderboard/')).map(nameOf)).to.deep.equal([])
    expect(inQuery.map(nameOf)).to.deep.equal(['GET /api/gm/:game/events/'])
    // A body that names leaderboards needs a test here.
    expect(inBody.map(nameOf)).to.deep.equal([])
  })

  for (const route of inPath) {
    describe(nameOf(route), () => {
      const sample = SAMPLES[nameOf(route)] as Sample
      const template = typeof route.needs === 'string' ? '' : route.needs.permission
      const needed = (board: string) => template.replace('{leaderboard}', board)

      async function call(token: string, given: string, params: Readonly<Record<string, string>>) {
        const sent = await goodCall(sample, a)
        return world.call(route.method, pathOf(route, { ...params, leaderboard: given }), { ...sent, token })
      }

      /** What an own leaderboard answers, named by its id or its key; `needed` has what was sent. */
      async function answered(who: Who, by: 'id' | 'key') {
        const params = (await sample.params?.(a)) ?? {}
        const id = params.leaderboard ?? ''
        const key = await keyed(id)
        const token = await tokenOfWho(who, who.permissions({ needed, id, key }))
        const given = by === 'id' ? id : key
        const answer = await call(token, given, params)
        return { answer, id, key, outcome: hiding(outcomeOf(answer), given) }
      }

      for (const who of WHO) {
        it(`answers a ${who.kind} key of ${who.what} as for the id`, async () => {
          const [byId, byKey] = [await answered(who, 'id'), await answered(who, 'key')]
          const isUnknown = who.isUnlike === true
          expect(byKey.outcome).to.deep.equal(isUnknown ? refusedTo(who, route, needed('GIVEN')) : byId.outcome)
          if (byKey.answer.status >= 400) return
          const { key: _, ...shown } = byKey.answer.body
          const text = JSON.stringify('leaderboard' in shown ? { ...shown, leaderboard: withoutKey(shown) } : shown)
          expect(text, 'the answer has no key beside a Leaderboard').to.not.include(byKey.key)
        })
      }

      for (const who of WHO) {
        it(`answers a ${who.kind} key of ${who.what} to an unknown key with 404 or 403`, async () => {
          const params = (await sample.params?.(a)) ?? {}
          const id = params.leaderboard ?? ''
          const key = `unknown-${keys++}`
          const token = await tokenOfWho(who, who.permissions({ needed, id, key }))
          const isTenant = who.kind === 'server' || !route.tenantOnly
          const isWild =
            isTenant && who.permissions({ needed, id, key }).some((one) => one === needed('*') || one === '*:*:*')
          const due = isWild ? { status: 404, code: 'leaderboard_not_found' } : refusedTo(who, route, needed(key))
          expect(outcomeOf(await call(token, key, params))).to.deep.equal(due)
        })
      }

      it('knows no key for the operator, whose token has no game', async () => {
        const params = (await sample.params?.(a)) ?? {}
        const token = await tokenOf(world, world.operator)
        for (const given of [await keyed(params.leaderboard ?? ''), 'unknown-to-all']) {
          const due = { status: 403, code: 'permission_needed', needed: needed(given) }
          expect(outcomeOf(await call(token, given, params))).to.deep.equal(due)
        }
      })

      if (route.records)
        it('answers a repeated call as recorded after its key has moved, and changes nothing on the other leaderboard', async () => {
          const { world, game } = a
          const params = (await sample.params?.(a)) ?? {}
          const { token } = game
          const [id = '', other] = [params.leaderboard, await makeBoard(world, game, { name: 'AAA next' })]
          const key = await keyed(id)
          const headers = { 'idempotency-key': key }
          const good = await goodCall(sample, a)
          const body = sample.asPlayer === true ? { body: { ...(good.body as object), player: a.player } } : {}
          const sent = { ...good, ...body, token, headers }
          const path = pathOf(route, { ...params, leaderboard: key })
          const first = await world.call(route.method, path, sent)
          expect(first.status).to.equal(sample.ok)
          // Archiving has released it.
          if (route.method !== 'DELETE' || route.path !== '/api/lb/:leaderboard/')
            must(await world.call('PUT', `/api/lb/${id}/`, { token, body: { key: null } }), 200)
          must(await world.call('PUT', `/api/lb/${other}/`, { token, body: { key } }), 200)
          const history = () => world.call('GET', `/api/gm/${game.id}/events/?board=${other}`, { token })
          const before = await history()
          const again = await world.call(route.method, path, sent)
          // Counted when it is asked for.
          const counted = 'total' in first.body ? { total: again.body.total } : {}
          const due = [first.status, 'true', { ...first.body, ...counted }]
          expect([again.status, again.headers['idempotent-replay'], again.body]).to.deep.equal(due)
          expect((await history()).text).to.equal(before.text)
        })

      it('finds the leaderboard of the caller’s game where two games have the same key', async () => {
        const params = (await sample.params?.(a)) ?? {}
        const key = await keyed(params.leaderboard ?? '')
        const other = await makeBoard(world, b.game, { name: 'BBB same key', key })
        const token = await keyToken(world, b.game, { permissions: ['lb:*:details', needed(other)] })
        expect(must(await world.call('GET', `/api/lb/${key}/`, { token }), 200).id).to.equal(other)
        const answer = await call(token, key, params)
        expect(answer.text).to.not.include('AAA')
        expect(answer.text).to.not.include(params.leaderboard)
      })
    })
  }

  for (const route of inQuery) {
    describe(`${nameOf(route)} in the query`, () => {
      const name = fieldsOf(route.query).find((field) => NAMES.includes(field)) ?? ''
      const call = async (token: string, given: string, sampleGame: SampleGame) => {
        const params = (await (SAMPLES[nameOf(route)] as Sample).params?.(sampleGame)) ?? {}
        return world.call(route.method, `${pathOf(route, params)}?${name}=${given}`, { token })
      }

      it('answers a key as the id, and an unknown one or one of another game as an unknown id', async () => {
        const id = await makeBoard(world, a.game, { name: 'AAA asked' })
        const key = await keyed(id)
        const [byId, byKey] = [await call(a.game.token, id, a), await call(a.game.token, key, a)]
        expect([byId.status, byKey.status, byKey.text]).to.deep.equal([200, 200, byId.text])
        expect(byKey.text).to.include(id)
        const unknownId = outcomeOf(await call(a.game.token, 'b'.repeat(24), a))
        expect(unknownId).to.deep.equal({ status: 404, code: 'leaderboard_not_found' })
        expect(outcomeOf(await call(a.game.token, 'unknown-key', a))).to.deep.equal(unknownId)
        expect(outcomeOf(await call(b.game.token, key, b))).to.deep.equal(unknownId)
        await makeBoard(world, b.game, { name: 'BBB same key', key })
        expect((await call(b.game.token, key, b)).text).to.not.include(id)
      })
    })
  }
})

/** A refusal with the id or key that was sent replaced. */
const hiding = <Outcome extends object>(outcome: Outcome, given = 'GIVEN'): Outcome =>
  JSON.parse(JSON.stringify(outcome).replaceAll(given, 'GIVEN'))

const withoutKey = ({ leaderboard }: { leaderboard?: unknown }) =>
  typeof leaderboard === 'object' ? { ...leaderboard, key: null } : leaderboard

function refusedTo({ kind }: Who, { tenantOnly }: Route, needed: string) {
  if (tenantOnly && kind === 'client') return { status: 403, code: 'tenant_only' }
  return { status: 403, code: 'permission_needed', needed }
}
