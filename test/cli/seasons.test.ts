// Seasons on the command line.

import { expect } from 'chai'
import { changeLines } from '../../cli/board-seasons.ts'
import type { Leaderboard, ScoresPage, Season } from '../../clients/javascript/score-shapes.ts'
import type { Page, Player } from '../../clients/javascript/shapes.ts'
import { type MadeGame, openService, type Service } from './service.ts'

describe('seasons on the command line', () => {
  let service: Service
  before(async () => {
    service = await openService()
    await service.json<MadeGame>('game', 'create', 'Quest')
    await service.json(
      'board',
      'create',
      'Week',
      '--key',
      'week',
      '--seasons',
      'weekly',
      '--time-zone',
      'Europe/Berlin',
    )
  })
  after(() => service.close())

  const player = async (name: string): Promise<string> => (await service.json<Player>('player', 'create', name)).id

  it('are set at the creation of a leaderboard, shown, changed and ended', async () => {
    const weekly = { cron: 'weekly', time_zone: 'Europe/Berlin' }
    expect((await service.json<Leaderboard>('board', 'show', 'week')).seasons).to.deep.equal(weekly)
    const shown = (await service.run('board', 'show', 'week')).out.split('\n')
    expect(shown.some((line) => /seasons\s+weekly \(Europe\/Berlin\)$/.test(line))).to.equal(true)
    await service.json('board', 'create', 'Day', '--key', 'day', '--seasons', 'daily', '--time-zone', 'UTC')
    const changed = await service.json<Leaderboard>(
      'board',
      'set',
      'day',
      '--seasons',
      '0 18 * * 5',
      '--time-zone',
      'UTC',
    )
    expect(changed.seasons).to.deep.equal({ cron: '0 18 * * 5', time_zone: 'UTC' })
    expect((await service.json<Leaderboard>('board', 'set', 'day', '--no-seasons')).seasons).to.equal(null)
    const { seasons } = await service.json<Page<'seasons', Season>>('board', 'seasons', 'day')
    expect(seasons.map(({ season }) => season)).to.deep.equal([2, 1])
  })

  it('are refused with the option at fault', async () => {
    const create = (...options: string[]) => service.run('board', 'create', 'Faulty', ...options)
    const lines = async (cron: string, zone: string) => {
      const { code, err } = await create('--seasons', cron, '--time-zone', zone)
      return [code, ...err.split('\n').slice(0, -1)]
    }
    const zone = 'is not an IANA time zone name: send one such as Europe/Berlin. Case matters'
    expect(await lines('0 24 * * *', 'UTC')).to.deep.equal([
      1,
      'scorebook: --seasons has 24 as hour, which must be between 0 and 23.',
    ])
    expect(await lines('0 0 30 2 *', 'utc')).to.deep.equal([
      1,
      'scorebook: --seasons never fires: no month that it names has such a day.',
      `scorebook: --time-zone ${zone}.`,
    ])
    expect(await lines('*/30 * * * *', 'UTC')).to.deep.equal([
      1,
      'scorebook: --seasons fires twice within an hour: give a single minute, such as `0 * * * *`.',
      '  Send a schedule whose firings are at least an hour apart.',
    ])
    const first = '  First PUT `seasons`, then the other rules.'
    const together = await service.run('board', 'set', 'week', '--max', '9', '--seasons', 'daily', '--time-zone', 'UTC')
    expect(together.err.split('\n')[2]).to.equal(first)
    const alone = await create('--seasons', 'weekly')
    expect([alone.code, alone.err]).to.deep.equal([2, 'scorebook: --seasons needs --time-zone, such as Europe/Berlin.'])
    const { code, err } = await service.run('--json', 'board', 'set', 'week', '--seasons', 'x', '--time-zone', 'UTC')
    const { error } = JSON.parse(err)
    expect([code, error.status, error.code, error.errors[0].pointer]).to.deep.equal([
      1,
      400,
      'malformed',
      '/seasons/cron',
    ])
  })

  it('are shown as they closed, around a player too, and named in the answer to a submission', async () => {
    await service.json('board', 'create', 'Year', '--key', 'year', '--seasons', '0 0 1 1 *', '--time-zone', 'UTC')
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    const submit = async (score: string, by: string): Promise<string[]> =>
      (await service.run('score', 'submit', 'year', score, '--player', by)).out.split('\n').slice(0, 3)
    expect(await submit('5', ada)).to.deep.equal(['Rank 1: improved.', 'Season 1, rank 1: improved.', ''])
    expect(await submit('7', bob)).to.deep.equal(['Rank 1: improved.', 'Season 1, rank 1: improved.', ''])
    expect(await submit('4', ada)).to.deep.equal(['Rank 2: not improved.', 'Season 1, rank 2: not improved.', ''])
    const rows = async (...args: string[]): Promise<string[]> => {
      const { out } = await service.run('board', ...args)
      return out
        .trimEnd()
        .split('\n')
        .map((line) =>
          line
            .trim()
            .replace(/ +/g, ' ')
            .replace(/ \d{4}-.*$/, ''),
        )
    }
    expect(await rows('around', 'year', bob, '--season', 'current')).to.deep.equal([
      'Season 1',
      '',
      'rank player score set',
      '1 > Bob 7',
      '2 Ada 5',
    ])
    // Another schedule closes the open season.
    await service.json('board', 'set', 'year', '--seasons', '0 0 1 7 *', '--time-zone', 'UTC')
    await service.json('player', 'ban', bob)
    expect(await rows('top', 'year', '--season', 'last')).to.deep.equal([
      'Season 1 · final ranks',
      '',
      'rank final player score set',
      '1 2 Ada 5',
    ])
    expect(await rows('around', 'year', ada, '--season', '1')).to.deep.equal([
      'Season 1 · final ranks',
      '',
      'rank final player score set',
      '1 2 > Ada 5',
    ])
    expect(await rows('around', 'year', ada, '--season', 'current')).to.deep.equal([
      'This player has no entry in season 2.',
    ])
    await service.json('board', 'set', 'year', '--no-seasons')
    expect(await submit('6', ada)).to.deep.equal(['Rank 1: improved.', 'In no season: none is open.', ''])
    const both = await service.run('board', 'around', 'year', ada, '--season', '1', '--since', '2026-11-01')
    expect([both.code, both.err.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--season <which>' cannot be used with option '--since <time>'",
    ])
  })

  const setBoard = async (...options: string[]): Promise<string | undefined> =>
    (await service.run('board', 'set', 'hour', ...options)).out.trimEnd().split('\n\n')[1]

  it('names the season that a change of the schedule closed, the one that is open now, and until when', async () => {
    await service.json('board', 'create', 'Hour', '--key', 'hour')
    const yearly = ['--seasons', '0 0 1 1 *', '--time-zone', 'UTC']
    expect(await setBoard(...yearly)).to.match(/^Season 1 is open until \d{4}-01-01 00:00:00 UTC\.$/)
    expect(await setBoard(...yearly)).to.equal(undefined)
    expect(await setBoard('--name', 'An hour')).to.equal(undefined)
    const july = ['--seasons', '0 0 1 7 *', '--time-zone', 'UTC']
    expect(await setBoard(...july)).to.match(/^Closed season 1\. Season 2 is open until \d{4}-07-01 00:00:00 UTC\.$/)
    expect(await setBoard('--no-seasons')).to.equal('Closed season 2. No season follows.')
    expect(await setBoard('--no-seasons')).to.equal(undefined)
    const moved = await setBoard('--key', 'hours', ...yearly)
    expect(moved).to.match(/^Season 3 is open until /)
    const closed = (await service.run('board', 'seasons', 'hours')).out
    expect(closed).to.match(
      /^ *1 ( {1,2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d){2} {2}clos(ed|ing) +\d{4}-\d\d-\d\d [0-9:]{8} +0 +0$/m,
    )
  })

  it('names all seasons that were closed while a change was made', () => {
    const season = (number: number, state: Season['state']) =>
      ({ season: number, state, ends: '2026-12-06T23:00:00.000Z' }) as Season
    const until = 'is open until 2026-12-06 23:00:00 UTC.'
    expect(changeLines(season(2, 'open'), season(5, 'open'))).to.deep.equal([
      `Closed seasons 2 to 4. Season 5 ${until}`,
    ])
    expect(changeLines(season(2, 'closed'), season(4, 'open'))).to.deep.equal([`Closed season 3. Season 4 ${until}`])
    expect(changeLines(season(2, 'closing'), season(2, 'closed'))).to.deep.equal([])
    expect(changeLines(null, null)).to.deep.equal([])
  })

  it('names the number of the season in the command for its next page', async () => {
    const players = [await player('Cy'), await player('Di'), await player('Ed')]
    await service.json('board', 'create', 'Pages', '--key', 'pages', '--seasons', '0 0 1 1 *', '--time-zone', 'UTC')
    for (const [at, id] of players.entries()) await service.json('score', 'submit', 'pages', String(at), '--player', id)
    const lastLine = async (...options: string[]) =>
      (await service.run('board', 'top', 'pages', '--limit', '2', ...options)).out.trimEnd().split('\n').at(-1)
    expect(await lastLine('--season', 'current')).to.equal('3 in all; the next page: --season 1 --offset 2')
    expect(await lastLine('--season', '1')).to.equal('3 in all; the next page: --offset 2')
    expect(await lastLine()).to.equal('3 in all; the next page: --offset 2')
  })

  it('are none on a leaderboard without a schedule', async () => {
    await service.json('board', 'create', 'Plain', '--key', 'plain')
    const { code, out } = await service.run('board', 'seasons', 'plain')
    const begins = '`board set --seasons weekly --time-zone <name>` begins the first one.'
    expect([code, out]).to.deep.equal([0, `This leaderboard never had seasons. ${begins}`])
  })

  it('are listed, and read one by one', async () => {
    const ada = await player('Ada')
    await service.json('score', 'submit', 'week', '5', '--player', ada)
    const { out } = await service.run('board', 'seasons', 'week')
    expect(out).to.match(/^ *season {2}starts \(UTC\) +ends \(UTC\) +state {2}closed \(UTC\) {2}players {2}entries$/m)
    expect(out).to.match(/^ *1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\d{4}-\d\d-\d\d 2[23]:00:00 {2}open +1 +1$/m)
    for (const season of ['1', 'current']) {
      const page = await service.json<ScoresPage>('board', 'top', 'week', '--season', season)
      expect([page.season, page.scores.map(({ score }) => score)]).to.deep.equal([1, ['5']])
    }
  })
})
