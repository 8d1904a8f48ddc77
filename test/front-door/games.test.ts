// Games: created by the operator with their first server key, read and changed by the tenant.

import { expect } from 'chai'
import { type MadeGame, makeGame } from './game-fixtures.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

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

describe('games', () => {
  let world: World
  let game: MadeGame
  let operator: string
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let allOf: Tenant['allOf']
  let nowText: Tenant['nowText']

  before(async () => {
    ;({ world, game, operator, get, post, put, allOf, nowText } = await openTenant())
  })

  it('creates a game with its first server key, which is shown once, in exactly these fields', async () => {
    const made = must(await post('/api/gm/', { name: 'Quest' }, operator), 201)
    const id = made.game.id
    expect(id).to.match(ID)
    expect(made.key.prefix).to.match(/^sk_[a-z2-7]{24}$/)
    expect(made.key.secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(made).to.deep.equal({
      game: {
        id,
        name: 'Quest',
        created: nowText(),
        cors_origins: [],
        sign_in: SIGN_IN,
        realtime: REALTIME,
        fixed_rooms: [],
      },
      key: {
        prefix: made.key.prefix,
        name: made.key.name,
        game: id,
        kind: 'server',
        algorithm: 'hmac-sha256',
        permissions: [`gm:${id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'],
        created: nowText(),
        last_used: null,
        revoked: false,
        secret: made.key.secret,
      },
    })
    const listed = await allOf('/api/gm/', 'games', operator)
    expect(listed.filter((one) => one.id === id)).to.deep.equal([made.game])
  })

  it('changes only the named fields', async () => {
    const { id, token } = await makeGame(world, 'Before')
    const path = `/api/gm/${id}/`
    const before = must(await get(path, token), 200)
    const change = {
      name: 'After',
      cors_origins: ['https://a.example'],
      sign_in: { code: false },
      realtime: { enabled: true, max_rooms: 0 },
    }
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

  it('answers an ETag that follows the content, and honours If-Match', async () => {
    const { id, token } = await makeGame(world)
    const path = `/api/gm/${id}/`
    const { etag = '' } = (await get(path, token)).headers
    expect(etag).to.match(/^"[^"]+"$/)
    expect((await get(path, token)).headers.etag).to.equal(etag)
    const changed = await put(path, { name: 'B' }, { 'if-match': etag }, token)
    expect(changed.status).to.equal(200)
    expect(changed.headers.etag).to.not.equal(etag)
    expect((await get(path, token)).headers.etag).to.equal(changed.headers.etag)
    expect(answerCode(await put(path, { name: 'C' }, { 'if-match': etag }, token))).to.equal('412 precondition_failed')
    expect((await put(path, { name: 'C' }, { 'if-match': `${etag}, ${changed.headers.etag}` }, token)).status).to.equal(
      200,
    )
    expect((await put(path, { name: 'D' }, { 'if-match': '*' }, token)).status).to.equal(200)
    expect(answerCode(await put(path, { name: '' }, { 'if-match': etag }, token))).to.equal('400 malformed')
  })

  it('answers the calls of pages in apps, sandboxed frames and files, where the game allows their origins', async () => {
    const { id, token } = await makeGame(world)
    const origins = ['capacitor://localhost', 'null']
    const body = { cors_origins: origins }
    must(await world.call('PUT', `/api/gm/${id}/`, { token, body }), 200)
    for (const origin of [...origins, 'tauri://localhost']) {
      const answer = await world.call('GET', `/api/gm/${id}/`, { token, headers: { origin } })
      const expected = origins.includes(origin) ? origin : undefined
      expect([origin, answer.headers['access-control-allow-origin']]).to.deep.equal([origin, expected])
    }
  })

  const faults: [string, object, string][] = [
    ['a blank name', { name: ' ' }, '/name'],
    ['a path in an origin', { cors_origins: ['https://a.example/'] }, '/cors_origins/0'],
    ['* as an origin', { cors_origins: ['*'] }, '/cors_origins/0'],
    ['an unknown sign-in method', { sign_in: { magic: true } }, '/sign_in/magic'],
    ['text for a boolean', { sign_in: { guest: 'no' } }, '/sign_in/guest'],
    ['a room size of 0', { realtime: { max_room_size: 0 } }, '/realtime/max_room_size'],
    ['a room of 1,001 members', { realtime: { max_room_size: 1001 } }, '/realtime/max_room_size'],
    ['10,001 rooms', { realtime: { max_rooms: 10_001 } }, '/realtime/max_rooms'],
    ['messages of 63 bytes', { realtime: { max_message_bytes: 63 } }, '/realtime/max_message_bytes'],
    ['a rate of 0 messages a second', { realtime: { messages_per_second: 0 } }, '/realtime/messages_per_second'],
    [
      'a room id in capitals',
      { fixed_rooms: [{ id: 'A', name: 'A', max_members: 1, listed: true }] },
      '/fixed_rooms/0/id',
    ],
    ['a room without a name', { fixed_rooms: [{ id: 'a', max_members: 1, listed: true }] }, '/fixed_rooms/0/name'],
    ['an unknown field', { owner: 'me' }, '/owner'],
    ['null as a name', { name: null }, '/name'],
  ]
  for (const [what, body, pointer] of faults) {
    it(`refuses ${what} with 400`, async () => {
      const answer = await put(`/api/gm/${game.id}/`, body)
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).to.deep.equal([
        400,
        'malformed',
        pointer,
      ])
    })
  }
})
