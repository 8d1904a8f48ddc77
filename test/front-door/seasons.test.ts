// Seasons over HTTP: the schedule, the list, pages of the open season and of closed ones, what a submission answers,
// and what bans, deletions, other rules and other schedules change. The clock of the server is set; seasons close by
// themselves.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { clientToken, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const HOUR_MS = 3_600_000
const HOURLY = { cron: '0 * * * *', time_zone: 'UTC' }
const RULES = {
  ordering: 'desc',
  secondary_ordering: 'desc',
  unique: true,
  min_score: null,
  max_score: null,
  keep: 'best',
}

describe('seasons', () => {
  let world: World
  let tenant: Tenant
  before(async () => {
    world = await openWorld({ acceptsClock: true })
    // Half past an hour, long ago: a season ends only once the clock of the shared store has passed its end too.
    world.clock.nowMs = Date.parse('2026-06-01T10:30:00.000Z')
    tenant = await openTenant(world)
  })
  after(() => world.close())

  let token = ''
  beforeEach(async () => {
    token = await tokenOf(world, tenant.game.server)
  })

  const board = (rules: object = {}) => makeBoard(world, { ...tenant.game, token }, { seasons: HOURLY, ...rules })
  const player = (name: string) => makePlayer(world, { ...tenant.game, token }, name)
  const submit = async (of: string, by: string, score: string): Promise<Body> => {
    world.clock.nowMs += 1
    const answer = await tenant.post(`/api/lb/${of}/score/`, { player: by, score }, token)
    if (answer.status >= 400) throw new Error(answer.text)
    return answer.body
  }
  const page = async (of: string, query: string): Promise<Body> =>
    must(await tenant.get(`/api/lb/${of}/score/?limit=100${query}`, token), 200)
  const rows = async (of: string, season: string | number): Promise<unknown[]> =>
    (await page(of, `&season=${season}`)).scores.map((row: Body) => [
      row.player_name,
      row.score,
      row.rank,
      row.final_rank,
    ])
  const listed = async (of: string): Promise<Body[]> =>
    must(await tenant.get(`/api/lb/${of}/seasons/?limit=100`, token), 200).seasons
  const stateOf = async (of: string, season: number) =>
    (await listed(of)).find((one) => one.season === season)?.state ?? null

  const eventsOf = async (of: string): Promise<Body[]> =>
    (await openLines(world.port, `/api/gm/${tenant.game.id}/events/?board=${of}`, token)).all()

  /** Sets the clock to the end of the open season, and waits until it is closed and its standing recorded. */
  async function endSeason(of: string): Promise<number> {
    const [open] = await listed(of)
    world.clock.nowMs = Date.parse(open?.ends)
    token = await tokenOf(world, tenant.game.server)
    await eventually(async () => (await stateOf(of, open?.season)) === 'closed')
    return open?.season
  }

  it('answers null as the seasons of a leaderboard without a schedule, and a schedule as it was sent', async () => {
    const none = await makeBoard(world, { ...tenant.game, token })
    expect(must(await tenant.get(`/api/lb/${none}/`, token), 200).seasons).to.equal(null)
    expect(await listed(none)).to.deep.equal([])
    const of = await board({ seasons: { cron: 'weekly', time_zone: 'Europe/Berlin' } })
    const schedule = { cron: 'weekly', time_zone: 'Europe/Berlin' }
    expect(must(await tenant.get(`/api/lb/${of}/`, token), 200).seasons).to.deep.equal(schedule)
    const [first] = await listed(of)
    expect(first).to.include({ season: 1, starts: tenant.nowText(), state: 'open', players: 0, entries: 0 })
  })

  it('refuses a faulty schedule with 400 and the field at fault, and two firings within an hour with 422 season_too_short', async () => {
    const make = (seasons: unknown) =>
      tenant.post(`/api/gm/${tenant.game.id}/lb/`, { name: 'B', ordering: 'desc', seasons }, token)
    const refusals: readonly (readonly [unknown, string])[] = [
      [{ cron: 'weekly' }, '/seasons/time_zone'],
      [{ time_zone: 'UTC' }, '/seasons/cron'],
      [{ cron: '61 * * * *', time_zone: 'UTC' }, '/seasons/cron'],
      [{ cron: '0 0 31 2 *', time_zone: 'UTC' }, '/seasons/cron'],
      [{ cron: 'daily', time_zone: 'europe/berlin' }, '/seasons/time_zone'],
      [{ ...HOURLY, ends: null }, '/seasons/ends'],
      ['weekly', '/seasons'],
    ]
    for (const [seasons, pointer] of refusals) {
      const refused = await make(seasons)
      expect([answerCode(refused), refused.body.errors?.map((one: Body) => one.pointer)]).to.deep.equal([
        '400 malformed',
        [pointer],
      ])
    }
    const text = (await make('weekly')).body.errors[0].detail
    expect(text).to.equal('must be an object such as {"cron": "weekly", "time_zone": "Europe/Berlin"}')
    const short = await make({ cron: '*/30 * * * *', time_zone: 'UTC' })
    expect([answerCode(short), short.body.errors?.map((one: Body) => one.pointer)]).to.deep.equal([
      '422 season_too_short',
      ['/seasons/cron'],
    ])
  })

  it('refuses a faulty schedule with 400 before it looks for the leaderboard, and a short one after it compared the version', async () => {
    const of = await board()
    const unknown = `/api/lb/${'a'.repeat(24)}/`
    const stale = { 'if-match': '"stale"' }
    const faulty = { seasons: { cron: 'x', time_zone: 'Mars' } }
    for (const refused of [
      await tenant.put(unknown, faulty, {}, token),
      await tenant.put(`/api/lb/${of}/`, faulty, stale, token),
      await tenant.post(`${unknown}preview/`, faulty, token),
      await tenant.post(`/api/lb/${of}/preview/`, { ordering: 'asc', ...faulty }, token),
    ]) {
      expect([answerCode(refused), refused.body.errors?.map((one: Body) => one.pointer)]).to.deep.equal([
        '400 malformed',
        ['/seasons/cron', '/seasons/time_zone'],
      ])
    }
    for (const body of [{ recut: true }, { recompute: 'all' }, { seasons: null, ordering: 'asc', recompute: [1] }]) {
      expect(answerCode(await tenant.put(unknown, body, {}, token))).to.equal('400 malformed')
      expect(answerCode(await tenant.post(`${unknown}preview/`, body, token))).to.equal('400 malformed')
    }
    const recut = { seasons: { cron: 'daily', time_zone: 'UTC' }, recut: true }
    expect(answerCode(await tenant.put(unknown, recut, {}, token))).to.equal('404 leaderboard_not_found')
    expect(answerCode(await tenant.post(`${unknown}preview/`, recut, token))).to.equal('404 leaderboard_not_found')
    const short = { seasons: { cron: '*/30 * * * *', time_zone: 'UTC' } }
    expect(answerCode(await tenant.put(unknown, short, {}, token))).to.equal('404 leaderboard_not_found')
    expect(answerCode(await tenant.put(`/api/lb/${of}/`, short, stale, token))).to.equal('412 precondition_failed')
  })

  it('refuses a change of seasons in a preview with the same code as the change itself', async () => {
    const of = await board()
    const preview = async (body: object) => answerCode(await tenant.post(`/api/lb/${of}/preview/`, body, token))
    const daily = { cron: 'daily', time_zone: 'UTC' }
    expect(await preview({ ordering: 'asc', seasons: daily })).to.equal('400 recut_needed')
    expect(await preview({ ordering: 'asc', seasons: null })).to.equal('400 recut_needed')
    const short = { cron: '*/30 * * * *', time_zone: 'UTC' }
    expect(await preview({ seasons: short })).to.equal('422 season_too_short')
    for (const body of [
      { seasons: daily },
      { ordering: 'asc', seasons: HOURLY },
      { ordering: 'desc', seasons: daily },
    ]) {
      expect((await tenant.post(`/api/lb/${of}/preview/`, body, token)).status, JSON.stringify(body)).to.equal(200)
    }
  })

  it('ranks in each season what was submitted in it, and answers each submission with its season', async () => {
    const of = await board()
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    const starts = (await listed(of))[0]?.starts
    expect((await submit(of, ada, '10')).season).to.deep.equal({ season: 1, rank: 1, improved: true })
    expect((await submit(of, bob, '20')).season).to.deep.equal({ season: 1, rank: 1, improved: true })
    expect((await submit(of, ada, '9')).season).to.deep.equal({ season: 1, rank: 2, improved: false })
    expect((await submit(of, ada, '12')).season).to.deep.equal({ season: 1, rank: 2, improved: true })
    expect(await rows(of, 'current')).to.deep.equal([
      ['Bob', '20', 1, null],
      ['Ada', '12', 2, null],
    ])
    expect(await endSeason(of)).to.equal(1)
    const ends = new Date(world.clock.nowMs).toISOString()
    const [second, first] = await listed(of)
    const { closed_at: closedAt, ...closed } = first ?? {}
    expect(closed).to.deep.equal({ season: 1, starts, ends, state: 'closed', players: 2, entries: 2, rules: RULES })
    expect(closedAt).to.equal(ends)
    expect(second).to.include({ season: 2, starts: ends, state: 'open', players: 0, entries: 0, closed_at: null })
    // Worse than before, but the best of this season.
    const answer = await submit(of, ada, '1')
    expect([answer.score, answer.improved, answer.season]).to.deep.equal([
      '12',
      false,
      { season: 2, rank: 1, improved: true },
    ])
    const live = (await page(of, '')).scores.find((row: Body) => row.player === ada)
    const [own] = (await page(of, '&season=2')).scores
    expect([own.id, own.added, own.score]).to.deep.equal([live.id, live.added, '1'])
    expect(await rows(of, 'last')).to.deep.equal([
      ['Bob', '20', 1, 1],
      ['Ada', '12', 2, 2],
    ])
    const around = await page(of, `&season=1&around=${ada}`)
    expect([around.season, around.count, around.player_rank]).to.deep.equal([1, 2, 2])
    expect((await page(of, '')).scores[0]).not.to.have.any.keys('final_rank', 'season')
  })

  it('leaves players who are banned or deleted later out of a closed season, and keeps the final ranks of the others', async () => {
    const of = await board()
    const names = ['Ada', 'Bob', 'Cyd', 'Dan', 'Eve']
    const ids: string[] = []
    for (const name of names) ids.push(await player(name))
    const [ada, bob, , dan, eve] = ids as [string, string, string, string, string]
    for (const [at, id] of ids.entries()) await submit(of, id, String(50 - at))
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${bob}/ban/`, {}, token), 200)
    const entry = (await page(of, '')).scores.find((row: Body) => row.player === dan)
    await endSeason(of)
    expect(await rows(of, 1)).to.deep.equal([
      ['Ada', '50', 1, 1],
      ['Cyd', '48', 2, 2],
      ['Dan', '47', 3, 3],
      ['Eve', '46', 4, 4],
    ])
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${ada}/ban/`, {}, token), 200)
    must(await tenant.remove(`/api/score/${entry.id}/`, token), 200)
    expect(await rows(of, 1)).to.deep.equal([
      ['Cyd', '48', 1, 2],
      ['Eve', '46', 2, 4],
    ])
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${bob}/unban/`, {}, token), 200)
    must(await tenant.remove(`/api/gm/${tenant.game.id}/players/${eve}/`, token), 200)
    expect(await rows(of, 1)).to.deep.equal([
      ['Bob', '49', 1, null],
      ['Cyd', '48', 2, 2],
    ])
    must(await tenant.post(`/api/gm/${tenant.game.id}/players/${ada}/unban/`, {}, token), 200)
    expect(await rows(of, 1)).to.deep.equal([
      ['Ada', '50', 1, 1],
      ['Bob', '49', 2, null],
      ['Cyd', '48', 3, 2],
    ])
    expect((await listed(of)).at(-1)).to.include({ players: 3, entries: 3 })
    const events = await eventsOf(of)
    const standings = events.filter(({ type }) => type === 'SeasonStandingRecorded').map(({ data }) => data)
    const first = [ada, ids[2], dan, eve].map((id, at) => ({ player: id, score: ['50', '48', '47', '46'][at] }))
    expect(standings).to.deep.equal([{ season: 1, players: 4, entries: 4, first }])
  })

  it('ranks every submission in a season of a leaderboard that is not unique, and counts each player once', async () => {
    const of = await board({ unique: false })
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    await submit(of, ada, '1')
    expect((await submit(of, ada, '3')).season).to.deep.equal({ season: 1, rank: 1, improved: true })
    expect((await submit(of, ada, '2')).season).to.deep.equal({ season: 1, rank: 1, improved: false })
    const last = await submit(of, bob, '2')
    await endSeason(of)
    expect((await listed(of)).at(-1)).to.include({ players: 2, entries: 4 })
    must(await tenant.remove(`/api/score/${last.submitted}/`, token), 200)
    expect(await rows(of, 1)).to.deep.equal([
      ['Ada', '3', 1, 1],
      ['Ada', '2', 2, 2],
      ['Ada', '1', 3, 4],
    ])
    expect((await listed(of)).at(-1)).to.include({ players: 1, entries: 3 })
  })

  for (const keep of ['latest', 'total'] as const) {
    it(`computes the ${keep} of a season from the submissions of that season alone`, async () => {
      const of = await board({ keep })
      const ada = await player('Ada')
      await submit(of, ada, '100')
      await endSeason(of)
      expect((await submit(of, ada, '5')).season).to.deep.equal({ season: 2, rank: 1, improved: true })
      const improved = keep === 'total'
      expect((await submit(of, ada, '2')).season).to.deep.equal({ season: 2, rank: 1, improved })
      expect(await rows(of, 'current')).to.deep.equal([['Ada', keep === 'total' ? '7' : '2', 1, null]])
      expect(await rows(of, 'last')).to.deep.equal([['Ada', '100', 1, 1]])
    })
  }

  const makeEverySubmissionAnEntry = async (of: string): Promise<void> => {
    must(await tenant.put(`/api/lb/${of}/`, { unique: false, keep: 'best' }, {}, token), 202)
    await eventually(async () => must(await tenant.get(`/api/lb/${of}/rebuild/`, token), 200).finished !== null)
  }

  for (const deleted of ['100', '20', '3']) {
    it(`leaves a total of 100, 20 and 3 out of a closed season once the ${deleted} is deleted, after each submission became an entry`, async () => {
      const of = await board({ keep: 'total' })
      const [ada, bob] = [await player('Ada'), await player('Bob')]
      for (const score of ['100', '20', '3']) await submit(of, ada, score)
      await submit(of, bob, '1')
      await endSeason(of)
      await makeEverySubmissionAnEntry(of)
      const row = (await page(of, '')).scores.find(({ score }: Body) => score === deleted)
      must(await tenant.remove(`/api/score/${row.id}/`, token), 200)
      expect(await rows(of, 1)).to.deep.equal([['Bob', '1', 1, 2]])
    })
  }

  it('removes the rows of an id from all closed seasons once it is deleted, after each submission became an entry', async () => {
    const of = await board()
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    for (const score of ['1', '50']) await submit(of, ada, score)
    await submit(of, bob, '2')
    await endSeason(of)
    await submit(of, ada, '7')
    await endSeason(of)
    await makeEverySubmissionAnEntry(of)
    const [row] = (await page(of, '&season=1')).scores
    expect([row.score, row.id]).to.deep.equal(['50', (await page(of, '&season=2')).scores[0].id])
    must(await tenant.remove(`/api/score/${row.id}/`, token), 200)
    expect(await rows(of, 1)).to.deep.equal([['Bob', '2', 1, 2]])
    expect(await rows(of, 2)).to.deep.equal([])
    // The other submissions stay on the leaderboard.
    expect((await page(of, '')).scores.map(({ score }: Body) => score)).to.deep.equal(['50', '7', '2'])
  })

  it('answers a repeated submission with the season that it joined', async () => {
    const of = await board()
    const ada = await player('Ada')
    const sent = { player: ada, score: '5' }
    const headers = { 'Idempotency-Key': 'once' }
    const path = `/api/lb/${of}/score/`
    const first = must(await world.call('POST', path, { token, body: sent, headers }), 201)
    await endSeason(of)
    await submit(of, ada, '7')
    const again = must(await world.call('POST', path, { token, body: sent, headers }), 201)
    expect([first.season, again.season]).to.deep.equal([
      { season: 1, rank: 1, improved: true },
      { season: 1, rank: 1, improved: true },
    ])
  })

  it('answers a repeated submission in a season by the rules that it was recorded under, after the rules changed', async () => {
    const of = await board()
    const ada = await player('Ada')
    const send = async (score: string): Promise<Body> => {
      const headers = { 'Idempotency-Key': `score ${score}` }
      const answer = await world.call('POST', `/api/lb/${of}/score/`, { token, body: { player: ada, score }, headers })
      if (answer.status >= 400) throw new Error(answer.text)
      return answer.body.season
    }
    const first = [await send('10'), await send('20'), await send('15')]
    expect(first.map(({ improved }) => improved)).to.deep.equal([true, true, false])
    must(await tenant.put(`/api/lb/${of}/`, { ordering: 'asc' }, {}, token), 202)
    await eventually(async () => must(await tenant.get(`/api/lb/${of}/rebuild/`, token), 200).finished !== null)
    expect([await send('10'), await send('20'), await send('15')]).to.deep.equal(first)
  })

  it('answers each submission of a call with many with its season', async () => {
    const of = await board()
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    const submissions = [
      { leaderboard: of, player: ada, score: '1' },
      { leaderboard: of, player: bob, score: '2' },
    ]
    const { results } = must(await tenant.post(`/api/gm/${tenant.game.id}/scores/`, { submissions }, token), 200)
    expect(results.map(({ season }: Body) => season)).to.deep.equal([
      { season: 1, rank: 2, improved: true },
      { season: 1, rank: 1, improved: true },
    ])
  })

  it('closes the open season when the schedule changes, and continues the numbers', async () => {
    const of = await board()
    const ada = await player('Ada')
    await submit(of, ada, '3')
    const daily = { cron: 'daily', time_zone: 'UTC' }
    world.clock.nowMs += 5
    const changed = must(await tenant.put(`/api/lb/${of}/`, { seasons: daily }, {}, token), 200)
    expect(changed.seasons).to.deep.equal(daily)
    const now = tenant.nowText()
    await eventually(async () => (await stateOf(of, 1)) === 'closed')
    const [second, first] = await listed(of)
    expect(first).to.include({ season: 1, ends: now })
    expect(second).to.include({ season: 2, starts: now, state: 'open' })
    // The same again changes nothing.
    must(await tenant.put(`/api/lb/${of}/`, { seasons: daily }, {}, token), 200)
    expect(await listed(of)).to.have.length(2)
    expect((await submit(of, ada, '1')).season).to.deep.equal({ season: 2, rank: 1, improved: true })
    must(await tenant.put(`/api/lb/${of}/`, { seasons: null }, {}, token), 200)
    expect((await submit(of, ada, '2')).season).to.equal(null)
    await eventually(async () => (await stateOf(of, 2)) === 'closed')
    expect(await rows(of, 'last')).to.deep.equal([['Ada', '1', 1, 1]])
    const none = await tenant.get(`/api/lb/${of}/score/?season=current`, token)
    expect(answerCode(none)).to.equal('404 season_not_found')
    expect(none.body.detail).to.match(/ is open: it has no schedule\. Set `seasons` of the leaderboard to open one\.$/)
    must(await tenant.put(`/api/lb/${of}/`, { seasons: HOURLY }, {}, token), 200)
    expect((await listed(of))[0]).to.include({ season: 3, state: 'open' })
  })

  it('keeps submissions that a clock ahead recorded before a time without seasons out of the season that opens after it', async () => {
    const of = await board()
    const ada = await player('Ada')
    let open = 0
    let answered: Body = {}
    for (let isClosedAtEnd = true; isClosedAtEnd; ) {
      must(await tenant.put(`/api/lb/${of}/`, { seasons: HOURLY }, {}, token), 200)
      const [newest] = await listed(of)
      open = newest?.season
      world.clock.nowMs = Date.parse(newest?.ends)
      token = await tokenOf(world, tenant.game.server)
      answered = (await submit(of, ada, String(open))).season
      world.clock.nowMs -= 2_000
      must(await tenant.put(`/api/lb/${of}/`, { seasons: null }, {}, token), 200)
      // The service may have closed the season before the clock was set back.
      isClosedAtEnd = (await listed(of))[0]?.season !== open
    }
    expect(answered).to.deep.equal({ season: open + 1, rank: 1, improved: true })
    expect((await submit(of, ada, '7')).season).to.equal(null)
    world.clock.nowMs += 6 * HOUR_MS
    token = await tokenOf(world, tenant.game.server)
    must(await tenant.put(`/api/lb/${of}/`, { seasons: HOURLY }, {}, token), 200)
    const starts = tenant.nowText()
    const [newest, ended] = await listed(of)
    expect(newest).to.include({ season: open + 2, starts, state: 'open', entries: 0 })
    expect(ended).to.include({ season: open + 1, starts, ends: starts, entries: 1 })
    expect((await rows(of, open + 1)).map((row) => (row as unknown[])[1])).to.deep.equal([String(open)])
    expect((await submit(of, ada, '1')).season).to.deep.equal({ season: open + 2, rank: 1, improved: true })
    expect(await rows(of, 'current')).to.deep.equal([['Ada', '1', 1, null]])
  })

  it('applies a change of rules to the open season, and not to closed ones', async () => {
    const of = await board()
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    for (const score of ['1', '5']) await submit(of, ada, score)
    await submit(of, bob, '3')
    await endSeason(of)
    for (const score of ['2', '6']) await submit(of, ada, score)
    await submit(of, bob, '4')
    must(await tenant.put(`/api/lb/${of}/`, { ordering: 'asc' }, {}, token), 202)
    await eventually(async () => must(await tenant.get(`/api/lb/${of}/rebuild/`, token), 200).finished !== null)
    expect(await rows(of, 'last')).to.deep.equal([
      ['Ada', '5', 1, 1],
      ['Bob', '3', 2, 2],
    ])
    expect(await rows(of, 'current')).to.deep.equal([
      ['Ada', '2', 1, null],
      ['Bob', '4', 2, null],
    ])
    const [second, first] = await listed(of)
    expect([first?.rules.ordering, second?.rules.ordering]).to.deep.equal(['desc', 'asc'])
  })

  it('closes seasons that ended while the server was stopped one by one, in order', async () => {
    const of = await board()
    await submit(of, await player('Ada'), '1')
    await world.end()
    world.clock.nowMs += 3 * HOUR_MS
    await world.restart()
    token = await tokenOf(world, tenant.game.server)
    await eventually(async () => (await stateOf(of, 3)) === 'closed')
    expect((await listed(of)).map(({ season, state }) => [season, state])).to.deep.equal([
      [4, 'open'],
      [3, 'closed'],
      [2, 'closed'],
      [1, 'closed'],
    ])
    const events = await eventsOf(of)
    const closings = events.filter(({ type }) => type === 'SeasonClosed').map(({ data }) => data)
    expect(closings).to.deep.equal([{ season: 1 }, { season: 2 }, { season: 3 }])
  })

  it('refuses season= with a window or an instant, a season that does not exist, and a change with recut or recompute', async () => {
    const [of, none] = [await board(), await makeBoard(world, { ...tenant.game, token })]
    const read = async (query: string, at = of) => answerCode(await tenant.get(`/api/lb/${at}/score/?${query}`, token))
    for (const other of ['since=2026-01-01', 'until=2026-01-01', 'window=best', 'as_of=2026-01-01T00:00:00Z']) {
      expect(await read(`season=1&${other}`), other).to.equal('400 conflicting_parameters')
    }
    for (const season of ['first', '1.5', '01', '-1', '1e3', ''])
      expect(await read(`season=${season}`), season).to.equal('400 malformed')
    for (const season of ['2', 'last', '0', '2000000000', '9'.repeat(400)])
      expect(await read(`season=${season}`), season).to.equal('404 season_not_found')
    expect(await read('season=current', none)).to.equal('422 no_seasons')
    const put = async (body: object) => answerCode(await tenant.put(`/api/lb/${of}/`, body, {}, token))
    const seasons = { cron: 'daily', time_zone: 'UTC' }
    expect(await put({ seasons, ordering: 'asc' })).to.equal('400 recut_needed')
    expect(await put({ recut: true })).to.equal('400 malformed')
    expect(await put({ seasons: null, recut: true })).to.equal('400 malformed')
    expect(await put({ seasons, recut: true })).to.equal('422 recut_unavailable')
    expect(await put({ recompute: 'all' })).to.equal('400 malformed')
    expect(await put({ seasons, recompute: [1] })).to.equal('400 malformed')
    expect(await put({ ordering: 'asc', recompute: [1] })).to.equal('422 recut_unavailable')
    const zero = await tenant.put(`/api/lb/${of}/`, { ordering: 'asc', recompute: [0] }, {}, token)
    expect(zero.body.errors).to.deep.equal([{ pointer: '/recompute/0', detail: 'must be more than 0' }])
  })

  it('lets game clients list and read seasons', async () => {
    const of = await board()
    const client = await clientToken(world, { ...tenant.game, token })
    expect((await tenant.get(`/api/lb/${of}/seasons/`, client)).status).to.equal(200)
    expect((await tenant.get(`/api/lb/${of}/score/?season=current`, client)).status).to.equal(200)
  })
})
