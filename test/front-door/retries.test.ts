// Idempotency-Key on every recording call: a repetition has no second effect and is answered like the first call,
// secrets included, also after a restart. Another call with that key is refused. Only 2xx answers are remembered.

import { expect } from 'chai'
import {
  clientToken,
  keyToken,
  type MadeGame,
  makeBoard,
  makeGame,
  makeKey,
  makePlayer,
  signInGuest,
} from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body?: unknown
}

interface Case {
  readonly what: string
  readonly call: Call
  /** The same route with another effect. */
  readonly other: Call
  /** Fields that differ between a call and its replay. */
  readonly momentary?: readonly string[]
}

describe('calls repeated with their Idempotency-Key', () => {
  let world: World
  let game: MadeGame
  let operator: string
  let keys = 0

  before(async () => {
    world = await openWorld()
    game = await makeGame(world)
    operator = await tokenOf(world, world.operator)
  })
  after(() => world.close())

  const freshKey = () => `key ${++keys} ~!`
  const send = ({ method, path, token, body }: Call, key: string) =>
    world.call(method, path, { token, headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) })

  function withoutMomentary(body: Body, momentary: readonly string[] = []) {
    return Object.fromEntries(Object.entries(body).filter(([name]) => !momentary.includes(name)))
  }

  it('distinguishes devices that share the key of a game client, before anybody is signed in', async () => {
    const path = `/api/gm/${game.id}/player/guest/`
    const key = freshKey()
    const [one, other] = [await clientToken(world, game), await clientToken(world, game)]
    const first = must(await send({ method: 'POST', path, token: one, body: {} }, key), 201)
    const again = must(await send({ method: 'POST', path, token: one, body: {} }, key), 201)
    const stranger = must(await send({ method: 'POST', path, token: other, body: {} }, key), 201)
    expect([again.guest_token, again.player.id]).to.deep.equal([first.guest_token, first.player.id])
    expect(stranger.player.id).to.not.equal(first.player.id)
    expect(stranger.guest_token).to.not.equal(first.guest_token)
  })

  async function cases(): Promise<Case[]> {
    const own = `/api/gm/${game.id}`
    const board = await makeBoard(world, game)
    const doomed = await makeBoard(world, game)
    const doomedToo = await makeBoard(world, game)
    const player = await makePlayer(world, game)
    const [key, revoked, revokedToo] = [
      await makeKey(world, game),
      await makeKey(world, game),
      await makeKey(world, game),
    ]
    const client = await clientToken(world, game)
    const [guest, known] = [await signInGuest(world, game, client), await signInGuest(world, game, client)]
    const { token } = game
    const scoreOf = async (of: string, who: string) => {
      const body = { score: '1', player: who }
      return must(await world.call('POST', `/api/lb/${of}/score/`, { token, body }), 201).id
    }
    const score = await scoreOf(board, await makePlayer(world, game))
    const scoreToo = await scoreOf(board, await makePlayer(world, game))
    const change = (what: string, method: string, path: string, body: unknown, other: unknown, by = token): Case => {
      return { what, call: { method, path, token: by, body }, other: { method, path, token: by, body: other } }
    }
    const removal = (what: string, path: string, other: string): Case => {
      return { what, call: { method: 'DELETE', path, token }, other: { method: 'DELETE', path: other, token } }
    }
    const newKey = { name: 'k', kind: 'server', algorithm: 'hmac-sha256' }
    return [
      change('make a game', 'POST', '/api/gm/', { name: 'A' }, { name: 'B' }, operator),
      change('change a game', 'PUT', `${own}/`, { name: 'Renamed' }, { name: 'Renamed too' }),
      change('issue a key', 'POST', `${own}/keys/`, newKey, { ...newKey, name: 'l' }),
      change('issue an Ed25519 pair', 'POST', `${own}/keys/`, { ...newKey, algorithm: 'ed25519' }, newKey),
      change(
        'change a key',
        'PUT',
        `${own}/keys/${key.prefix}/`,
        { permissions: ['lb:*:scores'] },
        { permissions: ['lb:*:submit'] },
      ),
      removal('revoke a key', `${own}/keys/${revoked.prefix}/`, `${own}/keys/${revokedToo.prefix}/`),
      change(
        'make a leaderboard',
        'POST',
        `${own}/lb/`,
        { name: 'A', ordering: 'asc' },
        { name: 'A', ordering: 'desc' },
      ),
      change('describe a leaderboard', 'PUT', `/api/lb/${board}/`, { name: 'N' }, { name: 'M' }),
      removal('archive a leaderboard', `/api/lb/${doomed}/`, `/api/lb/${doomedToo}/`),
      change('create a player', 'POST', `${own}/players/`, { name: 'P' }, { name: 'Q' }),
      change(
        'make a player with an external id',
        'POST',
        `${own}/players/`,
        { name: 'P', external_id: 'x1' },
        { name: 'P', external_id: 'x2' },
      ),
      change('rename a player', 'PUT', `${own}/players/${player}/`, { name: 'R' }, { name: 'S' }),
      change('submit a score', 'POST', `/api/lb/${board}/score/`, { score: '5', player }, { score: '6', player }),
      removal('delete a score', `/api/score/${score}/`, `/api/score/${scoreToo}/`),
      {
        ...change('sign a guest in', 'POST', `${own}/player/guest/`, { name: 'G' }, { name: 'H' }, client),
        momentary: ['token', 'expires_at'],
      },
      {
        ...change(
          'sign a known guest in',
          'POST',
          `${own}/player/guest/`,
          { guest_token: known.guestToken },
          {},
          client,
        ),
        momentary: ['token', 'expires_at'],
      },
      change('rename oneself', 'PUT', `${own}/player/me/`, { name: 'T' }, { name: 'U' }, guest.token),
    ]
  }

  it('replays every call, also after a restart, and refuses another call with the same key with 422', async () => {
    const sent: { one: Case; key: string; first: Answered }[] = []
    for (const one of await cases()) {
      const key = freshKey()
      const first = await send(one.call, key)
      expect([one.what, first.status]).to.satisfy(([, status]: [string, number]) => status === 200 || status === 201)
      expect([one.what, first.headers['idempotent-replay']]).to.deep.equal([one.what, undefined])
      sent.push({ one, key, first })
    }
    const sendAllAgain = async () => {
      for (const { one, key, first } of sent) {
        const again = await send(one.call, key)
        const { what, momentary } = one
        expect({ what, status: again.status, replay: again.headers['idempotent-replay'] }).to.deep.equal({
          what,
          status: first.status,
          replay: 'true',
        })
        expect({ what, body: withoutMomentary(again.body, momentary) }).to.deep.equal({
          what,
          body: withoutMomentary(first.body, momentary),
        })
        expect(again.headers['x-consistency-token'], what).to.be.a('string')
        expect([what, answerCode(await send(one.other, key))]).to.deep.equal([what, '422 idempotency_key_reused'])
      }
    }
    await sendAllAgain()
    await world.restart()
    await sendAllAgain()
    const counts = await countAll()
    await sendAllAgain()
    expect(await countAll()).to.deep.equal(counts)
  }).timeout(120_000)

  async function countAll() {
    const paths = ['/api/gm/', `/api/gm/${game.id}/keys/`, `/api/gm/${game.id}/lb/`, `/api/gm/${game.id}/players/`]
    const answers = paths.map(
      async (path, i) => must(await world.call('GET', path, { token: i === 0 ? operator : game.token }), 200).count,
    )
    return Promise.all(answers)
  }

  it('replays a submission as it was decided, with its current rank', async () => {
    const board = await makeBoard(world, game)
    const [ada, bob] = [await makePlayer(world, game, 'Ada'), await makePlayer(world, game, 'Bob')]
    const call = { method: 'POST', path: `/api/lb/${board}/score/`, token: game.token }
    const key = freshKey()
    const first = must(await send({ ...call, body: { score: '5', player: ada } }, key), 201)
    expect([first.rank, first.improved]).to.deep.equal([1, true])
    must(await send({ ...call, body: { score: '9', player: bob } }, freshKey()), 201)
    must(await send({ ...call, body: { score: '7', player: ada } }, freshKey()), 200)
    const again = must(await send({ ...call, body: { score: '5.0', player: ada } }, key), 201)
    expect(again).to.deep.equal({ ...first, rank: 2 })
    const list = must(await world.call('GET', call.path, { token: game.token }), 200)
    expect(list.scores.map((one: Body) => one.score)).to.deep.equal(['9', '7'])
  })

  it('replays a submission of the tenant for a player who was banned or deleted since, without a rank', async () => {
    const board = await makeBoard(world, game)
    const players = [await makePlayer(world, game, 'Ada'), await makePlayer(world, game, 'Bob')]
    const path = `/api/gm/${game.id}/players/`
    const ban = (player: string) => world.call('POST', `${path}${player}/ban/`, { token: game.token, body: {} })
    const remove = (player: string) => world.call('DELETE', `${path}${player}/`, { token: game.token })
    for (const [nth, end] of [ban, remove].entries()) {
      const player = players[nth] ?? ''
      const key = freshKey()
      const body = { score: '5', player, extra_data: [1], player_name: 'As sent' }
      const call = { method: 'POST', path: `/api/lb/${board}/score/`, token: game.token, body }
      const first = must(await send(call, key), 201)
      must(await end(player), 200)
      const again = await send(call, key)
      expect([again.status, again.body]).to.deep.equal([201, { ...first, rank: null }])
      expect((await send(call, freshKey())).status).to.be.oneOf([403, 422])
    }
  })

  it('scopes an Idempotency-Key to the API key and the player', async () => {
    const board = await makeBoard(world, game, { unique: false })
    const client = await clientToken(world, game)
    const [ada, bob] = [await signInGuest(world, game, client), await signInGuest(world, game, client)]
    const player = await makePlayer(world, game)
    const key = freshKey()
    const submit = (token: string, body: object) =>
      send({ method: 'POST', path: `/api/lb/${board}/score/`, token, body }, key)
    const other = await keyToken(world, game)
    const statuses = [
      await submit(ada.token, { score: '1' }),
      await submit(bob.token, { score: '2' }),
      await submit(game.token, { score: '3', player }),
      await submit(other, { score: '4', player }),
    ]
    expect(statuses.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201])
    expect(answerCode(await submit(ada.token, { score: '2' }))).to.equal('422 idempotency_key_reused')
    expect(must(await world.call('GET', `/api/lb/${board}/`, { token: game.token }), 200).entries).to.equal(4)
  })

  it('remembers only calls that were answered with 2xx', async () => {
    const board = await makeBoard(world, game, { max_score: '10' })
    const player = await makePlayer(world, game)
    const call = { method: 'POST', path: `/api/lb/${board}/score/`, token: game.token }
    const key = freshKey()
    expect((await send({ ...call, body: { score: '11', player } }, key)).status).to.equal(422)
    expect((await send({ ...call, body: { score: 'x', player } }, key)).status).to.equal(400)
    expect((await send({ ...call, path: '/api/lb/none/score/', body: { score: '1', player } }, key)).status).to.equal(
      404,
    )
    const taken = await send({ ...call, body: { score: '10', player } }, key)
    expect([taken.status, taken.headers['idempotent-replay']]).to.deep.equal([201, undefined])
  })

  it('refuses a repetition with 409 while the first call runs, and never runs it twice', async () => {
    const board = await makeBoard(world, game, { unique: false })
    const player = await makePlayer(world, game)
    const call = { method: 'POST', path: `/api/lb/${board}/score/`, token: game.token, body: { score: '1', player } }
    const key = freshKey()
    const answers = await Promise.all(Array.from({ length: 32 }, () => send(call, key)))
    const codes = answers.map(
      (answer) => answer.body.code ?? `${answer.status}${answer.headers['idempotent-replay'] ? ' again' : ''}`,
    )
    expect(codes.filter((code) => code === '201')).to.have.length(1)
    expect(codes.every((code) => ['201', '201 again', 'idempotency_in_progress'].includes(code))).to.equal(true)
    expect(must(await world.call('GET', `/api/lb/${board}/`, { token: game.token }), 200).entries).to.equal(1)
    expect((await send(call, key)).headers['idempotent-replay']).to.equal('true')
  })

  it('replays a change with If-Match although the ETag has changed', async () => {
    const path = `/api/lb/${await makeBoard(world, game)}/`
    const { etag = '' } = (await world.call('GET', path, { token: game.token })).headers
    const headers = { 'if-match': etag, 'idempotency-key': freshKey() }
    const change = () => world.call('PUT', path, { token: game.token, body: { name: 'Once' }, headers })
    const first = must(await change(), 200)
    expect(must(await change(), 200)).to.deep.equal(first)
  })

  it('accepts one Idempotency-Key of 1 to 255 printable ASCII characters', async () => {
    const call = { method: 'POST', path: `/api/gm/${game.id}/players/`, token: game.token, body: { name: 'P' } }
    for (const key of ['a', 'x'.repeat(255), '"quoted"']) expect((await send(call, key)).status).to.equal(201)
    for (const key of ['', 'x'.repeat(256), 'a\tb'])
      expect([key.length, answerCode(await send(call, key))]).to.deep.equal([key.length, '400 malformed'])
    const twice = { token: game.token, body: { name: 'P' }, headers: { 'idempotency-key': ['a', 'b'] } }
    expect((await world.call('POST', call.path, twice)).status).to.equal(400)
  })

  it('ignores the Idempotency-Key of calls that record nothing', async () => {
    const headers = { 'idempotency-key': 'same', 'x-api-key': game.server.prefix }
    const [one, two] = [
      await world.call('POST', '/api/auth/jwt/challenge/', { headers }),
      await world.call('POST', '/api/auth/jwt/challenge/', { headers }),
    ]
    expect(one.body.nonce).to.not.equal(two.body.nonce)
    expect(two.headers).to.not.have.property('idempotent-replay')
  })
})

describe('repeated calls after other calls', () => {
  let world: World
  let game: MadeGame
  let client: string

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
    client = await clientToken(world, game)
  })

  const headers = (key: string) => ({ 'idempotency-key': key })
  const player = (rest: string) => `/api/gm/${game.id}/player/${rest}`
  const again = async (guestToken: string) =>
    must(await world.call('POST', player('guest/'), { token: client, body: { guest_token: guestToken } }), 200).token

  for (const everywhere of [false, true]) {
    it(`does not end a session that began after the first sign-out${everywhere ? ' everywhere' : ''}`, async () => {
      const guest = await signInGuest(world, game, client)
      const sent = { body: { everywhere }, headers: headers(`out ${everywhere}`) }
      const first = await world.call('POST', player('signout/'), { token: guest.token, ...sent })
      expect([first.status, first.body]).to.deep.equal([200, { signed_out: 1 }])
      const later = await again(guest.guestToken)
      const repeat = await world.call('POST', player('signout/'), { token: later, ...sent })
      expect([repeat.status, repeat.body, repeat.headers['idempotent-replay']]).to.deep.equal([
        200,
        { signed_out: 1 },
        'true',
      ])
      expect((await world.call('GET', player('me/'), { token: later })).status).to.equal(200)
    })
  }

  it('replays a call that changed nothing, and refuses its key for another call', async () => {
    const board = await makeBoard(world, game, { name: 'A' })
    const put = (name: string, key?: string) =>
      world.call('PUT', `/api/lb/${board}/`, {
        token: game.token,
        body: { name },
        ...(key === undefined ? {} : { headers: headers(key) }),
      })
    expect(must(await put('A', 'same'), 200).name).to.equal('A')
    must(await put('B'), 200)
    const repeat = await put('A', 'same')
    expect([repeat.status, repeat.body.name, repeat.headers['idempotent-replay']]).to.deep.equal([200, 'A', 'true'])
    expect(must(await world.call('GET', `/api/lb/${board}/`, { token: game.token }), 200).name).to.equal('B')
    expect((await put('C', 'same')).body.code).to.equal('idempotency_key_reused')
  })

  it('replays a score that omits null fields or spells its decimal differently', async () => {
    const board = await makeBoard(world, game)
    const guest = await signInGuest(world, game, client)
    const submit = (body: object) =>
      world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body, headers: headers('score') })
    const first = must(await submit({ score: '5' }), 201)
    const repeat = await submit({ score: '5.0', secondary_score: null, extra_data: null, player_name: null })
    expect([repeat.status, repeat.body, repeat.headers['idempotent-replay']]).to.deep.equal([201, first, 'true'])
  })
})
