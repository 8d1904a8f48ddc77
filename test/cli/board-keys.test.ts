// Keys of leaderboards on the command line: options that set them, commands that take them in place of an id, and keys
// that several games have.

import { expect } from 'chai'
import type { GameEvent } from '../../clients/javascript/history.ts'
import type {
  Leaderboard,
  Movement,
  Rebuild,
  ScoresPage,
  SubmittedScore,
} from '../../clients/javascript/score-shapes.ts'
import type { Player } from '../../clients/javascript/shapes.ts'
import { type MadeGame, openService, type Service } from './service.ts'

describe('keys of leaderboards on the command line', () => {
  let service: Service
  let game: string
  let board: string
  before(async () => {
    service = await openService()
    game = (await service.json<MadeGame>('game', 'create', 'Quest')).game.id
    const made = await service.run('board', 'create', 'This week', '--key', 'weekly')
    expect(made.out).to.match(/\n {2}key +weekly\n/)
    expect(made.out).to.include('score submit weekly 1250.5').and.include('board top weekly')
    board = (await service.json<Leaderboard>('board', 'show', 'weekly')).id
  })
  after(() => service.close())

  it('are set, changed and removed by options', async () => {
    const other = await service.json<Leaderboard>('board', 'create', 'Other')
    expect(await service.json<Leaderboard>('board', 'set', other.id, '--key', 'daily')).to.include({ key: 'daily' })
    expect(await service.json<Leaderboard>('board', 'set', 'daily', '--key', 'hourly')).to.include({ key: 'hourly' })
    expect((await service.run('board', 'list')).out.split('\n')).to.deep.equal([
      '  leaderboard               key     name       entries  rules',
      `  ${board}  weekly  This week        0  highest, best per player`,
      `  ${other.id}  hourly  Other            0  highest, best per player`,
    ])
    const taken = await service.run('board', 'set', 'hourly', '--key', 'weekly')
    expect([taken.code, taken.err.includes('leaderboard_key_taken')]).to.deep.equal([1, true])
    expect(await service.json<Leaderboard>('board', 'set', 'hourly', '--no-key')).to.include({
      id: other.id,
      key: null,
    })
    expect((await service.run('board', 'archive', other.id)).out).to.equal(`Archived ${other.id}.`)
  })

  it('are taken in place of an id by every command about a leaderboard', async () => {
    const { id: player } = await service.json<Player>('player', 'create', 'Ada')
    const submitted = await service.json<SubmittedScore>('score', 'submit', 'weekly', '7', '--player', player)
    expect(submitted.rank).to.equal(1)
    expect((await service.json<ScoresPage>('board', 'top', 'weekly')).leaderboard).to.equal(board)
    expect((await service.json<ScoresPage>('board', 'around', 'weekly', player)).player_rank).to.equal(1)
    expect((await service.json<Movement>('score', 'history', 'weekly', player)).points.at(-1)?.rank).to.equal(1)
    expect((await service.run('rebuild', 'weekly', '--unique', '--preview')).out).to.match(/^1 entries now/)
    expect((await service.json<Rebuild>('rebuild', 'weekly')).leaderboard).to.equal(board)
    const exported = await service.run('history', 'export', '--board', 'weekly', '--type', 'ScoreSubmitted')
    expect(exported.out.split('\n').map((line) => (JSON.parse(line) as GameEvent).meta.board)).to.deep.equal([board])
    const unknown = await service.run('board', 'top', 'unknown')
    expect([unknown.code, unknown.err.includes('leaderboard_not_found')]).to.deep.equal([1, true])
  })

  it('mean the leaderboard of the only game that has them, and need --game if several do', async () => {
    const second = (await service.json<MadeGame>('game', 'create', 'Second')).game.id
    const show = (...args: string[]) => service.run('board', 'show', ...args)
    expect((await show('weekly', '--json')).json<Leaderboard>().game).to.equal(game)
    await service.json('board', 'create', 'Its week', '--key', 'weekly', '--game', second)
    const refused = await service.run('board', 'archive', 'weekly')
    const names = new Map([
      [game, (await service.json<{ name: string }>('game', 'show', game)).name],
      [second, 'Second'],
    ])
    const both = [game, second]
      .sort()
      .map((id) => `\n  ${id}  ${names.get(id)}`)
      .join('')
    expect([refused.code, refused.err]).to.deep.equal([
      2,
      `scorebook: Several games have a leaderboard weekly. Pass --game with one of:${both}`,
    ])
    for (const one of [game, second]) {
      expect((await show('weekly', '--game', one, '--json')).json<Leaderboard>().game).to.equal(one)
    }
    expect((await show(board, '--json')).json<Leaderboard>().id, 'an id needs no game').to.equal(board)
    const unknown = await show('unknown')
    const list = `npx scorebook --url ${service.url}`
    expect(unknown.err.split('\n').slice(0, 2)).to.deep.equal([
      `scorebook: No game whose key is saved in ${service.dataDir}/keys has a leaderboard unknown. Leaderboards of a game: DATA_DIR=${service.dataDir} ${list} board list --game <game>; games: DATA_DIR=${service.dataDir} ${list} game list`,
      '  Check the leaderboard’s id or key.',
    ])
    expect(JSON.parse((await show('unknown', '--json')).err).error).to.include({
      status: 404,
      code: 'leaderboard_not_found',
    })
  })
})
