// What the tenant reads about one player: their open sessions, and their entries on all leaderboards. And the status of
// the installation, for the operator.

import { expect } from 'chai'
import { VERSION } from '../../runtime/version.ts'
import { clientToken, makeBoard, makePlayer, signInGuest } from './game-fixtures.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

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
