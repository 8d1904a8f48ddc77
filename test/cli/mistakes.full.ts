// The error texts for common mistakes: a wrong key, address or value, no running server, and views that do not exist
// yet.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Leaderboard } from '../../clients/javascript/score-shapes.ts'
import { freePort } from '../free-port.ts'
import { command, type MadeGame, newFolder, openService, type Service } from './service.ts'

const PLAYERS = 25

describe('error texts of the command line', () => {
  let service: Service
  let game: string
  let board: string
  before(async () => {
    service = await openService()
    game = (await service.json<MadeGame>('game', 'create', 'Quest')).game.id
    board = (await service.json<Leaderboard>('board', 'create', 'High scores')).id
  })
  after(() => service.close())

  it('name the key and its file if the server rejects the key', async () => {
    const kept = JSON.parse(await readFile(join(service.dataDir, 'keys', `${game}.json`), 'utf8'))
    const path = join(await newFolder(), 'wrong.json')
    await writeFile(path, JSON.stringify({ ...kept, secret: kept.secret.split('').reverse().join('') }))
    const result = await service.run('board', 'list', '--key-file', path)
    expect(result.code).to.equal(1)
    expect(result.err.split('\n')).to.deep.equal([
      `scorebook: The server does not accept the key ${kept.prefix} in ${path}.`,
      '  Its secret is wrong, it was revoked, or it belongs to another installation.',
      '  Check --url, DATA_DIR and --key-file; or issue another key: `key issue` for a game, `init --new-key` for the operator.',
      '  (HTTP 401, challenge_rejected)',
    ])
    const asJson = await service.run('board', 'list', '--key-file', path, '--json')
    expect(JSON.parse(asJson.err).error).to.include({ status: 401, code: 'challenge_rejected' })
  })

  it('say how to call with a key that has the missing permission', async () => {
    const analyst = ['--kind', 'server', '--name', 'analyst', '--permission', `gm:${game}:history`]
    const path = join(await newFolder(), 'analyst.json')
    await writeFile(path, (await service.run('key', 'issue', '--game', game, ...analyst, '--json')).out)
    const refused = await service.run('board', 'list', '--key-file', path)
    expect([refused.code, refused.err.split('\n').slice(0, 3)]).to.deep.equal([
      1,
      [
        `scorebook: This needs the permission gm:${game}:boards.`,
        `  permission needed: gm:${game}:boards`,
        '  Name a key that has it with --key-file. `key issue --permission` makes one, with a key that has the permission itself.',
      ],
    ])
  })

  it('say where the ids are if a name is given in place of an id', async () => {
    for (const [args, text] of [
      [
        ['board', 'top', 'High scores'],
        '"High scores" is not the id or key of a leaderboard. Names and ids: $ board list',
      ],
      [['rebuild', 'High'], '"High" is not the id or key of a leaderboard. Names and ids: $ board list'],
      [
        ['board', 'around', board, 'Ada L'],
        `"Ada L" is not the id of a player. Names and ids: $ player list --name 'Ada L'`,
      ],
      [['player', 'show', 'ada'], '"ada" is not the id of a player. Names and ids: $ player list --name ada'],
      [['game', 'show', 'Quest'], '"Quest" is not the id of a game. Names and ids: $ game list'],
      [['board', 'list', '--game', 'Quest'], '"Quest" is not the id of a game. Names and ids: $ game list'],
      [['bucket', 'ls', 'saves'], '"saves" is not the id of a bucket. Names and ids: $ bucket list'],
    ] as const) {
      const { code, err } = await service.run(...args)
      const program = /DATA_DIR=\S+ npx scorebook --url \S+/
      expect([code, err.replace(program, '$')], args.join(' ')).to.deep.equal([2, `scorebook: ${text}`])
    }
  })

  it('name the games among which --game chooses', async () => {
    const other = (await service.json<MadeGame>('game', 'create', 'Other game')).game.id
    const lines = [`  ${game}  Quest`, `  ${other}  Other game`].sort()
    const { code, err } = await service.run('board', 'list')
    const head = 'scorebook: Several games have keys here. Pass --game with one of:'
    expect([code, ...err.split('\n')]).to.deep.equal([2, head, ...lines])
    await service.json('game', 'delete', other, '--name', 'Other game')
    await rm(join(service.dataDir, 'keys', `${other}.json`))
  })

  it('do not refuse a backup destination that is given without --to', async () => {
    const folder = await newFolder()
    expect((await service.run('backup', folder)).code).to.equal(0)
    expect((await service.run('backup', folder, '--to', folder)).code).to.equal(0)
    expect((await service.run('backup', 'list', folder)).out.split('\n')).to.have.length(5)
    const twice = await service.run('backup', folder, '--to', `${folder}2`)
    expect([twice.code, twice.err]).to.deep.equal([
      2,
      'scorebook: Pass the destination once: as argument, or with --to.',
    ])
    const none = await service.run('backup')
    expect([none.code, none.err]).to.match(/^2,scorebook: Pass where the backups are: a folder, or s3:/)
  })

  it('are not needed for an as-of of yesterday, an age or a date', async () => {
    const now = await service.run('board', 'top', board, '--as-of', '0m')
    expect([now.code, now.err]).to.deep.equal([0, ''])
    const today = new Date().toISOString().slice(0, 10)
    expect((await service.run('board', 'top', board, '--as-of', today)).code).to.equal(0)
    for (const instant of ['yesterday', '7d', '2026-01-01']) {
      const result = await service.run('board', 'top', board, '--as-of', instant)
      expect([result.code, result.err], instant).to.match(/HTTP 404, /)
    }
  })

  it('explain the arguments of rebuild if it gets neither a leaderboard nor views, or both', async () => {
    const neither = await service.run('rebuild')
    expect([neither.code, neither.err]).to.deep.equal([
      2,
      'scorebook: Pass a leaderboard, or --all / --view to rebuild views.',
    ])
    const both = await service.run('rebuild', board, '--all')
    expect([both.code, both.err]).to.deep.equal([2, 'scorebook: Pass a leaderboard, or --all / --view, not both.'])
  })

  it('explain how to start a server if nothing listens at the port', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const result = await service.run('board', 'list', '--url', url)
    expect([result.code, ...result.err.split('\n')]).to.deep.equal([
      1,
      `scorebook: Nothing listens at ${url}.`,
      '  Start a server with `npm start`, or name another one with --url.',
      '  `npx scorebook doctor` looks for the reason.',
    ])
  })

  it('suggest http if the port does not speak TLS', async () => {
    const url = service.url.replace('http:', 'https:')
    const result = await service.run('board', 'list', '--url', url)
    expect([result.code, ...result.err.split('\n')]).to.deep.equal([
      1,
      `scorebook: ${url} does not speak TLS.`,
      `  Write --url ${service.url}, or check the port.`,
      '  `npx scorebook doctor` looks for the reason.',
    ])
  })

  it('point out that an answer is not from the API, such as on the admin port', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('no'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const result = await service.run('board', 'list', '--url', `http://127.0.0.1:${port}`)
    other.close()
    expect([result.code, ...result.err.split('\n')]).to.deep.equal([
      1,
      'scorebook: What answers there is not the API of Scorebook (HTTP 404).',
      '  Check the scheme, host, port and path in --url. The API listens on PORT (8080); ADMIN_PORT (9090) serves only metrics.',
    ])
  })

  it('name the option of a rejected value, not a field of an internal document', async () => {
    const one = await service.run('board', 'set', board, '--min', 'abc')
    expect(one.code).to.equal(1)
    expect(one.err).to.match(/^scorebook: The body is malformed at "\/min_score": must be a decimal string/)
    expect(one.err).to.not.match(/`errors`/)
    const body = '{"realtime":{"enabled":1},"sign_in":{"guest":2}}'
    const two = await service.run('game', 'set', '--body', body)
    expect(two.err).to.match(/\n {2}at \/sign_in\/guest: .+\n {2}at \/realtime\/enabled: .+\n {2}\(HTTP 400, malformed/)
  })

  it('tell how many of the moves a preview shows', async () => {
    for (let n = 1; n <= PLAYERS; n++) {
      const { id } = await service.json<{ id: string }>('player', 'create', `Player ${n}`)
      await service.json('score', 'submit', board, String(n), '--player', id)
    }
    const result = await service.run('rebuild', board, '--ordering', 'asc', '--preview')
    const lines = result.out.split('\n')
    // The player in the middle keeps their rank.
    expect(lines[0]).to.equal(`${PLAYERS} entries now, ${PLAYERS} then; ${PLAYERS - 1} players move.`)
    expect(lines.slice(-2)).to.deep.equal(['', `20 of ${PLAYERS - 1} moves shown, the biggest first.`])
  })

  it('report that no server is running if doctor finds no fault', async () => {
    const env = { DATA_DIR: join(await newFolder(), 'data'), PORT: `${await freePort()}`, ADMIN_PORT: '0' }
    const result = await command(env, 'doctor')
    expect([result.code, result.out.split('\n').at(-1)]).to.deep.equal([
      0,
      'Nothing is wrong. No server is running: start one with `npm start`.',
    ])
    expect(result.out).to.contain(`no server is running at http://127.0.0.1:${env.PORT}`)
    expect((await service.run('doctor')).out.split('\n').at(-1)).to.equal('Nothing is wrong.')
  })

  it('of doctor before the first start are printed, and nothing is written', async () => {
    const folder = await newFolder()
    const ports = { PORT: `${await freePort()}`, ADMIN_PORT: '0' }
    const servers = {
      EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:9/x',
      REDIS_URL: 'redis://127.0.0.1:9',
    }
    for (const more of [{}, servers]) {
      await command({ DATA_DIR: folder, ...ports, ...more }, 'doctor')
      expect(await readdir(folder)).to.deep.equal([])
    }
  })

  it('of verify report views that are not built yet, instead of differences', async () => {
    await service.stop()
    const [folder, from] = [await newFolder(), service.dataDir]
    const taken = join(await newFolder(), 'taken')
    const here = { DATA_DIR: folder, PORT: `${await freePort()}`, ADMIN_PORT: '0' }
    const { masterKey } = JSON.parse(await readFile(join(from, 'secrets.json'), 'utf8'))
    const filled = { ...here, MASTER_KEY: masterKey }
    const vault = ['--vault', `${taken}.vault`]
    const exported = await command(service.env, 'history', 'export', '--all', '--out', taken, ...vault)
    expect(exported.code, exported.err).to.equal(0)
    const imported = await command(filled, 'history', 'import', taken, ...vault)
    expect(imported.code, imported.err).to.equal(0)
    const result = await command(filled, 'verify')
    expect([result.code, result.err]).to.deep.equal([
      1,
      'scorebook: The views are not built yet, so there is nothing to compare: no server has started since this log was ' +
        'filled. Start one (`npm start`), wait until it is ready, and verify again.',
    ])
    const started = await openService(filled)
    await started.stop()
    expect((await command(filled, 'verify')).out).to.match(/^equal: /)
    service = await openService({ DATA_DIR: from })
  })
})
