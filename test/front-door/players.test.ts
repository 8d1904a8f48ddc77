// Players, as the tenant creates, finds and renames them, their sessions and entries, and as they see themselves. And
// the status of the installation, for the operator.

import { expect } from 'chai'
import { VERSION } from '../../runtime/version.ts'
import { clientToken, type MadeGame, makeBoard, makeGame, makePlayer, signInGuest } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

const ID = /^[a-z2-7]{24}$/

describe('players', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let allOf: Tenant['allOf']
  let nowText: Tenant['nowText']

  before(async () => {
    ;({ world, game, get, post, put, allOf, nowText } = await openTenant())
  })

  const path = () => `/api/gm/${game.id}/players/`

  it('creates, reads and renames a player in exactly these fields', async () => {
    const made = must(await post(path(), { name: 'Ad\u0061\u0308', external_id: 'steam:1' }), 201)
    expect(made).to.deep.equal({
      id: made.id,
      name: 'Adä',
      created: nowText(),
      guest: false,
      external_id: 'steam:1',
      banned: null,
    })
    expect(made.id).to.match(ID)
    expect(must(await get(`${path()}${made.id}/`), 200)).to.deep.equal(made)
    expect(must(await put(`${path()}${made.id}/`, { name: 'Eve' }), 200)).to.deep.equal({ ...made, name: 'Eve' })
    expect(must(await put(`${path()}${made.id}/`, {}), 200)).to.deep.equal({ ...made, name: 'Eve' })
  })

  it('gives an external id to one player of a game, also among simultaneous calls', async () => {
    const body = { name: 'A', external_id: 'raced' }
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(path(), body)))
    const codes = answers.map((answer) => answer.body.code ?? answer.status)
    expect(codes.filter((code) => code === 201)).to.have.length(1)
    expect(codes.filter((code) => code === 'external_id_taken')).to.have.length(15)
    const other = await makeGame(world)
    expect((await post(`/api/gm/${other.id}/players/`, body, other.token)).status).to.equal(201)
  })

  it('includes guests, and shows them themselves in fewer fields', async () => {
    const guest = await signInGuest(world, game, await clientToken(world, game), 'Gus')
    const shown = must(await get(`${path()}${guest.id}/`), 200)
    expect(shown).to.include({ name: 'Gus', guest: true, external_id: null, banned: null })
    const me = must(await get(`/api/gm/${game.id}/player/me/`, guest.token), 200)
    expect(me).to.deep.equal({ id: guest.id, name: 'Gus', created: shown.created, guest: true })
    const renamed = await world.call('PUT', `/api/gm/${game.id}/player/me/`, {
      token: guest.token,
      body: { name: 'Max' },
    })
    expect(must(renamed, 200)).to.deep.equal({ ...me, name: 'Max' })
  })

  it('finds players by part of their name, in any case, in the order of creation', async () => {
    const own = await makeGame(world)
    for (const name of ['Alba', 'Bob', 'ÅLAND', '%', 'balalaika']) {
      await makePlayer(world, own, name)
      world.clock.nowMs += 1
    }
    const found = async (part: string) =>
      must(await get(`/api/gm/${own.id}/players/?name=${encodeURIComponent(part)}`, own.token), 200).players.map(
        ({ name }: Body) => name,
      )
    expect(await found('AL')).to.deep.equal(['Alba', 'balalaika'])
    expect(await found('åla')).to.deep.equal(['ÅLAND'])
    expect(await found('%')).to.deep.equal(['%'])
    expect(await found('_')).to.deep.equal([])
    const listed = await allOf(`/api/gm/${own.id}/players/`, 'players', own.token)
    expect(listed.map(({ name }) => name)).to.deep.equal(['Alba', 'Bob', 'ÅLAND', '%', 'balalaika'])
  })

  it('answers 404 for a player of another game', async () => {
    const other = await makeGame(world)
    const stranger = await makePlayer(world, other)
    for (const answer of [await get(`${path()}${stranger}/`), await put(`${path()}${stranger}/`, { name: 'X' })]) {
      expect(answerCode(answer)).to.equal('404 player_not_found')
    }
  })
})

describe('the details of a player', () => {
  let tenant: Tenant
  let world: World
  before(async () => {
    tenant = await openTenant()
    world = tenant.world
  })

  const pathOf = (player: string) => `/api/gm/${tenant.game.id}/players/${player}/`

  it('list the sessions with which they may still get tokens', async () => {
    const client = await clientToken(world, tenant.game)
    const guest = await signInGuest(world, tenant.game, client)
    const began = [tenant.nowText()]
    world.clock.nowMs += 1_000
    const again = { token: client, body: { guest_token: guest.guestToken } }
    const second = must(await world.call('POST', `/api/gm/${tenant.game.id}/player/guest/`, again), 200)
    began.push(tenant.nowText())
    const rows = await tenant.allOf(`${pathOf(guest.id)}sessions/`, 'sessions')
    expect(rows.map(({ created }) => created)).to.deep.equal(began)
    for (const row of rows) expect(Object.keys(row)).to.deep.equal(['id', 'created', 'last_used'])
    must(await world.call('POST', `/api/gm/${tenant.game.id}/player/signout/`, { token: second.token, body: {} }), 200)
    const days = rows.map(({ created, last_used }) => last_used === created.slice(0, 10))
    expect(days).to.deep.equal([true, true])
    const left = must(await tenant.get(`${pathOf(guest.id)}sessions/`), 200)
    expect(left.sessions.map(({ id }: { id: string }) => id)).to.deep.equal([rows[0].id])
    must(await tenant.post(`${pathOf(guest.id)}signout/`, {}), 200)
    expect(must(await tenant.get(`${pathOf(guest.id)}sessions/`), 200).count).to.equal(0)
  })

  it('list their entries on all leaderboards with the ranks that those answer', async () => {
    const [ada, bob] = [await makePlayer(world, tenant.game, 'Ada'), await makePlayer(world, tenant.game, 'Bob')]
    const unique = await makeBoard(world, tenant.game, { name: 'Best' })
    const every = await makeBoard(world, tenant.game, { name: 'All', unique: false })
    const archived = await makeBoard(world, tenant.game, { name: 'Old' })
    const submit = async (board: string, player: string, score: string) =>
      must(await tenant.post(`/api/lb/${board}/score/`, { player, score }), 201)
    const submissions = [
      [unique, bob, '9'],
      [unique, ada, '5'],
      [archived, ada, '1'],
      [every, ada, '1'],
      [every, bob, '2'],
      [every, ada, '3'],
    ] as const
    // The leaderboard with the last id first: the order must not be that of the first submissions.
    for (const [board, player, score] of submissions.toSorted(([a], [b]) => (a === b ? 0 : a < b ? 1 : -1))) {
      await submit(board, player, score)
    }
    must(await tenant.remove(`/api/lb/${archived}/`), 200)
    const expected = []
    for (const [leaderboard, name] of [
      [unique, 'Best'],
      [every, 'All'],
    ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))) {
      const { scores } = must(await tenant.get(`/api/lb/${leaderboard}/score/?player=${ada}`), 200)
      expected.push(...scores.map((score: object) => ({ ...score, leaderboard, leaderboard_name: name })))
    }
    expect(await tenant.allOf(`${pathOf(ada)}entries/`, 'entries')).to.deep.equal(expected)
    expect(expected.map(({ rank }) => rank).sort()).to.deep.equal([1, 2, 3])
    for (const offset of [0, 1, 2, 3]) {
      for (const limit of [1, 2, 3]) {
        const page = must(await tenant.get(`${pathOf(ada)}entries/?limit=${limit}&offset=${offset}`), 200)
        const next = offset + limit < 3 ? offset + limit : null
        const wanted = [expected.slice(offset, offset + limit), 3, next]
        expect([page.entries, page.count, page.next_offset]).to.deep.equal(wanted)
      }
    }
    must(await tenant.post(`${pathOf(ada)}ban/`, {}), 200)
    expect(must(await tenant.get(`${pathOf(ada)}entries/`), 200).count).to.equal(0)
    expect(answerCode(await tenant.get(`${pathOf('nobody')}entries/`))).to.equal('404 player_not_found')
  })
})

describe('the status of the installation', () => {
  it('has the health, the lag, the parked streams and the versions', async () => {
    const tenant = await openTenant()
    const status = must(await tenant.get('/api/sys/status/', tenant.operator), 200)
    expect(Object.keys(status)).to.deep.equal(['health', 'lag', 'parked', 'versions'])
    expect(status.health).to.deep.equal({ status: 'ready', reasons: {} })
    expect(Object.keys(status.lag)).to.deep.equal(['ms', 'log', 'views'])
    expect(status.lag.ms).to.be.a('number')
    expect(status.parked).to.deep.equal({ count: 0, streams: [] })
    expect([status.versions.server, status.versions.node]).to.deep.equal([VERSION, process.version])
    expect(status.versions.views.some((view: string) => /^entries@\d+/.test(view))).to.equal(true)
    expect(answerCode(await tenant.get('/api/sys/status/'))).to.equal('403 permission_needed')
  })
})
