// Keys of leaderboards over HTTP: setting, changing and freeing them, calls that name a leaderboard by its key while it
// changes, repeated calls, and game clients that list leaderboards.

import { expect } from 'chai'
import {
  clientDefaults,
  clientToken,
  keyToken,
  type MadeGame,
  makeBoard,
  makeGame,
  makePlayer,
  signInGuest,
} from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openTenant, outcome, type Tenant } from './tenant.ts'
import { openNodes } from './two-nodes.ts'
import { must, type World } from './world.ts'

const TAKEN = { status: 409, code: 'leaderboard_key_taken' }
const NOT_FOUND = { status: 404, code: 'leaderboard_not_found' }

describe('keys of leaderboards', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let remove: Tenant['remove']

  beforeEach(async () => {
    const tenant = await openTenant()
    ;({ world, game, get, post, put, remove } = tenant)
  })

  const boards = () => `/api/gm/${game.id}/lb/`
  const idBy = async (key: string, token = game.token) => (await get(`/api/lb/${key}/`, token)).body.id
  const keyOf = async (id: string) => must(await get(`/api/lb/${id}/`), 200).key

  it('are set when the leaderboard is made, and stand after the fields of the specification', async () => {
    const made: Body = must(await post(boards(), { name: 'B', ordering: 'desc', key: 'weekly' }), 201)
    expect(Object.keys(made)).to.deep.equal([
      ...['id', 'name', 'description', 'game', 'ordering', 'secondary_ordering', 'unique'],
      ...['min_score', 'max_score', 'entries', 'key', 'seasons', 'keep'],
    ])
    expect(made.key).to.equal('weekly')
    for (const given of [made.id, 'weekly']) expect(must(await get(`/api/lb/${given}/`), 200)).to.deep.equal(made)
    expect((await get(boards())).body.leaderboards).to.deep.equal([made])
    expect((await get('/api/lb/weekly')).status, 'without the closing slash').to.equal(200)
  })

  it('are changed and removed by PUT, which keeps them if it does not name them', async () => {
    const id = await makeBoard(world, game)
    const set = async (body: object) => must(await put(`/api/lb/${id}/`, body), 200).key
    expect([await set({ key: 'one' }), await set({ name: 'N' }), await set({ key: 'two' })]).to.deep.equal([
      'one',
      'one',
      'two',
    ])
    expect([await idBy('one'), await idBy('two')]).to.deep.equal([undefined, id])
    expect(must(await put('/api/lb/two/', { key: 'three', description: 'D' }), 200).id).to.equal(id)
    expect([await set({ key: null }), await set({ key: null }), await keyOf(id)]).to.deep.equal([null, null, null])
    expect(outcome(await get('/api/lb/three/'))).to.deep.equal(NOT_FOUND)
  })

  it('have exactly one form; the refusal names the field and what is wrong', async () => {
    const id = await makeBoard(world, game)
    const ofId = 'must not have the form of an id, 24 characters of a-z and 2-7: add a hyphen, or make it shorter'
    const ofKey = 'must be 2 to 63 characters of a-z, 0-9 and hyphens that begin with a letter, such as "weekly-best"'
    const wrong: [unknown, string][] = [
      ...['', 'a', 'A1', '1a', '-a', 'a_b', 'a.b', 'ä1', 'a b', 'ab\n', `a${'b'.repeat(63)}`].map(
        (key): [unknown, string] => [key, ofKey],
      ),
      ...[7, true, ['weekly'], {}].map((key): [unknown, string] => [key, 'must be text, or null for none']),
      ['abcdefghijklmnopqrstuvwx', ofId],
      ['234567abcdefghijklmnopqr', ofId],
    ]
    for (const [key, detail] of wrong) {
      const errors = [{ pointer: '/key', detail }]
      for (const answer of [
        await post(boards(), { name: 'B', ordering: 'desc', key }),
        await put(`/api/lb/${id}/`, { key }),
      ]) {
        expect([key, answer.status, answer.body.code, answer.body.errors]).to.deep.equal([
          key,
          400,
          'malformed',
          errors,
        ])
      }
    }
    for (const key of ['ab', `a${'b'.repeat(62)}`, 'abcdefghijklmnopqrstuvw1', 'a--', 'score', 'rebuild']) {
      must(await put(`/api/lb/${id}/`, { key }), 200)
      expect([key, await idBy(key)]).to.deep.equal([key, id])
    }
  })

  it('are unique among the leaderboards of a game that are not archived', async () => {
    const [one, two] = [await makeBoard(world, game, { key: 'one' }), await makeBoard(world, game, { key: 'two' })]
    const refused = await post(boards(), { name: 'B', ordering: 'desc', key: 'one' })
    expect([outcome(refused), refused.body.leaderboard]).to.deep.equal([TAKEN, one])
    expect(outcome(await put(`/api/lb/${two}/`, { key: 'one', name: 'not set' }))).to.deep.equal(TAKEN)
    expect(must(await get(`/api/lb/${two}/`), 200)).to.include({ key: 'two', name: 'Board' })
    expect((await get(boards())).body.count, 'nothing was made').to.equal(2)
    must(await put(`/api/lb/${one}/`, { key: 'one' }), 200)
    const other = await makeGame(world)
    expect(await idBy('one', other.token), 'another game').to.equal(undefined)
    await makeBoard(world, other, { key: 'one' })
    must(await remove('/api/lb/one/'), 200)
    expect(outcome(await get('/api/lb/one/'))).to.deep.equal(NOT_FOUND)
    const next = await makeBoard(world, game, { key: 'one' })
    must(await put(`/api/lb/${two}/`, { key: null }), 200)
    must(await put(`/api/lb/${next}/`, { key: 'two' }), 200)
    expect([await idBy('one'), await idBy('two')]).to.deep.equal([undefined, next])
  })

  it('belong to what the ETag covers, and a changed leaderboard is refused before a taken key', async () => {
    const id = await makeBoard(world, game, { key: 'one' })
    await makeBoard(world, game, { key: 'two' })
    const { etag = '' } = (await get('/api/lb/one/')).headers
    must(await put('/api/lb/one/', { key: 'three' }, { 'if-match': etag }), 200)
    const stale = await put(`/api/lb/${id}/`, { key: 'two' }, { 'if-match': etag })
    expect(outcome(stale)).to.deep.equal({ status: 412, code: 'precondition_failed' })
    expect(outcome(await put(`/api/lb/${id}/`, { key: 'two' }))).to.deep.equal(TAKEN)
  })

  it('are set together with other rules, at once; the rules follow', async () => {
    const id = await makeBoard(world, game, { ordering: 'desc' })
    const changed = must(await put(`/api/lb/${id}/`, { key: 'laps', ordering: 'asc' }), 202)
    expect(changed.leaderboard).to.include({ id, key: 'laps', ordering: 'asc' })
    expect(await keyOf(id)).to.equal('laps')
  })

  it('are answered as of the instant of a read with as_of', async () => {
    const id = await makeBoard(world, game, { key: 'one' })
    const before = new Date(world.clock.nowMs).toISOString()
    world.clock.nowMs += 1_000
    must(await put(`/api/lb/${id}/`, { key: 'two' }), 200)
    expect(must(await get(`/api/lb/two/?as_of=${before}`), 200)).to.include({ id, key: 'one' })
  })

  it('are never named by a permission: an unknown one is 404 with a wildcard, and 403 with the path as sent else', async () => {
    const id = await makeBoard(world, game, { key: 'weekly' })
    const held = ['lb:weekly:scores', `lb:${id}:scores`, 'lb:daily:scores', `lb:${id}:submit`]
    const narrow = await keyToken(world, game, { permissions: held })
    const wide = await keyToken(world, game, { permissions: ['lb:*:scores'] })
    const needing = (key: string, action = 'scores') => [403, 'permission_needed', `lb:${key}:${action}`]
    const asked = async (key: string, token: string) => {
      const { status, body } = await get(`/api/lb/${key}/score/`, token)
      return status === 200 ? [200, body.leaderboard] : [status, body.code, body.needed]
    }
    expect(await asked('weekly', narrow)).to.deep.equal([200, id])
    expect(await asked('daily', narrow)).to.deep.equal(needing('daily'))
    expect(await asked('daily', wide)).to.deep.equal([404, 'leaderboard_not_found', undefined])
    must(await put(`/api/lb/${id}/`, { key: 'daily' }), 200)
    expect(await asked('weekly', narrow)).to.deep.equal(needing('weekly'))
    expect(await asked('daily', narrow)).to.deep.equal([200, id])
    const onlyTheKey = await keyToken(world, game, { permissions: ['lb:daily:scores'] })
    expect(await asked('daily', onlyTheKey)).to.deep.equal(needing('daily'))
  })

  it('name the leaderboard for which a player may be submitted', async () => {
    const id = await makeBoard(world, game, { key: 'weekly' })
    const player = await makePlayer(world, game)
    const submit = (token: string) => post('/api/lb/weekly/score/', { score: '1', player }, token)
    const byId = await keyToken(world, game, { permissions: ['lb:*:submit', `lb:${id}:submit_for`] })
    const byKey = await keyToken(world, game, { permissions: ['lb:*:submit', 'lb:weekly:submit_for'] })
    expect((await submit(byId)).status).to.equal(201)
    const refused = await submit(byKey)
    expect([refused.status, refused.body.needed]).to.deep.equal([403, 'submit_for'])
  })

  it('let game clients play without an id: they list the leaderboards that are not archived, and submit by key', async () => {
    const id = await makeBoard(world, game, { key: 'weekly' })
    const gone = await makeBoard(world, game, { key: 'gone' })
    must(await remove(`/api/lb/${gone}/`), 200)
    const client = await clientToken(world, game)
    const { token } = await signInGuest(world, game, client)
    for (const of of [client, token]) {
      const listed = must(await get(boards(), of), 200)
      expect(listed).to.deep.equal(must(await get(boards()), 200))
      expect(listed.leaderboards.map((one: Body) => one.id)).to.deep.equal([id])
    }
    const submitted = must(await post('/api/lb/weekly/score/', { score: '5' }, token), 201)
    const page = must(await get('/api/lb/weekly/score/', token), 200)
    expect([page.leaderboard, page.scores[0].id]).to.deep.equal([id, submitted.id])
    expect(outcome(await post(boards(), { name: 'B', ordering: 'desc' }, token))).to.deep.equal({
      status: 403,
      code: 'tenant_only',
    })
  })

  it('are listed only to client keys that hold the permission, which older ones do not', async () => {
    const permissions = clientDefaults(game.id).filter((one) => one !== `gm:${game.id}:boards`)
    const older = await keyToken(world, game, { kind: 'client', permissions })
    const { status, body } = await get(boards(), older)
    expect([status, body.code, body.needed]).to.deep.equal([403, 'permission_needed', `gm:${game.id}:boards`])
    const other = await makeGame(world)
    expect(outcome(await get(`/api/gm/${other.id}/lb/`, await clientToken(world, game)))).to.deep.equal({
      status: 403,
      code: 'permission_needed',
    })
  })

  describe('in calls with an Idempotency-Key', () => {
    const repeat = { 'idempotency-key': 'the-same' }
    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = repeat) =>
      world.call(method, path, { token: game.token, headers, ...(body === undefined ? {} : { body }) })

    it('bind it to the path as it was sent', async () => {
      const id = await makeBoard(world, game, { key: 'weekly' })
      const body = { score: '1', player: await makePlayer(world, game) }
      must(await call('POST', '/api/lb/weekly/score/', body), 201)
      const reused = { status: 422, code: 'idempotency_key_reused' }
      expect(outcome(await call('POST', `/api/lb/${id}/score/`, body))).to.deep.equal(reused)
      must(await put(`/api/lb/${id}/`, { key: 'daily' }), 200)
      expect(outcome(await call('POST', '/api/lb/daily/score/', body))).to.deep.equal(reused)
    })

    it('answer a repeat from the leaderboard of the first call after its key was moved to another, or to none', async () => {
      const one = await makeBoard(world, game, { key: 'weekly' })
      const body = { score: '7', player: await makePlayer(world, game) }
      const first = must(await call('POST', '/api/lb/weekly/score/', body), 201)
      must(await put(`/api/lb/${one}/`, { key: 'last-week' }), 200)
      const again = async () => {
        const answer = await call('POST', '/api/lb/weekly/score/', body)
        return [answer.status, answer.headers['idempotent-replay'], answer.body]
      }
      expect(await again()).to.deep.equal([201, 'true', first])
      const two = await makeBoard(world, game, { key: 'weekly' })
      expect(await again()).to.deep.equal([201, 'true', first])
      expect((await get(`/api/lb/${two}/score/`)).body.count, 'it had no second effect').to.equal(0)
      must(await remove(`/api/lb/${one}/`), 200)
      const [status, replayed, shown] = await again()
      expect([status, replayed, shown.id]).to.deep.equal([201, 'true', first.id])
    })

    it('answer a repeat only to who may call the leaderboard of the first call', async () => {
      const one = await makeBoard(world, game, { key: 'weekly' })
      const body = { score: '7', player: await makePlayer(world, game) }
      must(await call('POST', '/api/lb/weekly/score/', body), 201)
      must(await put(`/api/lb/${one}/`, { key: null }), 200)
      const two = await makeBoard(world, game, { key: 'weekly' })
      // The key that sent the call may do so on the other leaderboard only from now on.
      const keyPath = `/api/gm/${game.id}/keys/${game.server.prefix}/`
      const permissions = [`gm:${game.id}:keys`, `lb:${two}:submit`, 'submit_for']
      must(await put(keyPath, { permissions }), 200)
      const { status, body: refusal } = await call('POST', '/api/lb/weekly/score/', body)
      expect([status, refusal.code, refusal.needed]).to.deep.equal([403, 'permission_needed', 'lb:weekly:submit'])
    })

    it('answer the id again to a repeated archiving, and the key again to a repeated change', async () => {
      const id = await makeBoard(world, game, { key: 'weekly' })
      const changed = must(await call('PUT', '/api/lb/weekly/', { key: 'daily' }), 200)
      const again = await call('PUT', '/api/lb/weekly/', { key: 'daily' })
      expect([again.status, again.headers['idempotent-replay'], again.body]).to.deep.equal([200, 'true', changed])
      const archive = { 'idempotency-key': 'archive' }
      for (const replayed of [undefined, 'true']) {
        const { status, headers, body } = await call('DELETE', '/api/lb/daily/', undefined, archive)
        expect([status, headers['idempotent-replay'], body]).to.deep.equal([200, replayed, { deleted: id }])
      }
    })

    it('make one leaderboard with the key, however often they are repeated', async () => {
      const body = { name: 'B', ordering: 'desc', key: 'weekly' }
      const made = must(await call('POST', boards(), body), 201)
      const again = await call('POST', boards(), body)
      expect([again.status, again.headers['idempotent-replay'], again.body]).to.deep.equal([201, 'true', made])
      must(await put(`/api/lb/${made.id}/`, { key: null }), 200)
      await makeBoard(world, game, { key: 'weekly' })
      expect(must(await call('POST', boards(), body), 201)).to.include({ id: made.id, key: 'weekly' })
      expect(await keyOf(made.id)).to.equal(null)
    })
  })
})

describe('keys of leaderboards on two nodes', () => {
  let nodes: Awaited<ReturnType<typeof openNodes>>
  let game: MadeGame
  beforeEach(async () => {
    nodes = await openNodes()
    game = await makeGame(nodes.a)
    await nodes.b.caughtUp()
  })
  afterEach(() => nodes.close())

  const asked = async (world: World, key: string, headers: Record<string, string> = {}) => {
    const { status, body } = await world.call('GET', `/api/lb/${key}/`, { token: game.token, headers })
    return status === 200 ? body.id : body.code
  }
  const change = (id: string, key: string | null) =>
    nodes.a.call('PUT', `/api/lb/${id}/`, { token: game.token, body: { key } })

  it('are seen by the caller who changed them: on that node, and with the consistency token on the other', async () => {
    const [one, two] = [await makeBoard(nodes.a, game, { key: 'weekly' }), await makeBoard(nodes.a, game)]
    await nodes.b.caughtUp()
    expect([await asked(nodes.a, 'weekly'), await asked(nodes.b, 'weekly')]).to.deep.equal([one, one])
    await nodes.b.stall()
    must(await change(one, 'daily'), 200)
    const { headers } = await change(two, 'weekly')
    const token = { 'x-consistency-token': String(headers['x-consistency-token']) }
    expect([await asked(nodes.a, 'weekly'), await asked(nodes.a, 'daily')]).to.deep.equal([two, one])
    expect(await asked(nodes.b, 'weekly', token), 'not the leaderboard of before').to.equal('behind')
    nodes.b.goOn()
    expect([await asked(nodes.b, 'weekly', token), await asked(nodes.b, 'daily', token)]).to.deep.equal([two, one])
  })

  it('answer a repeat on the other node from the leaderboard of the first call', async () => {
    const one = await makeBoard(nodes.a, game, { key: 'weekly' })
    const body = { score: '7', player: await makePlayer(nodes.a, game) }
    await nodes.b.caughtUp()
    const submit = (world: World) =>
      world.call('POST', '/api/lb/weekly/score/', { token: game.token, body, headers: { 'idempotency-key': 'k' } })
    const first = must(await submit(nodes.a), 201)
    must(await change(one, null), 200)
    const two = await makeBoard(nodes.a, game, { key: 'weekly' })
    await nodes.b.caughtUp()
    const again = await submit(nodes.b)
    expect([again.status, again.headers['idempotent-replay'], again.body.id]).to.deep.equal([201, 'true', first.id])
    const { count } = must(await nodes.a.call('GET', `/api/lb/${two}/score/`, { token: game.token }), 200)
    expect(count).to.equal(0)
  })

  it('answer a repeat as recorded, and count it once, where the views know of the move and not of the call', async () => {
    const [one, two] = [await makeBoard(nodes.a, game, { key: 'weekly' }), await makeBoard(nodes.a, game)]
    const body = { score: '7', player: await makePlayer(nodes.a, game) }
    await nodes.b.caughtUp()
    const submit = (world: World) =>
      world.call('POST', '/api/lb/weekly/score/', { token: game.token, body, headers: { 'idempotency-key': 'k' } })
    await nodes.b.stall()
    must(await change(one, null), 200)
    must(await change(two, 'weekly'), 200)
    await nodes.a.caughtUp()
    await nodes.a.stall()
    // This node has not seen the move: the call is one of the former leaderboard.
    const first = must(await submit(nodes.b), 201)
    const again = await submit(nodes.a)
    expect([again.status, again.headers['idempotent-replay'], again.body]).to.deep.equal([201, 'true', first])
    nodes.a.goOn()
    nodes.b.goOn()
    await Promise.all([nodes.a.caughtUp(), nodes.b.caughtUp()])
    for (const node of [nodes.a, nodes.b]) {
      expect((await submit(node)).body).to.deep.equal(first)
      const counts = [one, two].map(async (id) => {
        return must(await node.call('GET', `/api/lb/${id}/score/`, { token: game.token }), 200).count
      })
      expect(await Promise.all(counts)).to.deep.equal([1, 0])
    }
  })

  it('answer a repeated submission of a list as recorded, and count it once, where the views know of the move only', async () => {
    const [one, two] = [await makeBoard(nodes.a, game, { key: 'weekly' }), await makeBoard(nodes.a, game)]
    const player = await makePlayer(nodes.a, game)
    const submissions = ['own', undefined].map((idempotency_key, nth) => {
      return { leaderboard: 'weekly', player, score: String(7 + nth), idempotency_key }
    })
    await nodes.b.caughtUp()
    const submit = (world: World) => {
      const sent = { token: game.token, body: { submissions }, headers: { 'idempotency-key': 'whole' } }
      return world.call('POST', `/api/gm/${game.id}/scores/`, sent)
    }
    await nodes.b.stall()
    must(await change(one, null), 200)
    must(await change(two, 'weekly'), 200)
    await nodes.a.caughtUp()
    await nodes.a.stall()
    const first: Body[] = must(await submit(nodes.b), 200).results
    expect(first.map(({ status }) => status)).to.deep.equal([201, 200])
    expect(must(await submit(nodes.a), 200).results).to.deep.equal(first)
    nodes.a.goOn()
    nodes.b.goOn()
    await Promise.all([nodes.a.caughtUp(), nodes.b.caughtUp()])
    for (const node of [nodes.a, nodes.b]) {
      expect(must(await submit(node), 200).results).to.deep.equal(first)
      const counts = [one, two].map(async (id) => {
        return must(await node.call('GET', `/api/lb/${id}/score/`, { token: game.token }), 200).count
      })
      expect(await Promise.all(counts)).to.deep.equal([1, 0])
    }
  })

  it('have one winner among callers on both nodes who create and change leaderboards at the same time', async () => {
    const ids = [await makeBoard(nodes.a, game), await makeBoard(nodes.a, game)]
    await nodes.b.caughtUp()
    for (const key of ['one', 'two', 'three']) {
      const racing = Array.from({ length: 24 }, (_, n) => {
        const world = n % 2 === 0 ? nodes.a : nodes.b
        const create = { token: game.token, body: { name: `B${n}`, ordering: 'desc', key } }
        return n % 8 < 2
          ? world.call('PUT', `/api/lb/${ids[n % 8]}/`, { token: game.token, body: { key } })
          : world.call('POST', `/api/gm/${game.id}/lb/`, create)
      })
      const answers = await Promise.all(racing)
      const winners = new Set(answers.filter(({ status }) => status < 400).map(({ body }) => body.id))
      expect(winners.size).to.equal(1)
      const others = answers.filter(({ status }) => status >= 400).map(outcome)
      expect(others).to.deep.equal(others.map(() => TAKEN))
      await Promise.all([nodes.a.caughtUp(), nodes.b.caughtUp()])
      expect([await asked(nodes.a, key), await asked(nodes.b, key)]).to.deep.equal([[...winners][0], [...winners][0]])
    }
  })
})
