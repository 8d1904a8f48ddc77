// `scorebook rebuild` of views: with and without a running server, killed in the middle, and switched back.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { appendAll, playerCreated, playerId, submitted } from '../../bench/support/events.ts'
import type { VerifyResult } from '../../clients/javascript/verify-shapes.ts'
import type { Builds } from '../../clients/javascript/views.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { builtProgram } from '../crash/build.ts'
import { command, openService, type Service } from './service.ts'

const PLAYERS = 50
const SUBMISSIONS = 2_000

describe('scorebook rebuild of views', () => {
  let service: Service
  let ids: { game: string; board: string }

  before(async function () {
    this.timeout(300_000)
    // Build here, so that compiling does not count towards a test's timeout.
    builtProgram()
    service = await openService()
    const { game } = await service.json<{ game: { id: string } }>('game', 'create', 'Quest')
    const board = await service.json<{ id: string }>('board', 'create', 'High scores')
    ids = { game: game.id, board: board.id }
    const { id } = await service.json<{ id: string }>('player', 'create', 'Ada')
    await service.json('score', 'submit', board.id, '41', '--player', id)
  })
  after(() => service.close())

  const shownIn = ({ shown }: Builds) => shown.filter(({ build }) => build > 0).map(({ view }) => view.split('@')[0])

  it('rebuilds one view by the running server, and switches back', async () => {
    const result = await service.run('rebuild', '--view', 'entries')
    expect([result.code, result.err.includes('Rebuilding')], result.err).to.deep.equal([0, true])
    expect(result.out).to.match(/^Rebuilt and active: entries@\d+\.\n\d+ documents compared, 0 differed from the log\./)
    expect(result.out).to.contain('The previous build can be restored until ')
    expect(shownIn(await service.json<Builds>('rebuild', '--watch'))).to.deep.equal(['entries'])
    const back = await service.run('rebuild', '--back')
    expect(back.out).to.match(/^Restored the previous build: entries@\d+\./)
    expect(shownIn(await service.json<Builds>('rebuild', '--watch'))).to.deep.equal([])
    expect((await service.json<Builds>('rebuild', '--discard-previous')).way_back).to.equal(null)
    const refused = await service.run('rebuild', '--back')
    expect([refused.code, refused.err]).to.deep.include(1)
    expect((await service.run('rebuild', '--discard-previous')).out).to.match(/^The previous build is deleted/)
    const none = await service.run('rebuild', '--cancel')
    expect([none.code, none.out]).to.deep.equal([0, 'Nothing to cancel: no rebuild is running.'])
  })

  it('prints its usage for invalid options', async () => {
    const mixed = [
      ['--min', '3', '--watch'],
      ['--unique', '--cancel'],
      ['--preview', '--watch'],
    ].map((options) => [ids.board, ...options])
    for (const wrong of [[], ['--all', '--back'], [ids.board, '--all'], ['--all', '--preview'], ...mixed]) {
      expect((await service.run('rebuild', ...wrong)).code, wrong.join(' ')).to.equal(2)
    }
    const unknown = await service.run('rebuild', '--view', 'nothing')
    expect([unknown.code, unknown.err.includes('There is no view nothing')]).to.deep.equal([1, true])
  })

  it('rebuilds all views without a server, and resumes after a kill', async function () {
    this.timeout(300_000)
    await service.stop()
    const log = await openLog(join(service.dataDir, 'log.sqlite'))
    await appendAll(log, manyEvents())
    await log.close()
    let kills = 0
    for (let isOver = false; !isOver; ) {
      const child = spawn(process.execPath, [builtProgram(), 'rebuild', '--all', '--json'], {
        env: { ...service.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      const output: string[] = []
      child.stdout.on('data', (chunk) => output.push(String(chunk)))
      child.stderr.on('data', (chunk: Buffer) => {
        // By then the rebuild is requested but not done.
        if (kills === 0 && String(chunk).includes('Rebuilding: started')) {
          kills++
          child.kill('SIGKILL')
        }
      })
      const [code] = await ended
      if (code === null) continue
      const builds = JSON.parse(output.join('')) as Builds
      expect([code, builds.state, builds.last?.outcome, builds.last?.found]).to.deep.equal([0, 'idle', 'switched', 0])
      expect(builds.shown.map(({ build }) => build)).to.deep.equal(builds.shown.map(() => builds.shown[0]?.build))
      isOver = true
    }
    expect(kills).to.equal(1)
    const verified = (await command(service.env, 'verify', '--json')).json<VerifyResult>()
    expect(verified).to.include({ equal: true, found: 0, behind: false })
  })

  function* manyEvents() {
    for (let n = 0; n < PLAYERS; n++) yield playerCreated(ids.game, n)
    for (let n = 0; n < SUBMISSIONS; n++) {
      yield submitted(ids, playerId(n % PLAYERS), n, Math.floor(n / PLAYERS), n)
    }
  }
})
