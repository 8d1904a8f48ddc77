// The overview of a game over HTTP: counts, firsts, entries that stand out, what people did, and the last verification.

import { expect } from 'chai'
import { keyToken, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const zeros = (length: number) => Array.from({ length }, () => 0)

describe('the overview of a game', () => {
  let world: World
  let tenant: Tenant
  let token: string

  before(async () => {
    world = await openWorld()
  })
  beforeEach(async () => {
    // Half past an hour, so that a test does not cross one.
    world.clock.nowMs = Math.floor(world.clock.nowMs / HOUR_MS) * HOUR_MS + HOUR_MS / 2
    tenant = await openTenant(world)
    await renewToken()
  })
  after(() => world.close())

  const renewToken = async () => {
    token = await tokenOf(world, tenant.game.server)
  }
  const overview = async (): Promise<Body> =>
    must(await world.call('GET', `/api/gm/${tenant.game.id}/overview/`, { token }), 200)
  const submit = async (board: string, player: string, score: string): Promise<Body> => {
    const answer = await world.call('POST', `/api/lb/${board}/score/`, { token, body: { player, score } })
    expect(answer.status).to.be.oneOf([200, 201])
    return answer.body
  }
  const players = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => makePlayer(world, tenant.game, `P${n}`)))

  it('is empty for a new game, but for what people did', async () => {
    const { at, actions, verified, ...rest } = await overview()
    expect(at).to.equal(tenant.nowText())
    expect(verified).to.equal(null)
    const none = { hours: zeros(24), days: zeros(30) }
    expect(rest).to.deep.equal({ submissions: none, players: none, firsts: [], unusual: [] })
    expect(actions.map(({ type, about }: Body) => [type, about.kind])).to.deep.equal([
      ['KeyIssued', 'key'],
      ['GameCreated', 'game'],
    ])
  })

  it('counts recorded submissions and who made them per hour and day, over restarts and deletions', async () => {
    const board = await makeBoard(world, tenant.game)
    const all = await makeBoard(world, tenant.game, { unique: false })
    const [ada = '', eve = ''] = await players(2)
    await submit(board, ada, '5')
    const { id } = await submit(all, eve, '4')
    world.clock.nowMs += DAY_MS
    await renewToken()
    await submit(board, ada, '1')
    await submit(all, ada, '2')
    world.clock.nowMs += HOUR_MS
    await renewToken()
    await submit(board, eve, '3')
    const refused = await world.call('POST', `/api/lb/${board}/score/`, { token, body: { player: ada, score: 'x' } })
    expect(refused.status).to.equal(400)
    const counted = async () => {
      const { submissions, players: active } = await overview()
      return [submissions.hours.slice(-3), submissions.days.slice(-3), active.hours.slice(-3), active.days.slice(-3)]
    }
    // The last hour may be the first one of a day.
    const isNewDay = new Date(world.clock.nowMs).getUTCHours() === 0
    const expected = isNewDay
      ? [
          [0, 2, 1],
          [2, 2, 1],
          [0, 1, 1],
          [2, 1, 1],
        ]
      : [
          [0, 2, 1],
          [0, 2, 3],
          [0, 1, 1],
          [0, 2, 2],
        ]
    expect(await counted()).to.deep.equal(expected)
    must(await tenant.remove(`/api/score/${id}/`, token), 200)
    must(await tenant.remove(`/api/gm/${tenant.game.id}/players/${eve}/`, token), 200)
    await world.restart()
    expect(await counted()).to.deep.equal(expected)
  })

  it('lists the present first of each leaderboard, the one set last first, without archived and emptied ones', async () => {
    const [older, newer, archived, emptied] = await Promise.all(
      ['Older', 'Newer', 'Archived', 'Emptied'].map((name) => makeBoard(world, tenant.game, { name })),
    )
    const [ada = '', eve = ''] = await players(2)
    for (const board of [newer, archived, emptied, older]) {
      world.clock.nowMs += 1_000
      await submit(board as string, ada, '5')
    }
    world.clock.nowMs += 1_000
    const first = await submit(newer as string, eve, '6')
    await submit(older as string, eve, '4')
    must(await tenant.remove(`/api/lb/${archived}/`, token), 200)
    const { body: page } = await tenant.get(`/api/lb/${emptied}/score/`, token)
    must(await tenant.remove(`/api/score/${page.scores[0].id}/`, token), 200)
    const { firsts } = await overview()
    expect(firsts.map((one: Body) => [one.leaderboard_name, one.player_name, one.score, one.rank])).to.deep.equal([
      ['Newer', 'P1', '6', 1],
      ['Older', 'P0', '5', 1],
    ])
    const { improved: _, submitted: __, ...ranked } = first
    expect(firsts[0]).to.deep.equal({ ...ranked, leaderboard: newer, leaderboard_name: 'Newer' })
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${eve}/ban/`, {}, token), 200)
    expect((await overview()).firsts.map((one: Body) => one.player_name)).to.deep.equal(['P0', 'P0'])
  })

  it('lists entries that changed in 24 hours and are better than the median by more than 6 MADs, in both orders', async () => {
    const high = await makeBoard(world, tenant.game, { name: 'High' })
    const low = await makeBoard(world, tenant.game, { name: 'Low', ordering: 'asc' })
    const same = await makeBoard(world, tenant.game, { name: 'Same' })
    const all = await players(8)
    // The median is 5.5, and that of the distances 0.5, 0.5, 1.5, 1.5, 2.5, 3.5, 12, 14.5 is 2.
    const scores = ['2', '3', '4', '5', '6', '7', '17.5', '20']
    await submit(high, all[7] as string, '20')
    await submit(low, all[6] as string, '-8.5')
    world.clock.nowMs += DAY_MS + 1
    await renewToken()
    for (const [n, player] of all.entries()) {
      const mirrored = String(9 - Number(scores[n]))
      if (n < 7) await submit(high, player, scores[n] as string)
      if (n !== 6) await submit(low, player, mirrored)
      await submit(same, player, n === 7 ? '1000' : '1')
    }
    const unusual = async () =>
      (await overview()).unusual.map((one: Body) => [one.leaderboard_name, one.score, one.rank, one.reason])
    const farthest = ['Low', '-11', 1, 'Better than the median (3.5) by 7.3 median absolute deviations.']
    // 17.5 is exactly six of them better: it does not stand out.
    expect(await unusual()).to.deep.equal([farthest])
    await submit(high, all[6] as string, '17.500000000000000001')
    expect(await unusual()).to.deep.equal([
      farthest,
      ['High', '17.500000000000000001', 2, 'Better than the median (5.5) by 6.0 median absolute deviations.'],
    ])
  })

  it('lists what people did, with the names of today, and nothing of what the service did', async () => {
    const board = await makeBoard(world, tenant.game, { name: 'Race' })
    const [eve = '', ada = ''] = await players(2)
    const { id } = await submit(board, ada, '1')
    const ban = { until: new Date(world.clock.nowMs + HOUR_MS).toISOString() }
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${eve}/ban/`, ban, token), 200)
    must(await tenant.put(`/api/lb/${board}/`, { name: 'Race II', min_score: '0' }, {}, token), 202)
    must(await tenant.remove(`/api/score/${id}/`, token), 200)
    must(await tenant.remove(`/api/gm/${tenant.game.id}/players/${ada}/`, token), 200)
    must(await tenant.put(`/api/gm/${tenant.game.id}/`, { name: 'Quest II' }, {}, token), 200)
    const { prefix } = tenant.game.server
    const { actions } = await overview()
    expect(actions.map(({ type, about }: Body) => [type, about.kind, about.id, about.name])).to.deep.equal([
      ['GameRenamed', 'game', tenant.game.id, 'Quest II'],
      ['PlayerDeleted', 'player', ada, null],
      ['ScoreDeleted', 'player', ada, null],
      ['LeaderboardRulesRequested', 'leaderboard', board, 'Race II'],
      ['LeaderboardDescribed', 'leaderboard', board, 'Race II'],
      ['PlayerBanned', 'player', eve, 'P0'],
      ['LeaderboardCreated', 'leaderboard', board, 'Race II'],
      ['KeyIssued', 'key', prefix, actions[7].about.name],
      ['GameCreated', 'game', tenant.game.id, 'Quest II'],
    ])
    expect(Object.keys(actions[0])).to.deep.equal(['time', 'actor', 'actor_name', 'type', 'about'])
    expect([actions[0].time, actions[0].actor, actions[0].actor_name]).to.deep.equal([
      tenant.nowText(),
      prefix,
      actions[7].about.name,
    ])
  })

  it('is at most a minute old, and includes what its caller has written', async () => {
    const board = await makeBoard(world, tenant.game)
    const [ada = ''] = await players(1)
    const { at } = await overview()
    world.clock.nowMs += 10_000
    const other = await keyToken(world, tenant.game)
    const readBy = async (by: string, headers = {}) =>
      must(await world.call('GET', `/api/gm/${tenant.game.id}/overview/`, { token: by, headers }), 200)
    await overview()
    const cachedAt = (await readBy(other)).at
    world.clock.nowMs += 10_000
    const written = await world.call('POST', `/api/lb/${board}/score/`, { token, body: { player: ada, score: '1' } })
    expect((await readBy(other)).at).to.equal(cachedAt)
    const sent = { 'x-consistency-token': String(written.headers['x-consistency-token']) }
    expect((await readBy(other, sent)).submissions.hours.at(-1)).to.equal(1)
    expect((await overview()).submissions.hours.at(-1)).to.equal(1)
    world.clock.nowMs += 60_000
    expect((await readBy(other)).at).to.equal(tenant.nowText())
    expect(at < cachedAt).to.equal(true)
  })

  it('tells when the last verification ended, and its result, also after a restart', async () => {
    const lines = await (await openLines(world.port, '/api/sys/verify/', tenant.operator)).all()
    expect(lines.at(-1)?.result.equal).to.equal(true)
    await world.restart()
    expect((await overview()).verified).to.deep.equal({ at: tenant.nowText(), equal: true })
  })

  it('is refused for other games and for the token of the operator', async () => {
    const path = `/api/gm/${tenant.game.id}/overview/`
    const other = await openTenant(world)
    expect(answerCode(await other.get(path))).to.equal('403 permission_needed')
    expect(answerCode(await tenant.get(path, tenant.operator))).to.equal('403 permission_needed')
  })
})
