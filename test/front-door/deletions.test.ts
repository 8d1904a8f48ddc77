// Deleting a player: gone for everybody at once and for ever, and what they held is free for others.

import { expect } from 'chai'
import { clientToken, type Guest, type MadeGame, makeBoard, makeGame, signInGuest } from './scenery.ts'
import { openTenant, type Tenant, told } from './tenant.ts'
import { must, type World } from './world.ts'

const NOT_FOUND = { status: 404, code: 'player_not_found' }

describe('a deleted player', () => {
  let world: World
  let game: MadeGame
  let tenant: Tenant
  let client: string
  let guest: Guest

  before(async () => {
    tenant = await openTenant()
    world = tenant.world
    game = await makeGame(world)
    client = await clientToken(world, game)
  })

  beforeEach(async () => {
    guest = await signInGuest(world, game, client, 'Ada')
  })

  const players = () => `/api/gm/${game.id}/players/`
  const path = (id = guest.id) => `${players()}${id}/`
  const call = (method: string, where: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.call(method, where, { token: game.token, headers, ...(body === undefined ? {} : { body }) })
  const remove = (id = guest.id, headers = {}) => call('DELETE', path(id), undefined, headers)

  it('is answered with their id, once; repeated with its key the same again', async () => {
    const key = { 'idempotency-key': `delete ${guest.id}` }
    expect(must(await remove(guest.id, key), 200)).to.deep.equal({ deleted: guest.id })
    const again = await remove(guest.id, key)
    expect(again.headers['idempotent-replay']).to.equal('true')
    expect(must(again, 200)).to.deep.equal({ deleted: guest.id })
    expect(told(await remove())).to.deep.equal(NOT_FOUND)
    expect((await call('POST', players(), { name: 'x' }, key)).body.code).to.equal('idempotency_key_reused')
  })

  it('is not there for the tenant, by id, by name or in the list', async () => {
    must(await call('PUT', path(), { name: 'Onlyhere' }), 200)
    expect(must(await call('GET', `${players()}?name=onlyhere`), 200).count).to.equal(1)
    const { count } = must(await call('GET', players()), 200)
    must(await remove(), 200)
    const calls = [
      call('GET', path()),
      call('PUT', path(), { name: 'Eve' }),
      call('PUT', path(), {}),
      ...['ban', 'unban', 'signout'].map((what) => call('POST', `${path()}${what}/`)),
    ]
    for (const answer of await Promise.all(calls)) expect(told(answer)).to.deep.equal(NOT_FOUND)
    expect(must(await call('GET', `${players()}?name=onlyhere`), 200).count).to.equal(0)
    const listed = must(await call('GET', `${players()}?limit=100`), 200)
    expect(listed.count).to.equal(count - 1)
    expect(listed.players.map(({ id }: { id: string }) => id)).not.to.include(guest.id)
  })

  it('is nobody with any token they had, also where they were banned', async () => {
    must(await call('POST', `${path()}ban/`), 200)
    must(await remove(), 200)
    const own = world.call('GET', `/api/gm/${game.id}/player/me/`, { token: guest.token })
    expect(told(await own)).to.deep.equal({ status: 401, code: 'token_rejected' })
    const again = { token: client, body: { guest_token: guest.guestToken } }
    const rejected = { status: 401, code: 'sign_in_rejected' }
    expect(told(await world.call('POST', `/api/gm/${game.id}/player/guest/`, again))).to.deep.equal(rejected)
    const renewal = { body: { refresh_token: guest.refreshToken } }
    expect(told(await world.call('POST', `/api/gm/${game.id}/player/refresh/`, renewal))).to.deep.equal(rejected)
  })

  for (const unique of [true, false]) {
    it(`has left every answer of a board (unique: ${unique}), and is submitted for no more`, async () => {
      const board = await makeBoard(world, game, { unique })
      const since = new Date(world.clock.nowMs - 1_000).toISOString()
      const submit = (score: string, player: string) => call('POST', `/api/lb/${board}/score/`, { score, player })
      const { id } = must(await submit('9', guest.id), 201)
      const other = await signInGuest(world, game, client, 'Bo')
      must(await submit('5', other.id), 201)
      must(await remove(), 200)
      expect(told(await submit('1', guest.id))).to.deep.equal({ status: 422, code: 'unknown_player' })
      expect(told(await call('GET', `/api/score/${id}/`))).to.deep.equal({ status: 404, code: 'score_not_found' })
      expect(told(await call('DELETE', `/api/score/${id}/`))).to.deep.equal({ status: 404, code: 'score_not_found' })
      const queries = [
        '',
        '?order=worst',
        '?order=newest',
        `?since=${since}`,
        `?since=${since}&window=best`,
        '?min_score=1',
      ]
      for (const query of [...queries, `?around=${other.id}`]) {
        const list = must(await call('GET', `/api/lb/${board}/score/${query}`), 200)
        expect(
          list.scores.map(({ player, rank }: { player: string; rank: number }) => [player, rank]),
          query,
        ).to.deep.equal([[other.id, 1]])
        expect(list.count).to.equal(1)
      }
      for (const query of [`?player=${guest.id}`, `?around=${guest.id}`, '?player_name=ada']) {
        expect(must(await call('GET', `/api/lb/${board}/score/${query}`), 200).scores, query).to.deep.equal([])
      }
      expect(must(await call('GET', `/api/lb/${board}/`), 200).entries).to.equal(1)
    })
  }

  it('gives their external id back', async () => {
    const fresh = { name: 'Ada', external_id: 'steam:given-back' }
    const first = must(await call('POST', players(), fresh), 201)
    expect((await call('POST', players(), fresh)).body.code).to.equal('external_id_taken')
    must(await remove(first.id), 200)
    const second = must(await call('POST', players(), fresh), 201)
    expect(second.id).not.to.equal(first.id)
    expect(second.external_id).to.equal('steam:given-back')
    expect(told(await call('GET', path(first.id)))).to.deep.equal(NOT_FOUND)
  })

  it('one of many deleting at once wins, and a rename that comes between brings nothing back', async () => {
    const racers = [
      ...Array.from({ length: 8 }, () => remove()),
      ...Array.from({ length: 8 }, (_, n) => call('PUT', path(), { name: `Ada ${n}` })),
    ]
    const statuses = (await Promise.all(racers)).map(({ status }) => status)
    expect(statuses.slice(0, 8).filter((status) => status === 200)).to.have.length(1)
    expect(statuses.filter((status) => status !== 200 && status !== 404)).to.deep.equal([])
    expect(told(await call('GET', path()))).to.deep.equal(NOT_FOUND)
  })
})
