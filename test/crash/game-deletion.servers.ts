// Kills a server while it removes a game from EventStoreDB, MongoDB and Redis, each time between two writes: the next
// start admits nobody to the game, and completes the removal.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { filesWith, storedWith } from '../front-door/stored-texts.ts'
import { answerCode } from '../front-door/tenant.ts'
import { must, tokenOf } from '../front-door/world.ts'
import type { Right } from '../servers/eventstoredb/access.ts'
import { type Authority, makeAuthority } from '../servers/eventstoredb/identity.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { endSharedServers, freshStoresBeside, type ServerStores, withServers } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import { builtProgram } from './build.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

const MARKER = 'Qzkilled'
const RIGHTS: readonly Right[] = ['readAll', 'readStreams', 'append', 'deleteStreams', 'readMetadata', 'writeMetadata']
/**
 * The right without which the removal stops, and the log line that follows: after the first secrets, and after the last
 * page.
 */
const STOPS = [
  ['deleteStreams', 'delete our streams'],
  ['writeMetadata', 'write the metadata of our streams'],
] as const

after(endSharedServers)

describe('a server that is killed while it removes a game from servers', function () {
  this.timeout(150_000)
  let authority: Authority
  let server: EventStoreServer
  let beside: ServerStores
  let filesDir: string
  let dataDir: string
  let world: ProcessWorld
  let doomed: GameToDelete

  const urlOf = (user: string) => `esdb://${user}:${user}@127.0.0.1:${server.port}?tlsCAFile=${authority.caFile}`

  before(async () => {
    authority = makeAuthority()
    const users = { scorebook: { password: 'scorebook', rights: RIGHTS }, admin: { password: 'admin', rights: RIGHTS } }
    server = await startEventStore({ identity: authority.identity, users })
    beside = await freshStoresBeside({ url: urlOf('scorebook') })
    filesDir = await mkdtemp(join(tmpdir(), 'scorebook-killed-files-'))
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-killed-'))
    const shared = { dataDir, storeUrls: beside.storeUrls, program: builtProgram() }
    world = await openProcessWorld({ RATE_LIMITS: 'off', FILES_DIR: filesDir }, shared)
    doomed = await makeGameToDelete(world, MARKER)
  })
  after(async () => {
    await world.close()
    await beside.end()
    await server.stop()
    authority.remove()
    for (const folder of [filesDir, dataDir]) await rm(folder, { recursive: true })
  })

  async function killed(): Promise<void> {
    await world.end('SIGKILL')
    await world.begin()
    const refused = await world.call('GET', `/api/lb/${doomed.board}/score/`, { token: doomed.player.token })
    expect(answerCode(refused)).to.equal('401 token_rejected')
  }

  it('continues after each start, and leaves nothing', async () => {
    server.withdraw('scorebook', STOPS[0][0])
    const headers = { 'idempotency-key': 'delete the game' }
    must(await deleteGame(world, doomed.game.id, doomed.name, headers), 202)
    await killed()
    for (const [n, [right, says]] of STOPS.entries()) {
      while (!world.output().includes(`does not let the user of EVENTSTORE_URL ${says}`)) await pause(20)
      await killed()
      const [next] = STOPS[n + 1] ?? []
      if (next !== undefined) server.withdraw('scorebook', next)
      server.grant('scorebook', right)
    }

    await untilErased(world, doomed.game.id)
    const asAdmin = { ...world, storeUrls: withServers(beside.storeUrls, { eventStoreUrl: urlOf('admin') }) }
    expect(await storedWith(asAdmin, MARKER)).to.deep.equal([])
    expect(filesWith(filesDir, MARKER)).to.deep.equal([])
    const again = await deleteGame(world, doomed.game.id, doomed.name, headers)
    expect([must(again, 202), again.headers['idempotent-replay']]).to.deep.equal([{ deleted: doomed.game.id }, 'true'])
    const token = await tokenOf(world, world.operator)
    const { text } = await world.call('GET', '/api/sys/verify/', { token })
    const { equal, differences } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
    expect({ equal, differences }).to.deep.equal({ equal: true, differences: [] })
  })
})
