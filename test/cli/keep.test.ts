// Leaderboards that keep the best, the latest or the total of a player's submissions, on the command line.

import { expect } from 'chai'
import type { ScoreExplanation } from '../../clients/javascript/history.ts'
import type { Leaderboard, ScoresPage, SubmittedScore } from '../../clients/javascript/score-shapes.ts'
import type { Player } from '../../clients/javascript/shapes.ts'
import { type MadeGame, openService, type Service } from './service.ts'

describe('keep on the command line', () => {
  let service: Service
  let ada: string
  before(async () => {
    service = await openService()
    await service.json<MadeGame>('game', 'create', 'Quest')
    ada = (await service.json<Player>('player', 'create', 'Ada')).id
    await service.json('board', 'create', 'Experience', '--key', 'xp', '--keep', 'total', '--min', '0')
  })
  after(() => service.close())

  const submit = (board: string, score: string, ...options: string[]) =>
    service.json<SubmittedScore>('score', 'submit', board, score, '--player', ada, ...options)

  it('is set at the creation of a leaderboard, and shown with its rules', async () => {
    expect(await service.json<Leaderboard>('board', 'show', 'xp')).to.include({ unique: true, keep: 'total' })
    await service.json('board', 'create', 'Rating', '--key', 'rating', '--keep', 'latest')
    await service.json('board', 'create', 'Rounds', '--key', 'rounds')
    for (const [board, rules] of [
      ['xp', 'highest, total per player, from 0'],
      ['rating', 'highest, latest per player'],
      ['rounds', 'highest, best per player'],
    ] as const) {
      expect((await service.run('board', 'show', board)).out.split('\n')).to.include(`  rules        ${rules}`)
    }
  })

  it('is changed after a preview that changes nothing', async () => {
    await service.json('board', 'create', 'Form', '--key', 'form')
    const grace = (await service.json<Player>('player', 'create', 'Grace')).id
    for (const [player, score] of [
      [ada, '10'],
      [ada, '1'],
      [grace, '9'],
    ] as const) {
      await service.json('score', 'submit', 'form', score, '--player', player)
    }
    const preview = await service.run('rebuild', 'form', '--keep', 'latest', '--preview')
    expect(preview.out).to.match(/^2 entries now, 2 then; 2 players move\./)
    expect(await service.json<Leaderboard>('board', 'show', 'form')).to.include({ keep: 'best' })
    const asked = await service.run('board', 'set', 'form', '--keep', 'latest')
    expect(asked.out).to.match(/\n {2}rules +highest, latest per player\n/)
    await service.run('rebuild', 'form', '--watch')
    const { scores } = await service.json<ScoresPage>('board', 'top', 'form')
    expect(scores.map(({ player_name, score }) => [player_name, score])).to.deep.equal([
      ['Grace', '9'],
      ['Ada', '1'],
    ])
  })

  it('cannot be combined with an entry per submission, and the error says what to pass', async () => {
    const refused = await service.run('board', 'create', 'Every run', '--no-unique', '--keep', 'total')
    expect([refused.code, refused.err]).to.deep.equal([
      2,
      'scorebook: --keep total needs one entry per player. Leave out --no-unique, or pass --keep best with it.',
    ])
    expect(await service.json<Leaderboard>('board', 'create', 'Runs', '--no-unique', '--keep', 'best')).to.include({
      unique: false,
      keep: 'best',
    })
    const left = await service.run('board', 'set', 'xp', '--no-unique')
    expect(left.code).to.equal(1)
    expect(left.err).to.match(/^scorebook: keep is "total", .* keep "best", or set unique to true\.\n/)
    expect((await service.run('board', 'set', 'xp', '--keep', 'sum')).code).to.equal(2)
  })

  it('decides what the answer to a submission says, and the submissions of a total are listed in pages', async () => {
    const made = await submit('xp', '5', '--secondary', '1')
    for (const score of ['0', '2.5']) await submit('xp', score)
    expect((await service.run('score', 'submit', 'xp', '0', '--player', ada)).out).to.match(
      /^Rank 1: not improved\.\n[\s\S]*\n {2}score +7\.5\n/,
    )
    expect((await service.run('score', 'submit', 'xp', '1', '--player', ada)).out).to.match(
      /^Rank 1: improved\.\n[\s\S]*\n {2}score +8\.5\n/,
    )
    const page = await service.json<ScoreExplanation>('score', 'why', made.id, '--limit', '2', '--offset', '1')
    expect(page.events.map(({ effect, event }) => [effect, event.data.score])).to.deep.equal([
      ['counted', '0'],
      ['counted', '2.5'],
    ])
    const { out } = await service.run('score', 'why', made.id, '--limit', '2', '--offset', '3')
    const rows = out.split('\n').map((line) => line.trim().split(/ {2,}/).slice(1).join(' | '))
    expect(rows).to.deep.equal([
      'effect | score | second | event',
      'counted | 0 | ScoreSubmitted',
      'counted | 5 | 1 | ScoreSubmitted',
    ])
    expect((await service.run('score', 'why', made.id, '--limit', '2')).out).to.match(
      /\n\n5 in all; the next page: --offset 2$/,
    )
  })

  it('shows why a score is the best of its player', async () => {
    const { id } = await submit('rounds', '3')
    for (const score of ['1', '4']) await submit('rounds', score)
    const { out } = await service.run('score', 'why', id)
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/).slice(1).join(' | '))).to.deep.equal([
      'effect | score | second | event',
      'rules | LeaderboardCreated',
      'began | 3 | ScoreSubmitted',
      'improved | 4 | ScoreSubmitted',
    ])
  })

  it('applies to a window of time with --window best, which needs a time', async () => {
    await service.json('board', 'create', 'Weekly', '--key', 'weekly')
    const { updated } = await submit('weekly', '9')
    let since = updated
    while (since <= updated) {
      await service.json('board', 'show', 'weekly')
      since = new Date().toISOString()
    }
    await submit('weekly', '5')
    const top = async (...options: string[]) => {
      const { scores } = await service.json<ScoresPage>('board', 'top', 'weekly', '--since', since, ...options)
      return scores.map(({ score }) => score)
    }
    expect([await top(), await top('--window', 'best')]).to.deep.equal([[], ['5']])
    const around = ['board', 'around', 'weekly', ada, '--since', since] as const
    expect((await service.json<ScoresPage>(...around)).player_rank).to.equal(null)
    expect((await service.json<ScoresPage>(...around, '--window', 'best')).player_rank).to.equal(1)
    const refused = await service.run('board', 'top', 'xp', '--window', 'best')
    expect([refused.code, refused.err]).to.deep.equal([
      2,
      'scorebook: --window needs a time. Pass --since or --until with it.',
    ])
  })
})
