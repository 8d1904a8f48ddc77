// `scorebook history follow` and long exports over HTTP: they resume after connection losses and token expiry, end
// cleanly, and use bounded memory.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { runCommandLine } from '../../cli/program.ts'
import { builtProgram } from '../crash/build.ts'
import { fillLog, MASTER } from '../portability/export/fill-log.ts'
import { until } from '../until.ts'
import { openServed, type Served } from './served.ts'
import { command } from './service.ts'

const HOUR_MS = 3_600_000

describe('the history of a game, read for long', () => {
  let served: Served
  let game: string
  let board: string
  let player: string
  let ahead = 0

  before(async function () {
    this.timeout(300_000)
    builtProgram()
    served = await openServed({ MASTER_KEY: MASTER.toString('base64') }, () => Date.now() + ahead)
    game = (await served.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
    board = (await served.json<{ id: string }>('board', 'create', 'High scores')).id
    player = (await served.json<{ id: string }>('player', 'create', 'Ada')).id
  })
  afterEach(() => {
    served.cuts = () => false
    served.cut.length = 0
  })
  after(() => served.close())

  const submit = async (count: number) => {
    for (let n = 0; n < count; n++) await served.json('score', 'submit', board, `${n}.5`, '--player', player)
  }
  const isOfEvents = ({ line }: { readonly line: string }) => line.includes('/events/')
  const exported = async () => (await served.run('history', 'export')).out.split('\n')

  function followed(...words: string[]) {
    const out: string[] = []
    const err: string[] = []
    let interrupt = () => {}
    const ended = runCommandLine(['history', 'follow', ...words], {
      env: served.env,
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      columns: 80,
      redraw: null,
      onInterrupt: (stop) => {
        interrupt = stop
        return () => {}
      },
    })
    return { out, err, ended, interrupt: () => interrupt() }
  }

  it('prints each event once despite connection losses and a server restart, and ends on SIGINT', async function () {
    this.timeout(60_000)
    const limits = [0, 400, 1_500, 2_500]
    served.cuts = (carried) =>
      isOfEvents(carried) && carried.down > (limits[served.cut.length] ?? Number.POSITIVE_INFINITY)
    const follower = followed()
    await submit(6)
    await until(() => served.cut.length === limits.length)
    const before = follower.out.length
    await served.restart()
    await submit(3)
    const due = await exported()
    expect(due.length).to.be.greaterThan(before)
    await until(() => follower.out.length >= due.length)
    expect(follower.out).to.deep.equal(due)
    // It also ends while it waits for events.
    follower.interrupt()
    expect([await follower.ended, follower.err]).to.deep.equal([0, []])
  })

  it('prints the cause if the key may not read the history or was revoked', async () => {
    const key = async (...words: string[]) => {
      const made = await served.run('key', 'issue', '--name', 'x', '--json', ...words)
      const path = join(served.dataDir, `key-${Math.random()}.json`)
      const { writeFile } = await import('node:fs/promises')
      await writeFile(path, made.out)
      return { path, prefix: made.json<{ prefix: string }>().prefix }
    }
    const follow = (path: string) => served.run('--key-file', path, '--game', game, 'history', 'follow')
    const narrow = await key('--kind', 'server', '--permission', `gm:${game}:details`)
    const client = await key('--kind', 'client')
    const refused = await follow(narrow.path)
    expect([refused.code, refused.out]).to.deep.equal([1, ''])
    expect(refused.err).to.contain(`permission needed: gm:${game}:history`).and.contain('HTTP 403')
    const ofGames = await follow(client.path)
    expect([ofGames.code, ofGames.err.includes('tenant_only')], ofGames.err).to.deep.equal([1, true])
    // A key that is revoked while following ends the command.
    const able = await key('--kind', 'server', '--permission', `gm:${game}:history`)
    const following = followed('--key-file', able.path, '--game', game)
    await until(() => following.out.length > 0)
    expect((await served.run('key', 'revoke', able.prefix)).code).to.equal(0)
    expect(await following.ended).to.equal(1)
    expect(following.err.join('\n')).to.contain('challenge_rejected')
  })

  it('renews its token after an hour and continues, even if its clock is an hour off', async () => {
    const due = await exported()
    let redeemed = 0
    const over = (from: number) => {
      redeemed = 0
      served.cut.length = 0
      served.cuts = (carried) => {
        if (carried.line.startsWith('POST /api/auth/jwt/redeem/') && carried.down === 0) redeemed++
        if (!isOfEvents(carried) || carried.down <= from || served.cut.length > 0) return false
        ahead += HOUR_MS + 60_000
        return true
      }
    }
    over(800)
    expect((await served.run('history', 'export')).out.split('\n')).to.deep.equal(due)
    // The answer to the first challenge contains the server's time.
    expect([redeemed, served.cut.length]).to.deep.equal([3, 1])
    over(800)
    const out = join(served.dataDir, 'taken')
    expect((await served.run('history', 'export', '--out', out)).code).to.equal(0)
    expect((await readFile(join(out, 'events.ndjson'), 'utf8')).split('\n').slice(0, -1)).to.deep.equal(due)
    expect((await command({}, 'history', 'verify', out)).code).to.equal(0)
  })

  it('is streamed with bounded memory, and exits with 0 on SIGINT', async function () {
    this.timeout(180_000)
    await served.stop()
    // More bytes than the memory limit of the follower.
    const events = 4_000
    await fillLog(served.dataDir, { game, board }, events, undefined, 'x'.repeat(8_000))
    await served.restart()
    const child = spawn(process.execPath, [builtProgram(), 'history', 'follow'], {
      env: { ...served.env, NODE_OPTIONS: '--max-old-space-size=56' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const errorOutput: string[] = []
    child.stderr.on('data', (chunk) => errorOutput.push(String(chunk)))
    const ended = once(child, 'close')
    let lines = 0
    for await (const line of createInterface(child.stdout)) {
      expect(line.startsWith('{"position":')).to.equal(true)
      if (++lines === events) child.kill('SIGINT')
    }
    expect([await ended, errorOutput.join('')]).to.deep.equal([[0, null], ''])
    expect(lines).to.be.at.least(events)
  })
})
