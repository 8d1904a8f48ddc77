// Live boards of the current season, over a socket: the switch to the next season at its end and at another schedule,
// the end when no season is open, and one watch per leaderboard. The clock of the server is set; seasons close by
// themselves.

import { expect } from 'chai'
import { makeBoard, makePlayer } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { eventually } from '../until.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'

const HOUR_MS = 3_600_000
const HOURLY = { cron: '0 * * * *', time_zone: 'UTC' }

describe('a live board of the current season', () => {
  let world: World
  let fixture: RoomsFixture
  let token: string
  let board: string
  let ada: string
  let bob: string
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  beforeEach(async () => {
    // Half past an hour.
    world.clock.nowMs = Math.ceil(world.clock.nowMs / HOUR_MS) * HOUR_MS + HOUR_MS / 2
    fixture = await openRoomsFixture(world)
    const { game } = fixture
    token = game.token
    board = await makeBoard(world, game, { seasons: HOURLY })
    ada = await makePlayer(world, game, 'Ada')
    bob = await makePlayer(world, game, 'Bob')
  })
  afterEach(() => closeRoomClients())

  const submit = async (player: string, score: string) =>
    (await world.call('POST', `/api/lb/${board}/score/`, { token, body: { score, player } })).status
  const setSchedule = async (seasons: object | null) =>
    must(await world.call('PUT', `/api/lb/${board}/`, { token, body: { seasons } }), 200)
  const listed = async (): Promise<Body[]> =>
    must(await world.call('GET', `/api/lb/${board}/seasons/`, { token }), 200).seasons

  /** Sets the clock to the end of the open season. */
  async function endSeason() {
    const [open] = await listed()
    world.clock.nowMs = Date.parse(open?.ends)
    token = await tokenOf(world, fixture.game.server)
  }

  const watch = (roomClient: RoomClient, more: object = { season: 'current' }) =>
    roomClient.ask('watch', { leaderboard: board, ...more })
  const shown = ({ season, seq, scores, changes }: Body) => {
    const rows = scores ?? changes.map(({ rank, score }: Body) => score ?? { rank })
    return [season, seq, rows.map((row: Body) => [row.rank, row.player_name, row.score])]
  }

  it('has the rows of the season, in the first answer and in changes', async () => {
    const roomClient = await fixture.enter()
    await submit(ada, '10')
    await endSeason()
    await eventually(async () => (await listed())[0]?.season === 2)
    await submit(ada, '4')
    const { ok, ...answer } = await watch(roomClient)
    expect(ok).to.equal(true)
    expect(await roomClient.next('board')).to.deep.equal(answer)
    expect(Object.keys(answer)).to.deep.equal(['leaderboard', 'season', 'scores', 'seq'])
    expect(answer.leaderboard).to.equal(board)
    expect(shown(answer)).to.deep.equal([2, 0, [[1, 'Ada', '4']]])
    const page = must(await world.call('GET', `/api/lb/${board}/score/?season=current`, { token }), 200)
    expect(answer.scores.map((row: Body) => ({ ...row, final_rank: null }))).to.deep.equal(page.scores)
    await submit(bob, '5')
    const changed = await roomClient.next('board_changed')
    expect(Object.keys(changed)).to.deep.equal(['leaderboard', 'season', 'changes', 'seq'])
    expect(shown(changed)).to.deep.equal([
      2,
      1,
      [
        [1, 'Bob', '5'],
        [2, 'Ada', '4'],
      ],
    ])
  })

  it('is sent again at the end of a season and at another schedule, always with the next seq', async () => {
    await submit(ada, '10')
    const roomClient = await fixture.enter()
    await watch(roomClient, { season: 'current', top: 3 })
    expect(shown(await roomClient.next('board'))).to.deep.equal([1, 0, [[1, 'Ada', '10']]])
    await endSeason()
    expect(shown(await roomClient.next('board'))).to.deep.equal([2, 1, []])
    await submit(bob, '1')
    expect(shown(await roomClient.next('board_changed'))).to.deep.equal([2, 2, [[1, 'Bob', '1']]])
    await eventually(async () => (await listed())[0]?.season === 2)
    await setSchedule({ cron: 'daily', time_zone: 'UTC' })
    expect(shown(await roomClient.next('board'))).to.deep.equal([3, 3, []])
    await submit(ada, '2')
    expect(shown(await roomClient.next('board_changed'))).to.deep.equal([3, 4, [[1, 'Ada', '2']]])
    expect(roomClient.received).to.deep.equal([])
  })

  it('is refused with no_seasons without an open season, also when the schedule is removed later', async () => {
    const roomClient = await fixture.enter()
    const detail = `Leaderboard ${board} has no open season: watch it without \`season\`.`
    expect(await watch(roomClient)).to.include({ ok: true, season: 1 })
    await setSchedule(null)
    const refused = { event: 'watch', code: 'no_seasons', detail }
    expect(await roomClient.next('refused')).to.deep.equal(refused)
    expect(await roomClient.next('unwatched')).to.deep.equal({ leaderboard: board })
    expect(await watch(roomClient), 'a board whose seasons are over').to.deep.equal({
      ok: false,
      code: 'no_seasons',
      detail,
    })
    expect(await roomClient.next('refused')).to.deep.equal(refused)
    const never = await makeBoard(world, { ...fixture.game, token })
    const answer = await roomClient.ask('watch', { leaderboard: never, season: 'current' })
    expect([answer.ok, answer.code], 'a board that never had any').to.deep.equal([false, 'no_seasons'])
    await roomClient.next('refused')
    await submit(ada, '1')
    await setSchedule(HOURLY)
    expect(await watch(roomClient)).to.deep.include({ ok: true, season: 2, scores: [] })
    await submit(ada, '2')
    expect(shown(await roomClient.next('board_changed'))).to.deep.equal([2, 1, [[1, 'Ada', '2']]])
  })

  it('replaces the watch of the whole board, which replaces it, and leaves that without a season', async () => {
    const roomClient = await fixture.enter()
    await submit(ada, '10')
    await endSeason()
    await eventually(async () => (await listed())[0]?.season === 2)
    const whole = await watch(roomClient, {})
    expect(Object.keys(whole)).to.deep.equal(['ok', 'leaderboard', 'scores', 'seq'])
    expect(shown(whole)).to.deep.equal([undefined, 0, [[1, 'Ada', '10']]])
    expect(shown(await watch(roomClient))).to.deep.equal([2, 0, []])
    await submit(bob, '20')
    expect(shown(await roomClient.next('board_changed'))).to.deep.equal([2, 1, [[1, 'Bob', '20']]])
    await watch(roomClient, { top: 1 })
    await submit(ada, '30')
    const changed = await roomClient.next('board_changed')
    expect(Object.keys(changed)).to.deep.equal(['leaderboard', 'changes', 'seq'])
    expect(shown(changed)).to.deep.equal([undefined, 1, [[1, 'Ada', '30']]])
    expect(await roomClient.ask('unwatch', { leaderboard: board })).to.deep.equal({ ok: true, leaderboard: board })
    await roomClient.next('unwatched')
    expect(roomClient.received).to.deep.equal([])
  })

  it('ends with the archived leaderboard, without a refusal', async () => {
    const roomClient = await fixture.enter()
    await watch(roomClient)
    await roomClient.next('board')
    must(await world.call('DELETE', `/api/lb/${board}/`, { token }), 200)
    expect(await roomClient.next('unwatched')).to.deep.equal({ leaderboard: board })
    expect(roomClient.received).to.deep.equal([])
  })

  it('is refused as malformed for any other season', async () => {
    const roomClient = await fixture.enter()
    for (const season of ['last', 1, '1', null, '']) {
      const answer = await watch(roomClient, { season })
      expect([answer.code, answer.detail], String(season)).to.deep.equal(['malformed', 'season: must be "current".'])
    }
  })
})
