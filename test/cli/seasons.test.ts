// Seasons on the command line.

import { expect } from 'chai'
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
    const zone = 'is no time zone of IANA: send a name such as Europe/Berlin, with its capital letters'
    expect(await lines('0 24 * * *', 'UTC')).to.deep.equal([
      1,
      'scorebook: --seasons has 24 as hour, which must be between 0 and 23.',
    ])
    expect(await lines('0 0 30 2 *', 'utc')).to.deep.equal([
      1,
      'scorebook: --seasons never fires: its months do not have these days.',
      `scorebook: --time-zone ${zone}.`,
    ])
    expect(await lines('*/30 * * * *', 'UTC')).to.deep.equal([
      1,
      'scorebook: Two firings of seasons.cron are less than an hour apart. Give one minute, such as 0 * * * *.',
      '  Send a schedule whose firings are at least an hour apart.',
    ])
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
    expect(await submit('5', ada)).to.deep.equal([
      'Rank 1: better than before.',
      'Season 1, rank 1: better than before.',
      '',
    ])
    expect(await submit('7', bob)).to.deep.equal([
      'Rank 1: better than before.',
      'Season 1, rank 1: better than before.',
      '',
    ])
    expect(await submit('4', ada)).to.deep.equal([
      'Rank 2: no better than before.',
      'Season 1, rank 2: no better than before.',
      '',
    ])
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
      'rank player score set',
      '1 > Bob 7',
      '2 Ada 5',
    ])
    // Another schedule closes the open season.
    await service.json('board', 'set', 'year', '--seasons', '0 0 1 7 *', '--time-zone', 'UTC')
    await service.json('player', 'ban', bob)
    expect(await rows('top', 'year', '--season', 'last')).to.deep.equal(['rank final player score set', '1 2 Ada 5'])
    expect(await rows('around', 'year', ada, '--season', '1')).to.deep.equal([
      'rank final player score set',
      '1 2 > Ada 5',
    ])
    expect(await rows('around', 'year', ada, '--season', 'current')).to.deep.equal([
      'This player has no entry in season 2.',
    ])
    await service.json('board', 'set', 'year', '--no-seasons')
    expect(await submit('6', ada)).to.deep.equal(['Rank 1: better than before.', 'In no season: none is open.', ''])
    const both = await service.run('board', 'around', 'year', ada, '--season', '1', '--since', '2026-11-01')
    expect([both.code, both.err.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--season <which>' cannot be used with option '--since <time>'",
    ])
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
    expect(out).to.match(/1 {2}\d{4}-.* {2}\d{4}-.*Z {2}open +1 +1$/m)
    for (const season of ['1', 'current']) {
      const page = await service.json<ScoresPage>('board', 'top', 'week', '--season', season)
      expect([page.season, page.scores.map(({ score }) => score)]).to.deep.equal([1, ['5']])
    }
  })
})
