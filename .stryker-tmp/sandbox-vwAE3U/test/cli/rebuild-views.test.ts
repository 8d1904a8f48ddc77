// `scorebook rebuild` of whole views: with a server running and without, killed in the middle, and the way back.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { appendAll, playerCreated, playerId, submitted } from '../../bench/support/events.ts'
import type { VerifyResult } from '../../client/history.ts'
import type { Builds } from '../../client/views.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { builtProgram } from '../crash/build.ts'
import { command, openService, type Service } from './service.ts'

const PLAYERS = 50
const SUBMISSIONS = 2_000

describe('the command line, of whole views', () => {
  let service: Service
  let place: { game: string; board: string }

  before(async function () {
    this.timeout(300_000)
    // Here, so that its compiling is no part of any test's time.
    builtProgram()
    service = await openService()
    const { game } = await service.json<{ game: { id: string } }>('game', 'create', 'Quest')
    const board = await service.json<{ id: string }>('board', 'create', 'High scores')
    place = { game: game.id, board: board.id }
    const { id } = await service.json<{ id: string }>('player', 'create', 'Ada')
    await service.json('score', 'submit', board.id, '41', '--player', id)
  })
  after(() => service.close())

  const shownIn = ({ shown }: Builds) => shown.filter(({ build }) => build > 0).map(({ view }) => view.split('@')[0])

  it('rebuilds one by the running server, and goes back', async () => {
    const said = await service.run('rebuild', '--view', 'entries')
    expect([said.code, said.err.includes('Rebuilding')], said.err).to.deep.equal([0, true])
    expect(said.out).to.match(
      /^Rebuilt and shown: entries@\d+\.\n\d+ documents compared, 0 were not as they should be\./,
    )
    expect(said.out).to.contain('There is a way back until ')
    expect(shownIn(await service.json<Builds>('rebuild', '--watch'))).to.deep.equal(['entries'])
    const back = await service.run('rebuild', '--back')
    expect(back.out).to.match(/^Shown again as before: entries@\d+\./)
    expect(shownIn(await service.json<Builds>('rebuild', '--watch'))).to.deep.equal([])
    expect((await service.json<Builds>('rebuild', '--let-go')).way_back).to.equal(null)
    const refused = await service.run('rebuild', '--back')
    expect([refused.code, refused.err]).to.deep.include(1)
    expect((await service.run('rebuild', '--let-go')).out).to.match(/^There is no way back/)
    const none = await service.run('rebuild', '--cancel')
    expect([none.code, none.out]).to.deep.equal([0, 'Nothing to cancel: none runs.'])
  })

  it('says how it is to be called', async () => {
    const mixed = [
      ['--min', '3', '--watch'],
      ['--unique', '--cancel'],
      ['--preview', '--watch'],
    ].map((options) => [place.board, ...options])
    for (const wrong of [[], ['--all', '--back'], [place.board, '--all'], ['--all', '--preview'], ...mixed]) {
      expect((await service.run('rebuild', ...wrong)).code, wrong.join(' ')).to.equal(2)
    }
    const unknown = await service.run('rebuild', '--view', 'nothing')
    expect([unknown.code, unknown.err.includes('There is no view nothing')]).to.deep.equal([1, true])
  })

  it('rebuilds all of them where no server runs, and goes on after a kill in the middle', async function () {
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
      const heard: string[] = []
      child.stdout.on('data', (piece) => heard.push(String(piece)))
      child.stderr.on('data', (piece: Buffer) => {
        // It has asked by then, and has yet to build.
        if (kills === 0 && String(piece).includes('Rebuilding: begun')) {
          kills++
          child.kill('SIGKILL')
        }
      })
      const [code] = await ended
      if (code === null) continue
      const builds = JSON.parse(heard.join('')) as Builds
      expect([code, builds.state, builds.last?.outcome, builds.last?.found]).to.deep.equal([0, 'idle', 'switched', 0])
      expect(builds.shown.map(({ build }) => build)).to.deep.equal(builds.shown.map(() => builds.shown[0]?.build))
      isOver = true
    }
    expect(kills).to.equal(1)
    const verified = (await command(service.env, 'verify', '--json')).json<VerifyResult>()
    expect(verified).to.include({ equal: true, found: 0, behind: false })
  })

  function* manyEvents() {
    for (let n = 0; n < PLAYERS; n++) yield playerCreated(place.game, n)
    for (let n = 0; n < SUBMISSIONS; n++) {
      yield submitted(place, playerId(n % PLAYERS), n, Math.floor(n / PLAYERS), n)
    }
  }
})
