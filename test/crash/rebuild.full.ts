// kill -9 of the server during a rebuild of all views, in each of its phases, under load: after a restart the rebuild
// continues and completes, and the views then equal the log.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import { resolveActiveBuilds } from '../../server/node/builds.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { must, tokenOf } from '../front-door/world.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { withStores } from './stores-of.ts'

const PATH = '/api/sys/rebuild/'

describe('kill -9 in the middle of a rebuild of all views', function () {
  this.timeout(120_000)
  let dataDir: string
  let world: ProcessWorld
  let operator: string

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-rebuild-'))
    world = await openProcessWorld({}, { dataDir, storeUrls: EMBEDDED })
    operator = await tokenOf(world, world.operator)
  })
  after(async () => {
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const stores = () => ({ dataDir, storeUrls: EMBEDDED })
  const rebuildState = async () => must(await world.call('GET', PATH, { token: operator }), 200)

  /** The phase in which the server is killed, as it is stored, independent of earlier answers. */
  async function killed(): Promise<string> {
    await world.end('SIGKILL')
    const { change } = await withStores(stores(), ({ views }) => createBuildPointer(views).read())
    await world.begin()
    return change?.phase ?? 'none'
  }

  it('continues in every phase after the kill, and loses nothing', async () => {
    const game = await makeGame(world)
    const board = await makeBoard(world, game, { unique: false })
    const player = await makePlayer(world, game)
    let submitted = 0
    const submit = async () => {
      const body = { score: `${submitted++}`, player }
      must(await world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body }), 201)
    }
    for (let n = 0; n < 20; n++) await submit()

    const killedIn = new Set<string>()
    let rebuilds = 0
    while (!killedIn.has('building') || !killedIn.has('comparing')) {
      const { state } = await rebuildState()
      if (state === 'idle') {
        must(await world.call('POST', PATH, { token: operator, body: {} }), 202)
        rebuilds++
      }
      await submit()
      if (state !== 'idle' && !killedIn.has(state)) killedIn.add(await killed())
    }
    let end = await rebuildState()
    while (end.state !== 'idle') end = await rebuildState()
    expect([end.last.outcome, end.last.found]).to.deep.equal(['switched', 0])
    const builds = new Set(end.shown.map(({ build }: { build: number }) => build))
    expect([...builds]).to.deep.equal([rebuilds])
    const path = `/api/lb/${board}/score/?limit=100&offset=0`
    expect(must(await world.call('GET', path, { token: game.token }), 200).count).to.equal(submitted)
    await world.end('SIGKILL')
    const differences = await withStores(stores(), async (own) => {
      return rebuiltDifferences((await resolveActiveBuilds(own)).views, own.log)
    })
    await world.begin()
    expect(differences).to.deep.equal([])
  })
})
