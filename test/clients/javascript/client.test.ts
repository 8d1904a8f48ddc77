// The client library against a real server: both kinds of key, guests, scores, token renewal and errors.

import { expect } from 'chai'
import { type Client, connect, ProblemError, Unreachable } from '../../../clients/javascript/connect.ts'
import type { ApiKey } from '../../../clients/javascript/signing.ts'
import { firstCode } from '../../front-door/mails.ts'
import { openWorld, type World } from '../../front-door/world.ts'
import { eventually } from '../../until.ts'
import { failureOf, operatorKey } from './keys.ts'

describe('the client library', () => {
  let world: World
  let baseUrl: string
  let operator: Client
  let game: string
  let serverKey: ApiKey
  let server: Client
  const now = () => world.clock.nowMs

  before(async () => {
    world = await openWorld()
    baseUrl = `http://127.0.0.1:${world.port}`
    operator = await connect({ baseUrl, key: await operatorKey(world.dataDir), now })
    const made = await operator.createGame('Quest')
    game = made.game.id
    serverKey = made.key
    server = await connect({ baseUrl, key: serverKey, now })
  })
  after(() => world.close())

  const clientKey = (algorithm: 'hmac-sha256' | 'ed25519') =>
    server.issueKey(game, { name: 'game client', kind: 'client', algorithm })

  for (const algorithm of ['hmac-sha256', 'ed25519'] as const) {
    it(`proves an ${algorithm} key, signs a guest in, submits and reads scores`, async () => {
      const board = await server.createLeaderboard(game, { name: 'High scores', ordering: 'desc' })
      const client = await connect({ baseUrl: `${baseUrl}/`, key: await clientKey(algorithm), now })
      const ada = await client.asGuest(game, { name: 'Ada' })
      const bob = await client.asGuest(game)
      expect(await ada.me()).to.deep.equal(ada.player)
      expect(ada.player).to.include({ name: 'Ada', guest: true })

      const first = await ada.submit(board.id, { score: '12.50', extra_data: { level: 3 } })
      expect(first).to.include({ score: '12.5', rank: 1, improved: true, submitted: first.id, player_name: 'Ada' })
      const second = await bob.submit(board.id, { score: '12.500000000000000001' })
      expect(second).to.include({ rank: 1, player: bob.player.id })

      const page = await client.scores(board.id, { around: ada.player.id, limit: 2 })
      expect(page.scores.map(({ player, rank }) => [player, rank])).to.deep.equal([
        [bob.player.id, 1],
        [ada.player.id, 2],
      ])
      expect(page).to.include({ count: 2, player_rank: 2, player_score: first.id, next_offset: null })
      expect(await ada.score(first.id)).to.deep.include({ id: first.id, extra_data: { level: 3 } })
      expect(await client.leaderboard(board.id)).to.include({ id: board.id, entries: 2 })
      expect(await server.deleteScore(first.id)).to.deep.equal({ deleted: first.id })
      expect((await client.scores(board.id)).count).to.equal(1)
    })
  }

  it('says whose a token is, for this game only', async () => {
    const client = await connect({ baseUrl, key: await clientKey('hmac-sha256'), now })
    const ada = await client.asGuest(game, { name: 'Ada' })
    expect(await server.whoIs(await ada.token())).to.deep.equal(ada.player)
    const permissions = ['submit_for', 'lb:*:submit']
    const narrow = { kind: 'server', algorithm: 'hmac-sha256', name: 'narrow', permissions } as const
    const submitter = await connect({ baseUrl, key: await server.issueKey(game, narrow), now })
    expect(await submitter.whoIs(await ada.token())).to.deep.equal(ada.player)

    const other = await connect({ baseUrl, key: (await operator.createGame('Other')).key, now })
    expect(await failureOf(other.whoIs(await ada.token()))).to.include({ status: 404 })
    expect(await failureOf(server.whoIs(await client.token()))).to.include({ status: 422, code: 'player_required' })
    const foreign = [`${await ada.token()}x`, '', 'a b', 'a\r\nb', 'ä']
    for (const token of foreign) expect(await failureOf(server.whoIs(token)), token).to.include({ status: 401 })
    await server.signOutPlayer(game, ada.player.id)
    expect(await failureOf(server.whoIs(await ada.token()))).to.include({ status: 401 })
    const failure = await operator.whoIs('a').catch((thrown: unknown) => thrown)
    expect(failure)
      .to.be.instanceOf(TypeError)
      .with.property('message')
      .that.matches(/^whoIs needs the game of the key/)
  })

  it('signs players in by login, code and ticket, and registers a guest', async () => {
    const client = await connect({ baseUrl, key: await clientKey('hmac-sha256'), now })
    const made = await client.register(game, { login: 'ada', password: 'correct horse', name: 'Ada' })
    const back = await client.withPassword(game, { login: 'Ada', password: 'correct horse' })
    expect([back.player, await back.me()]).to.deep.equal([made.player, made.player])

    const guest = await client.asGuest(game, { name: 'Gus' })
    const registered = await guest.register({ login: 'gus', password: 'correct horse' })
    expect(await registered.me()).to.deep.equal({ ...guest.player, guest: false })

    const { ticket } = await server.playerTicket(game, { external_id: 'user-17', name: 'Eve' })
    expect((await client.withTicket(game, ticket)).player).to.include({ name: 'Eve', guest: false })
    const used = await failureOf(client.withTicket(game, ticket))
    expect(used).to.be.instanceOf(ProblemError).with.property('code', 'sign_in_rejected')

    expect(await client.mailCode(game, 'ada@example.com')).to.deep.equal({ expires_in: 900 })
    const code = await firstCode(world, 'ada@example.com')
    const mailed = await client.withCode(game, { email: 'ada@example.com', code })
    expect(await mailed.me()).to.deep.equal(mailed.player)
  })

  it('requests permissions, and reports those that the key does not have', async () => {
    const permissions = ['score:x:details', 'lb:*:submit', `gm:${game}:keys`]
    const client = await connect({ baseUrl, key: await clientKey('hmac-sha256'), permissions, now })
    expect(client.permissions).to.deep.equal(['score:x:details', 'lb:*:submit'])
    expect(client.declined).to.deep.equal([`gm:${game}:keys`])
  })

  it('creates, lists and changes games, keys and boards as a tenant', async () => {
    const changed = await server.changeGame(game, { name: 'Quest II', cors_origins: ['https://play.example'] })
    expect(changed).to.deep.include({ name: 'Quest II', cors_origins: ['https://play.example'] })
    expect(await server.game(game)).to.deep.equal(changed)
    expect((await operator.games()).games.map(({ id }) => id)).to.include(game)

    const key = await server.issueKey(game, { name: 'spare', kind: 'server', algorithm: 'hmac-sha256' })
    expect((await server.changeKey(game, key.prefix, ['lb:*:scores'])).permissions).to.deep.equal(['lb:*:scores'])
    expect(await server.revokeKey(game, key.prefix)).to.deep.equal({ deleted: key.prefix })
    const listed = (await server.keys(game, { limit: 100 })).keys.find(({ prefix }) => prefix === key.prefix)
    expect(listed).to.include({ revoked: true, name: 'spare' })

    const board = await server.createLeaderboard(game, { name: 'Old', ordering: 'asc', min_score: '-5.0' })
    expect(board).to.include({ min_score: '-5', unique: true, secondary_ordering: 'desc' })
    const described = await server.changeLeaderboard(board.id, { description: 'gone soon' })
    expect(described).to.include({ name: 'Old', description: 'gone soon' })
    expect(await server.previewRules(board.id, { unique: false })).to.deep.equal({
      entries_before: 0,
      entries_after: 0,
      changed: 0,
      top: [],
    })
    const asked = await server.changeRules(board.id, { unique: false })
    if (!('rebuild' in asked)) throw new Error('other rules came back at once')
    expect(asked.leaderboard).to.deep.equal({ ...described, unique: false })
    const isOver = async () => (await server.rebuildOf(board.id)).finished !== null
    await eventually(isOver)
    expect(await server.rebuildOf(board.id)).to.include({ id: asked.rebuild, state: 'done', leaderboard: board.id })
    expect(await server.changeRules(board.id, { unique: false })).to.include({ id: board.id, unique: false })
    expect(await server.rebuild(board.id)).to.include({ leaderboard: board.id })
    expect((await server.cancelRebuild(board.id)).state).to.be.oneOf(['cancelled', 'done'])
    expect((await server.leaderboards(game)).leaderboards.map(({ id }) => id)).to.include(board.id)
    expect(await server.archiveLeaderboard(board.id)).to.deep.equal({ deleted: board.id })

    const player = await server.createPlayer(game, { name: 'Grace & co', external_id: 'x-1' })
    expect(await server.renamePlayer(game, player.id, 'Grace')).to.include({ name: 'Grace', external_id: 'x-1' })
    expect((await server.players(game, { name: 'grac' })).players).to.deep.equal([await server.player(game, player.id)])
  })

  it('restores a guest by guest token, and a session by refresh token', async () => {
    const client = await connect({ baseUrl, key: await clientKey('hmac-sha256'), now })
    const first = await client.asGuest(game, { name: 'Ida' })
    const again = await client.asGuest(game, { guestToken: first.guestToken ?? '' })
    expect(again.player).to.deep.equal(first.player)
    expect(again.guestToken).to.equal(null)
    const resumed = await client.resume(game, first.refreshToken ?? '')
    expect(await resumed.rename('Ida B')).to.include({ id: first.player.id, name: 'Ida B' })
    expect(await first.signOut()).to.deep.equal({ signed_out: 1 })
    expect((await failureOf(resumed.me())).code).to.equal('sign_in_rejected')
    expect(await again.me()).to.include({ name: 'Ida B' })
  })

  it('renews tokens before they expire: a key’s by the handshake, a player’s by the refresh token', async () => {
    const client = await connect({ baseUrl, key: await clientKey('ed25519'), now })
    const guest = await client.asGuest(game)
    const before = await Promise.all([client.token(), guest.token()])
    expect(await Promise.all([client.token(), guest.token()])).to.deep.equal(before)
    world.clock.nowMs += 59 * 60_000
    const [own, players] = await Promise.all([client.token(), guest.token()])
    expect(own).not.to.equal(before[0])
    expect(players).not.to.equal(before[1])
    world.clock.nowMs += 2 * 60_000
    expect(await guest.me()).to.include({ id: guest.player.id })
    const refreshed = await guest.refresh()
    expect(await guest.token()).to.equal(refreshed.token)
    expect(refreshed.player).to.deep.equal(guest.player)
  })

  it('uses the server’s clock if its own is hours off', async () => {
    const client = await connect({ baseUrl, key: serverKey, now: () => world.clock.nowMs - 7 * 3_600_000 })
    expect(await client.game(game)).to.include({ id: game })
    const token = await client.token()
    world.clock.nowMs += 3_599_000
    expect(await client.token()).not.to.equal(token)
  })

  it('throws a ProblemError with code, status, detail and field errors', async () => {
    const board = await server.createLeaderboard(game, { name: 'Bounded', ordering: 'desc', max_score: '10' })
    const player = (await server.createPlayer(game, { name: 'Eve' })).id
    const above = await failureOf(server.submit(board.id, { score: '10.1', player }))
    expect(above).to.be.instanceOf(ProblemError)
    expect(above).to.include({
      status: 422,
      code: 'score_above_maximum',
      detail: 'The score is above the leaderboard’s max_score, 10.',
    })
    expect(above.fields).to.include({ max_score: '10' })
    const bad = await failureOf(server.submit(board.id, { score: '1e3', player }))
    expect(bad).to.include({ status: 400, code: 'malformed' })
    expect(bad.errors.map(({ pointer }) => pointer)).to.deep.equal(['/score'])
    expect(bad.requestId).to.be.a('string')
    const client = await connect({ baseUrl, key: await clientKey('hmac-sha256'), now })
    expect(await failureOf(client.keys(game))).to.include({ status: 403, code: 'tenant_only' })
  })

  it('reports the same error for an unknown prefix, a wrong secret and a key of the other kind', async () => {
    const prefix = serverKey.prefix
    const wrong: ApiKey[] = [
      { prefix, secret: 'wrong' },
      { prefix, privateKey: Buffer.alloc(32, 1).toString('base64url') },
      { prefix: 'sk_nobody', secret: 'wrong' },
    ]
    for (const key of wrong) {
      expect(await failureOf(connect({ baseUrl, key, now }))).to.include({ status: 401, code: 'challenge_rejected' })
    }
  })

  it('rejects an invalid private key before it sends a request', async () => {
    for (const privateKey of ['', 'AAAA', 'not base64url!', Buffer.alloc(33).toString('base64url')]) {
      let failure: unknown
      await connect({ baseUrl, key: { prefix: 'sk_x', privateKey } }).catch((thrown) => {
        failure = thrown
      })
      expect(failure, privateKey).to.be.instanceOf(TypeError)
    }
  })

  it('signs in again if its token is rejected', async () => {
    const made = await server.issueKey(game, { name: 'short', kind: 'server', algorithm: 'hmac-sha256' })
    const client = await connect({ baseUrl, key: made, now })
    await server.revokeKey(game, made.prefix)
    expect(await failureOf(client.game(game))).to.include({ status: 401, code: 'challenge_rejected' })
  })

  it('throws Unreachable if no server answers, or a server that is not Scorebook', async () => {
    const gone = connect({ baseUrl: 'http://127.0.0.1:1', key: serverKey, reconnectMs: 0 })
    const failure = await gone.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(failure).to.be.instanceOf(Unreachable)
    expect((failure as Unreachable).message).to.contain('No answer from http://127.0.0.1:1: ')
    const page = async () => new Response('<html>', { status: 200 })
    const other = await failureOf(connect({ baseUrl, key: serverKey, fetch: page }))
    expect(other.message).to.contain('is this the address of a Scorebook service?')
  })
})
