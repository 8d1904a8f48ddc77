// Keys on the command line: how they are issued, revoked and found, and the errors without a key or server.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import type { Leaderboard } from '../../clients/javascript/score-shapes.ts'
import type { Key, MadeKey, Page, Player } from '../../clients/javascript/shapes.ts'
import { command, type MadeGame, openService, type Service } from './service.ts'

describe('keys on the command line', () => {
  let service: Service
  let game: string
  let board: string
  let ada: string

  before(async () => {
    service = await openService()
    game = (await service.json<MadeGame>('game', 'create', 'Quest')).game.id
    board = (await service.json<Leaderboard>('board', 'create', 'High scores')).id
    ada = (await service.json<Player>('player', 'create', 'Ada')).id
  })
  after(() => service.close())

  it('issues, lists and revokes keys, and prints each secret only once', async () => {
    const made = await service.json<MadeKey>('key', 'issue', '--kind', 'client', '--name', 'web')
    expect(made.secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    const issued = await service.run(
      'key',
      'issue',
      '--kind',
      'server',
      '--algorithm',
      'ed25519',
      '--permission',
      'lb:*:scores',
    )
    expect(issued.out).to.match(/ {2}private key {2}[A-Za-z0-9_-]{43}\n/)
    expect(issued.out).to.contain('It is not shown again: keep it now.')
    expect((await service.run('key', 'revoke', made.prefix)).out).to.equal(`Revoked ${made.prefix}.`)
    const { keys } = await service.json<Page<'keys', Key>>('key', 'list')
    expect(keys.map(({ revoked }) => revoked)).to.deep.equal([false, true, false])
    expect(JSON.stringify(keys)).not.to.contain(made.secret)
    expect((await service.run('key', 'issue', '--kind', 'client', '--save')).code).to.equal(2)
  })

  it('lets the operator issue a key for a game whose key was lost', async () => {
    const file = join(service.dataDir, 'keys', `${game}.json`)
    const before = JSON.parse(await readFile(file, 'utf8'))
    await service.json('key', 'revoke', before.prefix)
    const shut = await service.run('board', 'list')
    expect(shut.err).to.contain('challenge_rejected')
    const args = ['--game', game, '--kind', 'server', '--save']
    const saved = await service.json<{ key_file: string; prefix: string }>('key', 'issue', ...args)
    expect(saved.key_file).to.equal(file)
    expect((await service.run('board', 'list')).code).to.equal(0)
  })

  it('revokes operator keys, with and without --key-file, but never the last one', async () => {
    const operatorFile = join(service.dataDir, 'operator.json')
    const operator = JSON.parse(await readFile(operatorFile, 'utf8'))
    const connected = await connect({ baseUrl: service.url, key: operator })
    const second = await connected.issueOperatorKey({ name: 'second', algorithm: 'hmac-sha256' })
    expect((await service.run('key', 'revoke', second.prefix)).out).to.equal(`Revoked ${second.prefix}.`)
    const last = await service.run('key', 'revoke', operator.prefix)
    expect(last.code).to.equal(1)
    expect(last.err).to.contain('This is the last operator key').and.contain('last_operator_key')
    const third = await connected.issueOperatorKey({ name: 'third', algorithm: 'ed25519' })
    const file = join(service.dataDir, 'third.json')
    await writeFile(file, JSON.stringify(third))
    const revoked = await service.run('key', 'revoke', operator.prefix, '--key-file', file)
    expect(revoked.out).to.equal(`Revoked ${operator.prefix}.`)
    expect((await service.run('game', 'list')).err).to.contain('challenge_rejected')
    const made = await service.json<MadeKey>('key', 'issue', '--kind', 'server')
    expect((await service.run('key', 'revoke', made.prefix)).out, 'of a game').to.equal(`Revoked ${made.prefix}.`)
    await writeFile(operatorFile, JSON.stringify(third))
    const unknown = await service.run('key', 'revoke', `sk_${'a'.repeat(24)}`)
    expect([unknown.code, /key_not_found/.test(unknown.err)]).to.deep.equal([1, true])
  })

  it('uses the key in the file that --key-file names', async () => {
    const made = await service.json<MadeKey>('key', 'issue', '--kind', 'server', '--algorithm', 'ed25519')
    const file = join(service.dataDir, 'named.json')
    await writeFile(file, JSON.stringify(made))
    expect((await service.json<Leaderboard>('board', 'show', board, '--key-file', file)).id).to.equal(board)
    await writeFile(file, '{"prefix":"sk_x"}')
    const bad = await service.run('board', 'show', board, '--key-file', file)
    expect(bad.err).to.contain('holds no key: it must be JSON with "prefix", and "secret" or "private_key"')
  })

  it('finds the game that owns an id among several, and asks for --game if no id is given', async () => {
    const other = await service.json<MadeGame>('game', 'create', 'Other')
    const otherBoard = await service.json<Leaderboard>('board', 'create', 'Elsewhere', '--game', other.game.id)
    expect((await service.json<Leaderboard>('board', 'show', board)).game).to.equal(game)
    expect((await service.json<Leaderboard>('board', 'show', otherBoard.id)).game).to.equal(other.game.id)
    expect((await service.json<Player>('player', 'show', ada)).id).to.equal(ada)
    const which = await service.run('board', 'list')
    expect(which.code).to.equal(2)
    expect(which.err).to.contain('Several games have keys here').and.contain(game).and.contain(other.game.id)
    const nowhere = await service.run('score', 'show', 'nosuchscore')
    expect([nowhere.code, /score_not_found/.test(nowhere.err)]).to.deep.equal([1, true])
    const unknown = await service.run('board', 'list', '--game', '../../operator')
    expect([unknown.code, /"..\/..\/operator" is not the id of a game/.test(unknown.err)]).to.deep.equal([2, true])
  })

  it('prints an error if no server answers or there is no operator key', async () => {
    const away = await service.run('game', 'list', '--url', 'http://127.0.0.1:9')
    expect(away.code).to.equal(1)
    expect(away.err).to.match(/^scorebook: No answer from http:\/\/127\.0\.0\.1:9: .*\n.*npm start.*\n.*doctor/)
    const elsewhere = await command({ ...service.env, DATA_DIR: join(service.dataDir, 'none') }, 'game', 'list')
    expect(elsewhere.err).to.contain('There is no operator key in').and.contain('npx scorebook init')
    const path = join(service.dataDir, 'none.json')
    const missing = await service.run('game', 'list', '--key-file', path)
    expect([missing.code, missing.err]).to.deep.equal([
      2,
      `scorebook: The key file ${path} does not exist. Check --key-file.`,
    ])
  })
})
