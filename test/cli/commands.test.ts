// The commands that talk to a server: what they print for people and for scripts, which key
// they use, and their exit codes.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Overview } from '../../clients/javascript/admin.ts'
import type { Leaderboard, Rebuild, ScoresPage, SubmittedScore } from '../../clients/javascript/score-shapes.ts'
import type { Game, Page, Player } from '../../clients/javascript/shapes.ts'
import { type MadeGame, openService, type Service } from './service.ts'

describe('the command line', () => {
  let service: Service
  let game: string
  let board: string
  let ada: string

  before(async () => {
    service = await openService()
  })
  after(() => service.close())

  it('creates a game and saves its key in a file that only the owner can read', async () => {
    expect((await service.run('board', 'list')).err).to.contain('No game key is saved in')
    const made = await service.json<MadeGame>('game', 'create', 'Quest')
    game = made.game.id
    expect(made.key_file).to.equal(join(service.dataDir, 'keys', `${game}.json`))
    expect((await stat(made.key_file)).mode & 0o777).to.equal(0o600)
    expect((await stat(join(service.dataDir, 'keys'))).mode & 0o777).to.equal(0o700)
    const kept = JSON.parse(await readFile(made.key_file, 'utf8'))
    expect(kept).to.deep.equal({ prefix: made.key.prefix, secret: made.key.secret, game })
    expect((await service.json<Page<'games', Game>>('game', 'list')).games).to.deep.equal([made.game])
    expect(await service.json<Game>('game', 'show')).to.deep.equal(made.game)
  })

  it('shows what happens in a game', async () => {
    const overview = await service.json<Overview>('game', 'overview')
    expect(overview.actions.map(({ type }) => type)).to.deep.equal(['KeyIssued', 'GameCreated'])
    const lines = (await service.run('game', 'overview', game)).out.split('\n')
    expect(lines.filter((line) => /^submissions|^players|^last/.test(line.trim()))).to.have.length(5)
    const did = lines.slice(lines.indexOf('What people did:') + 3)
    expect(did.map((line) => line.trim().split(/ {2,}/).slice(2))).to.deep.equal([
      ['KeyIssued', overview.actions[0]?.about.name],
      ['GameCreated', 'Quest'],
    ])
  })

  it('prints an address that opens the console signed in once', async () => {
    const { out } = await service.run('console', '--print')
    const [, code] = /^http:\/\/127\.0\.0\.1:\d+\/console\/#code=([\w-]{43})\s*$/.exec(out) ?? []
    const redeem = () =>
      fetch(new URL('/api/console/redeem/', out), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code }),
      })
    expect([(await redeem()).status, (await redeem()).status]).to.deep.equal([200, 401])
  })

  it('changes a game, and reports when there is nothing to change', async () => {
    const origins = ['https://play.example.com', 'http://localhost:5173']
    const changed = await service.json<Game>('game', 'set', '--name', 'Quest II', '--origin', ...origins)
    expect(changed).to.deep.include({ name: 'Quest II', cors_origins: origins })
    expect(await service.json<Game>('game', 'set', '--no-origin', '--guests', 'off')).to.deep.include({
      cors_origins: [],
      sign_in: { guest: false, password: true, code: true, ticket: true },
    })
    const body = '{"realtime":{"enabled":true},"sign_in":{"guest":true}}'
    expect((await service.json<Game>('game', 'set', game, '--body', body)).realtime.enabled).to.equal(true)
    const nothing = await service.run('game', 'set')
    expect([nothing.code, nothing.err]).to.deep.equal([
      2,
      'scorebook: Nothing to change: give --name, --origin, --guests or --body.',
    ])
    expect((await service.run('game', 'set', '--body', '[1]')).code).to.equal(2)
  })

  it('creates, lists, shows, describes and archives leaderboards', async () => {
    const made = await service.json<Leaderboard>('board', 'create', 'High scores', '--min', '-5.50', '--max=100')
    board = made.id
    expect(made).to.include({ ordering: 'desc', unique: true, min_score: '-5.5', max_score: '100', game })
    const laps = await service.json<Leaderboard>('board', 'create', 'Laps', '--ordering', 'asc', '--no-unique')
    expect(laps).to.include({ ordering: 'asc', unique: false })
    const set = await service.json<Leaderboard>('board', 'set', laps.id, '--description', 'Seconds')
    expect(set).to.include({ name: 'Laps', description: 'Seconds' })
    const list = await service.run('board', 'list')
    expect(list.out.split('\n')).to.deep.equal([
      '  leaderboard               name         entries  rules',
      `  ${board}  High scores        0  highest, best per player, -5.…`,
      `  ${laps.id}  Laps               0  lowest, every score`,
    ])
    const preview = await service.run('rebuild', laps.id, '--unique', '--preview')
    expect(preview.out).to.equal('0 entries now, 0 then; 0 players move.')
    const asked = await service.run('board', 'set', laps.id, '--max', '60')
    expect(asked.out).to.match(
      /^The entries are being recomputed. .*\n\n[\s\S]*lowest, every score, up to 60[\s\S]*rebuild .* --watch$/,
    )
    expect((await service.run('rebuild', laps.id, '--watch')).out).to.match(/^Rebuilt from \d+ recorded events\.$/)
    const rebuilt = await service.json<Rebuild>('rebuild', laps.id, '--unique')
    expect(rebuilt).to.include({ leaderboard: laps.id, state: 'done' })
    expect((await service.run('rebuild', laps.id, '--unique')).out).to.equal('Nothing to do: these rules are in force.')
    expect((await service.run('rebuild', laps.id, '--cancel')).out).to.match(
      /^Nothing to cancel: it had ended\.\nRebuilt from \d+ recorded events\.$/,
    )
    expect(await service.json<Rebuild>('rebuild', laps.id, '--no-max')).to.include({ state: 'done' })
    expect(await service.json<Leaderboard>('board', 'show', laps.id)).to.include({ unique: true, max_score: null })
    expect((await service.run('board', 'archive', laps.id)).out).to.equal(`Archived ${laps.id}.`)
    const gone = await service.run('board', 'show', laps.id)
    expect(gone.code).to.equal(1)
    expect(gone.err).to.match(
      /^scorebook: There is no such leaderboard\.\n {2}Check .*\n {2}\(HTTP 404, leaderboard_not_found, request /,
    )
  })

  it('creates, finds, shows and renames players', async () => {
    const made = await service.json<Player>('player', 'create', 'Ada', '--external-id', 'u-1')
    ada = made.id
    expect(made).to.include({ name: 'Ada', external_id: 'u-1', guest: false })
    await service.json('player', 'create', 'Grace')
    expect((await service.json<Page<'players', Player>>('player', 'list', '--name', 'AD')).players).to.deep.equal([
      made,
    ])
    expect(await service.json<Player>('player', 'rename', ada, 'Ada L')).to.include({ id: ada, name: 'Ada L' })
    expect((await service.run('player', 'show', ada)).out).to.contain('  name         Ada L')
  })

  it('bans, unbans, signs out and deletes players', async () => {
    const { id } = await service.json<Player>('player', 'create', 'Mallory')
    const until = '2099-12-24T12:00:00.000Z'
    const banned = await service.json<Player>('player', 'ban', id, '--reason', 'too loud', '--until', until)
    expect(banned.banned).to.deep.equal({ since: banned.banned?.since, until, reason: 'too loud' })
    const shown = await service.run('player', 'show', id)
    expect(shown.out).to.contain(`  banned   since ${banned.banned?.since} until ${until}: too loud`)
    expect((await service.run('player', 'list', '--name', 'mallory')).out).to.match(/banned$/m)
    expect((await service.run('player', 'ban', id, '--until', '2001-01-01T00:00:00Z')).err).to.contain('ban_end_passed')
    expect((await service.json<Player>('player', 'unban', id)).banned).to.equal(null)
    expect((await service.run('player', 'signout', id)).out).to.equal(`Signed ${id} out everywhere.`)
    expect((await service.run('player', 'delete', id)).out).to.equal(`Deleted ${id}.`)
    expect((await service.run('player', 'show', id)).err).to.contain('player_not_found')
  })

  it('submits scores with negative values, secondary scores and extra data, shows them, and deletes one', async () => {
    const first = await service.json<SubmittedScore>('score', 'submit', board, '-3', '--player', ada)
    expect(first).to.include({ score: '-3', rank: 1, improved: true })
    const extra = ['--secondary', '-1.5', '--extra', '{"level":7}', '--player-name', 'Countess']
    const better = await service.json<SubmittedScore>('score', 'submit', board, '12.50', '--player', ada, ...extra)
    expect(better).to.deep.include({ id: first.id, score: '12.5', secondary_score: '-1.5', extra_data: { level: 7 } })
    const worse = await service.run('score', 'submit', board, '1', '--player', ada)
    expect(worse.out).to.match(/^Rank 1: not improved\.\n/)

    const top = await service.run('board', 'top', board)
    expect(top.out.split('\n').map((line) => line.replace(/ +[-0-9: ]{19}$/, ''))).to.deep.equal([
      '  rank  player    score  second  set',
      '     1  Countess   12.5    -1.5',
    ])
    const around = await service.json<ScoresPage>('board', 'around', board, ada, '--limit', '3')
    expect(around).to.include({ player_rank: 1, player_score: first.id, count: 1 })
    expect((await service.run('board', 'around', board, ada)).out).to.contain('     1  >  Countess')
    expect((await service.run('board', 'around', board, 'nobody2345nobody2345nobo')).out).to.equal(
      'This player has no entry on this leaderboard.',
    )
    expect((await service.run('score', 'show', first.id)).out).to.contain('  extra      {"level":7}')
    expect((await service.run('score', 'delete', first.id)).out).to.equal(`Deleted ${first.id}.`)
    const empty = await service.run('board', 'top', board)
    expect(empty.out).to.contain('No score here.')
  })

  it('prints what was rejected, where, and what to do; with --json on one line', async () => {
    const above = await service.run('score', 'submit', board, '101', '--player', ada)
    expect(above.code).to.equal(1)
    expect(above.out).to.equal('')
    expect(above.err).to.match(
      /^scorebook: The score is above the leaderboard’s max_score, 100\.\n {2}Submit a score within the leaderboard’s bounds\.\n {2}\(HTTP 422, score_above_maximum, request [0-9a-f-]{36}\)$/,
    )
    const bad = await service.run('board', 'top', board, '--limit', '101', '--since', 'now')
    expect(bad.err).to.match(/\n {2}at \/limit: must be a whole number from 1 to 100.*\n {2}at \/since: must be a date/)
    const json = await service.run('score', 'submit', board, '1e3', '--player', ada, '--json')
    expect(json.code).to.equal(1)
    expect(JSON.parse(json.err).error).to.deep.include({ code: 'malformed', status: 400 })
    expect(JSON.parse(json.err).error.errors[0].pointer).to.equal('/score')
  })

  it('exits with 2 for invalid usage and with 0 for --help', async () => {
    for (const args of [
      ['bord'],
      ['board', 'top'],
      ['board', 'top', board, 'more'],
      ['score', 'submit', board, '1'],
      ['board', 'list', '--limit', 'ten'],
      ['board', 'create', 'X', '--ordering', 'up'],
      ['score', 'submit', board, '1', '--player', ada, '--extra', '{'],
      ['board', 'list', '--url', 'nowhere'],
      ['board', 'list', '--key-file', '/nowhere.json'],
      ['demo', '--players', '0'],
    ]) {
      expect((await service.run(...args)).code, args.join(' ')).to.equal(2)
    }
    expect((await service.run('--version')).out).to.match(/^\d+\.\d+\.\d+$/)
  })

  for (const name of ['serve', 'init', 'demo', 'doctor', 'game', 'key', 'board', 'player', 'score']) {
    it(`prints help for ${name} with examples, within 80 columns`, async () => {
      const help = await service.run(name, '--help')
      expect(help.code).to.equal(0)
      const subcommands = [...help.out.matchAll(/^ {2}(\w+)(?: \[options\])?(?: [<[]\w+[>\]])* {2,}\w/gm)].map(
        ([, one]) => one,
      )
      const leaves = ['game', 'key', 'board', 'player', 'score'].includes(name)
        ? subcommands.filter((one) => one !== 'help').map((one = '') => [name, one])
        : [[name]]
      expect(leaves.length).to.be.greaterThan(0)
      for (const leaf of leaves) {
        const { out, code } = await service.run(...leaf, '--help')
        expect(code).to.equal(0)
        expect(out, leaf.join(' ')).to.contain(`\nExamples:\n  npx scorebook ${leaf.join(' ')}`)
        const options = out.split('\nExamples:')[0] ?? ''
        for (const line of options.split('\n')) expect(line.length, line).to.be.at.most(80)
      }
    })
  }
})
