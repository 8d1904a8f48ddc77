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

  it('are listed, and read one by one', async () => {
    const ada = (await service.json<Player>('player', 'create', 'Ada')).id
    await service.json('score', 'submit', 'week', '5', '--player', ada)
    const { out } = await service.run('board', 'seasons', 'week')
    expect(out).to.match(/1 {2}\d{4}-.* {2}\d{4}-.*Z {2}open +1 +1$/m)
    for (const season of ['1', 'current']) {
      const page = await service.json<ScoresPage>('board', 'top', 'week', '--season', season)
      expect([page.season, page.scores.map(({ score }) => score)]).to.deep.equal([1, ['5']])
    }
  })
})
