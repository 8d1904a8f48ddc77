// Games, keys, leaderboards and players, as the operator and the tenant make, read and change them: exact fields, defaults,
// what is left out stays, ETags, who may not.

import { expect } from 'chai'
import nacl from 'tweetnacl'
import type { Answered, Body } from './http-client.ts'
import { clientToken, keyToken, type MadeGame, makeBoard, makeGame, makeKey, makePlayer, signInGuest } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import { ed25519Signer, handshake, must, tokenOf, type World } from './world.ts'

const ID = /^[a-z2-7]{24}$/
const SIGN_IN = { guest: true, password: true, code: true, ticket: true }
const REALTIME = {
  enabled: false,
  require_player: true,
  allow_search: true,
  allow_create: true,
  max_room_size: 32,
  max_rooms: 100,
  max_message_bytes: 4096,
  messages_per_second: 20,
}

describe('what tenants and the operator make', () => {
  let world: World
  let game: MadeGame
  let operator: string

  before(async () => {
    world = await sharedWorld()
    operator = await tokenOf(world, world.operator)
    game = await makeGame(world)
  })

  const told = ({ status, body }: Answered) => ({ status, code: body.code })
  const get = (path: string, token = game.token) => world.call('GET', path, { token })
  const post = (path: string, body: unknown, token = game.token) => world.call('POST', path, { token, body })
  const put = (path: string, body: unknown, headers = {}, token = game.token) => world.call('PUT', path, { token, body, headers })
  const remove = (path: string, token = game.token) => world.call('DELETE', path, { token })
  const nowText = () => new Date(world.clock.nowMs).toISOString()

  /** Every page of a list, and that the pages fit together. */
  async function allOf(path: string, plural: string, token = game.token): Promise<Body[]> {
    const whole = must(await get(`${path}?limit=100`, token), 200)
    expect(Object.keys(whole)).to.deep.equal([plural, 'count', 'offset', 'limit', 'next_offset'])
    const pages: Body[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = must(await get(`${path}?limit=2&offset=${offset}`, token), 200)
      expect([page.count, page.offset, page.limit]).to.deep.equal([whole.count, offset, 2])
      pages.push(...page[plural])
      offset = page.next_offset
    }
    expect(pages).to.deep.equal(whole[plural])
    return pages
  }

  describe('a game', () => {
    it('is made with its first server key, shown once, in exactly these fields', async () => {
      const made = must(await post('/api/gm/', { name: 'Quest' }, operator), 201)
      const id = made.game.id
      expect(id).to.match(ID)
      expect(made.key.prefix).to.match(/^sk_[a-z2-7]{24}$/)
      expect(made.key.secret).to.match(/^[A-Za-z0-9_-]{43}$/)
      expect(made).to.deep.equal({
        game: { id, name: 'Quest', created: nowText(), cors_origins: [], sign_in: SIGN_IN, realtime: REALTIME, fixed_rooms: [] },
        key: {
          prefix: made.key.prefix,
          name: made.key.name,
          game: id,
          kind: 'server',
          algorithm: 'hmac-sha256',
          permissions: [`gm:${id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'],
          created: nowText(),
          revoked: false,
          secret: made.key.secret,
        },
      })
      const listed = await allOf('/api/gm/', 'games', operator)
      expect(listed.at(-1)).to.deep.equal(made.game)
    })

    it('changes what is named and leaves the rest', async () => {
      const { id, token } = await makeGame(world, 'Before')
      const path = `/api/gm/${id}/`
      const before = must(await get(path, token), 200)
      const change = { name: 'After', cors_origins: ['https://a.example'], sign_in: { code: false }, realtime: { enabled: true, max_rooms: 0 } }
      const after = must(await put(path, change, {}, token), 200)
      expect(after).to.deep.equal({
        ...before,
        name: 'After',
        cors_origins: ['https://a.example'],
        sign_in: { ...SIGN_IN, code: false },
        realtime: { ...REALTIME, enabled: true, max_rooms: 0 },
      })
      const fixed_rooms = [{ id: 'lobby', name: 'Lobby', max_members: 10, listed: true }]
      expect(must(await put(path, { fixed_rooms }, {}, token), 200)).to.deep.equal({ ...after, fixed_rooms })
      expect(must(await put(path, {}, {}, token), 200)).to.deep.equal({ ...after, fixed_rooms })
      expect(must(await get(path, token), 200)).to.deep.equal({ ...after, fixed_rooms })
    })

    it('has an ETag that follows its content, and honours If-Match', async () => {
      const { id, token } = await makeGame(world)
      const path = `/api/gm/${id}/`
      const { etag = '' } = (await get(path, token)).headers
      expect(etag).to.match(/^"[^"]+"$/)
      expect((await get(path, token)).headers.etag).to.equal(etag)
      const changed = await put(path, { name: 'B' }, { 'if-match': etag }, token)
      expect(changed.status).to.equal(200)
      expect(changed.headers.etag).to.not.equal(etag)
      expect((await get(path, token)).headers.etag).to.equal(changed.headers.etag)
      expect(told(await put(path, { name: 'C' }, { 'if-match': etag }, token))).to.deep.equal({ status: 412, code: 'precondition_failed' })
      expect((await put(path, { name: 'C' }, { 'if-match': `${etag}, ${changed.headers.etag}` }, token)).status).to.equal(200)
      expect((await put(path, { name: 'D' }, { 'if-match': '*' }, token)).status).to.equal(200)
      expect(told(await put(path, { name: '' }, { 'if-match': etag }, token))).to.deep.equal({ status: 400, code: 'malformed' })
    })

    const faults: [string, object, string][] = [
      ['a name of spaces', { name: ' ' }, '/name'],
      ['a path in an origin', { cors_origins: ['https://a.example/'] }, '/cors_origins/0'],
      ['every origin', { cors_origins: ['*'] }, '/cors_origins/0'],
      ['an unknown way to sign in', { sign_in: { magic: true } }, '/sign_in/magic'],
      ['text for a boolean', { sign_in: { guest: 'no' } }, '/sign_in/guest'],
      ['rooms of nobody', { realtime: { max_room_size: 0 } }, '/realtime/max_room_size'],
      ['too large a room', { realtime: { max_room_size: 1001 } }, '/realtime/max_room_size'],
      ['too many rooms', { realtime: { max_rooms: 10_001 } }, '/realtime/max_rooms'],
      ['messages too small', { realtime: { max_message_bytes: 63 } }, '/realtime/max_message_bytes'],
      ['no messages', { realtime: { messages_per_second: 0 } }, '/realtime/messages_per_second'],
      ['a room id in capitals', { fixed_rooms: [{ id: 'A', name: 'A', max_members: 1, listed: true }] }, '/fixed_rooms/0/id'],
      ['a room without a name', { fixed_rooms: [{ id: 'a', max_members: 1, listed: true }] }, '/fixed_rooms/0/name'],
      ['an unknown field', { owner: 'me' }, '/owner'],
      ['null', { name: null }, '/name'],
    ]
    for (const [what, body, pointer] of faults) {
      it(`refuses ${what}`, async () => {
        const answer = await put(`/api/gm/${game.id}/`, body)
        expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).to.deep.equal([400, 'malformed', pointer])
      })
    }
  })

  describe('a key', () => {
    const path = () => `/api/gm/${game.id}/keys/`

    it('is issued in exactly these fields, with the defaults of its kind', async () => {
      const made = must(await post(path(), { name: 'ck', kind: 'client', algorithm: 'hmac-sha256' }), 201)
      const { secret, ...key } = made
      expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/)
      expect(key).to.deep.equal({
        prefix: key.prefix,
        name: 'ck',
        game: game.id,
        kind: 'client',
        algorithm: 'hmac-sha256',
        permissions: [`gm:${game.id}:buckets`, `gm:${game.id}:realtime`, 'bkt:*:details', 'bkt:*:files', 'lb:*:details', 'lb:*:scores', 'lb:*:submit', 'score:*:details'],
        created: nowText(),
        revoked: false,
      })
      expect(key.prefix).to.match(/^ck_[a-z2-7]{24}$/)
      expect((await allOf(path(), 'keys')).at(-1)).to.deep.equal(key)
    })

    it('ed25519: the server makes the pair and shows the seed once', async () => {
      const made = must(await post(path(), { name: 'e', kind: 'server', algorithm: 'ed25519' }), 201)
      expect(made).to.have.all.keys('prefix', 'name', 'game', 'kind', 'algorithm', 'permissions', 'created', 'revoked', 'private_key')
      expect(Buffer.from(made.private_key, 'base64url')).to.have.length(32)
      expect((await handshake(world, ed25519Signer(made.prefix, made.private_key))).status).to.equal(200)
    })

    it('ed25519: the tenant registers a public key', async () => {
      const seed = nacl.randomBytes(32)
      const public_key = Buffer.from(nacl.sign.keyPair.fromSeed(seed).publicKey).toString('base64url')
      const made = must(await post(path(), { name: 'own', kind: 'client', algorithm: 'ed25519', permissions: [], public_key }), 201)
      expect(made).to.have.all.keys('prefix', 'name', 'game', 'kind', 'algorithm', 'permissions', 'created', 'revoked')
      expect(made.permissions).to.deep.equal([])
      expect((await handshake(world, ed25519Signer(made.prefix, Buffer.from(seed).toString('base64url')))).status).to.equal(200)
    })

    const WEAK: [string, string][] = [
      ['the neutral element', `01${'00'.repeat(31)}`],
      ['order 2', `ec${'ff'.repeat(30)}7f`],
      ['order 4', '00'.repeat(32)],
      ['order 4, the other one', `${'00'.repeat(31)}80`],
      ['order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
      ['order 8, the other one', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
      ['not canonical: y = p', `ed${'ff'.repeat(30)}7f`],
      ['not canonical: y = p + 1', `ee${'ff'.repeat(30)}7f`],
      ['not canonical: y = 2^255 - 1', `${'ff'.repeat(31)}7f`],
      ['x = 0 with its sign set', `01${'00'.repeat(30)}80`],
      ['not on the curve', `02${'00'.repeat(31)}`],
    ]
    for (const [what, hex] of WEAK) {
      it(`refuses a weak public key: ${what}`, async () => {
        const public_key = Buffer.from(hex, 'hex').toString('base64url')
        const body = { name: 'weak', kind: 'server', algorithm: 'ed25519', public_key }
        expect(told(await post(path(), body))).to.deep.equal({ status: 400, code: 'weak_public_key' })
      })
    }

    it('refuses what is no public key, and one for hmac', async () => {
      const sound = Buffer.from(nacl.sign.keyPair().publicKey).toString('base64url')
      const base = { name: 'k', kind: 'server', algorithm: 'ed25519' }
      for (const public_key of [`${sound}=`, sound.slice(1), `${sound}A`, '', 1]) {
        expect(told(await post(path(), { ...base, public_key }))).to.deep.equal({ status: 400, code: 'malformed' })
      }
      const answer = await post(path(), { ...base, algorithm: 'hmac-sha256', public_key: sound })
      expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, '/public_key'])
    })

    it('changes its permissions; a revoked one does not, and stays in the list', async () => {
      const key = await makeKey(world, game)
      const of = `${path()}${key.prefix}/`
      const changed = must(await put(of, { permissions: ['lb:*:scores'] }), 200)
      expect(changed.permissions).to.deep.equal(['lb:*:scores'])
      expect(changed).to.not.have.property('secret')
      expect(must(await remove(of), 200)).to.deep.equal({ deleted: key.prefix })
      expect(must(await remove(of), 200)).to.deep.equal({ deleted: key.prefix })
      expect(told(await put(of, { permissions: [] }))).to.deep.equal({ status: 409, code: 'key_revoked' })
      const listed = (await allOf(path(), 'keys')).find(({ prefix }) => prefix === key.prefix)
      expect(listed).to.deep.equal({ ...changed, revoked: true })
    })

    it('of any game is issued, listed, changed and revoked by the operator', async () => {
      const made = must(await post(path(), { name: 'again', kind: 'server', algorithm: 'hmac-sha256' }, operator), 201)
      expect(made.game).to.equal(game.id)
      expect((await get(path(), operator)).status).to.equal(200)
      expect((await put(`${path()}${made.prefix}/`, { permissions: [] }, {}, operator)).status).to.equal(200)
      expect((await remove(`${path()}${made.prefix}/`, operator)).status).to.equal(200)
      expect(told(await get(`/api/gm/${'a'.repeat(24)}/keys/`, operator))).to.deep.equal({ status: 404, code: 'game_not_found' })
    })

    it('of the operator or of another game is not found', async () => {
      const other = await makeGame(world)
      for (const prefix of [world.operator.prefix, other.server.prefix, 'sk_nobody']) {
        expect(told(await remove(`${path()}${prefix}/`))).to.deep.equal({ status: 404, code: 'key_not_found' })
        expect(told(await remove(`${path()}${prefix}/`, operator))).to.deep.equal({ status: 404, code: 'key_not_found' })
      }
    })
  })

  describe('a leaderboard', () => {
    const path = () => `/api/gm/${game.id}/lb/`

    it('is made in exactly these fields, with the defaults', async () => {
      const made = must(await post(path(), { name: 'Laps', ordering: 'asc' }), 201)
      expect(made).to.deep.equal({
        id: made.id,
        name: 'Laps',
        description: '',
        game: game.id,
        ordering: 'asc',
        secondary_ordering: 'desc',
        unique: true,
        min_score: null,
        max_score: null,
        entries: 0,
      })
      expect(must(await get(`/api/lb/${made.id}/`), 200)).to.deep.equal(made)
      expect((await allOf(path(), 'leaderboards')).at(-1)).to.deep.equal(made)
    })

    it('answers what it was made with, bounds in canonical form', async () => {
      const wish = { name: 'B', description: 'two\nlines', ordering: 'desc', secondary_ordering: 'asc', unique: false, min_score: '-1.50', max_score: '0.0' }
      const made = must(await post(path(), wish), 201)
      expect(made).to.deep.equal({ id: made.id, game: game.id, entries: 0, ...wish, min_score: '-1.5', max_score: '0' })
    })

    it('refuses bounds the wrong way round, before it looks for the game', async () => {
      const wish = { name: 'B', ordering: 'desc', min_score: '1', max_score: '0.999999999999999999' }
      const answer = await post(path(), wish)
      expect([told(answer), answer.body.errors[0].pointer]).to.deep.equal([{ status: 400, code: 'malformed' }, '/min_score'])
      const wide = await keyToken(world, game, { permissions: ['gm:*:boards', 'lb:*:configure'] })
      expect((await post(`/api/gm/${'a'.repeat(24)}/lb/`, wish, wide)).status).to.equal(400)
      expect((await put('/api/lb/nosuchboard/', { min_score: '1', max_score: '0' }, {}, wide)).status).to.equal(400)
      expect((await post(path(), { ...wish, min_score: '1', max_score: '1.0' })).status).to.equal(201)
    })

    it('changes its name and description and leaves the rest; the ETag does not follow the entries', async () => {
      const id = await makeBoard(world, game, { min_score: '1' })
      const { body: before, headers } = await get(`/api/lb/${id}/`)
      const renamed = await put(`/api/lb/${id}/`, { name: 'New' }, { 'if-match': headers.etag })
      expect(must(renamed, 200)).to.deep.equal({ ...before, name: 'New' })
      const described = must(await put(`/api/lb/${id}/`, { description: 'D' }), 200)
      expect(described).to.deep.equal({ ...before, name: 'New', description: 'D' })
      expect(told(await put(`/api/lb/${id}/`, { name: 'X' }, { 'if-match': headers.etag }))).to.deep.equal({ status: 412, code: 'precondition_failed' })
      const { etag } = (await get(`/api/lb/${id}/`)).headers
      const player = await makePlayer(world, game)
      must(await post(`/api/lb/${id}/score/`, { score: '1', player }), 201)
      const after = await get(`/api/lb/${id}/`)
      expect([after.body.entries, after.headers.etag]).to.deep.equal([1, etag])
    })

    it('keeps its rules: another value is 409, the same ones are taken', async () => {
      const id = await makeBoard(world, game, { ordering: 'desc', min_score: '1', max_score: '5' })
      const same = { ordering: 'desc', secondary_ordering: 'desc', unique: true, min_score: '1.0', max_score: '5' }
      expect((await put(`/api/lb/${id}/`, same)).status).to.equal(200)
      for (const rule of [{ ordering: 'asc' }, { secondary_ordering: 'asc' }, { unique: false }, { min_score: '2' }, { min_score: null }, { max_score: '6' }]) {
        const answer = await put(`/api/lb/${id}/`, { name: 'Not this either', ...rule })
        expect(told(answer)).to.deep.equal({ status: 409, code: 'rules_change_unavailable' })
      }
      expect(must(await get(`/api/lb/${id}/`), 200).name).to.equal('Board')
      expect(told(await put(`/api/lb/${id}/`, { min_score: '6' }))).to.deep.equal({ status: 400, code: 'malformed' })
    })
  })

  describe('a player', () => {
    const path = () => `/api/gm/${game.id}/players/`

    it('is made, read and renamed in exactly these fields', async () => {
      const made = must(await post(path(), { name: 'Ad\u0061\u0308', external_id: 'steam:1' }), 201)
      expect(made).to.deep.equal({ id: made.id, name: 'Adä', created: nowText(), guest: false, external_id: 'steam:1', banned: null })
      expect(made.id).to.match(ID)
      expect(must(await get(`${path()}${made.id}/`), 200)).to.deep.equal(made)
      expect(must(await put(`${path()}${made.id}/`, { name: 'Eve' }), 200)).to.deep.equal({ ...made, name: 'Eve' })
      expect(must(await put(`${path()}${made.id}/`, {}), 200)).to.deep.equal({ ...made, name: 'Eve' })
    })

    it('an external id belongs to one player of a game, also among racers', async () => {
      const body = { name: 'A', external_id: 'raced' }
      const answers = await Promise.all(Array.from({ length: 16 }, () => post(path(), body)))
      const codes = answers.map((answer) => answer.body.code ?? answer.status)
      expect(codes.filter((code) => code === 201)).to.have.length(1)
      expect(codes.filter((code) => code === 'external_id_taken')).to.have.length(15)
      const other = await makeGame(world)
      expect((await post(`/api/gm/${other.id}/players/`, body, other.token)).status).to.equal(201)
    })

    it('guests are among them, and see themselves in fewer fields', async () => {
      const guest = await signInGuest(world, game, await clientToken(world, game), 'Gus')
      const seen = must(await get(`${path()}${guest.id}/`), 200)
      expect(seen).to.include({ name: 'Gus', guest: true, external_id: null, banned: null })
      const me = must(await get(`/api/gm/${game.id}/player/me/`, guest.token), 200)
      expect(me).to.deep.equal({ id: guest.id, name: 'Gus', created: seen.created, guest: true })
      const renamed = await world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name: 'Max' } })
      expect(must(renamed, 200)).to.deep.equal({ ...me, name: 'Max' })
    })

    it('are found by part of their name, in any case, in the order of making', async () => {
      const own = await makeGame(world)
      for (const name of ['Alba', 'Bob', 'ÅLAND', '%', 'balalaika']) {
        await makePlayer(world, own, name)
        world.clock.nowMs += 1
      }
      const found = async (part: string) =>
        must(await get(`/api/gm/${own.id}/players/?name=${encodeURIComponent(part)}`, own.token), 200).players.map(({ name }: Body) => name)
      expect(await found('AL')).to.deep.equal(['Alba', 'balalaika'])
      expect(await found('åla')).to.deep.equal(['ÅLAND'])
      expect(await found('%')).to.deep.equal(['%'])
      expect(await found('_')).to.deep.equal([])
      const listed = await allOf(`/api/gm/${own.id}/players/`, 'players', own.token)
      expect(listed.map(({ name }) => name)).to.deep.equal(['Alba', 'Bob', 'ÅLAND', '%', 'balalaika'])
    })

    it('of another game is not found', async () => {
      const other = await makeGame(world)
      const stranger = await makePlayer(world, other)
      for (const answer of [await get(`${path()}${stranger}/`), await put(`${path()}${stranger}/`, { name: 'X' })]) {
        expect(told(answer)).to.deep.equal({ status: 404, code: 'player_not_found' })
      }
    })
  })

  it('lists go by the order of making, also where many are made in one millisecond', async () => {
    const own = await makeGame(world)
    for (let i = 0; i < 5; i++) {
      await makeBoard(world, own, { name: `b${i}` })
      world.clock.nowMs += 1
    }
    const boards = await allOf(`/api/gm/${own.id}/lb/`, 'leaderboards', own.token)
    expect(boards.map(({ name }) => name)).to.deep.equal(['b0', 'b1', 'b2', 'b3', 'b4'])
    await Promise.all(Array.from({ length: 5 }, () => makeBoard(world, own, { name: 'same' })))
    const ids = (await allOf(`/api/gm/${own.id}/lb/`, 'leaderboards', own.token)).slice(5).map(({ id }) => id)
    expect(ids).to.deep.equal([...ids].sort())
  })
})
