// A log taken from embedded stores to three servers, and from those back: every read answers alike at each stage.

import { join } from 'node:path'
import { expect } from 'chai'
import type { Manifest } from '../../archive/manifest.ts'
import { crawl, differencesOf, keyIn, type Reads, readerWith } from '../archive/crawl.ts'
import { paint, type Scenery } from '../archive/scenery.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { environmentOf, placesBeside } from '../servers/places.ts'
import { pause } from '../until.ts'
import { command, type Env, newFolder, openService, type Service } from './service.ts'

const LOOK_EVERY_MS = 500
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

describe('the log, taken from one kind of stores to the other', function () {
  this.timeout(240_000)

  it('reads alike on servers, and embedded again', async () => {
    const folder = await newFolder()
    const eventStore = await startEventStore()
    const { places } = await placesBeside(eventStore)
    const embedded: Env = { MASTER_KEY, DATA_DIR: await newFolder() }
    const onServers: Env = { MASTER_KEY, DATA_DIR: await newFolder(), ...environmentOf(places) }
    const back: Env = { MASTER_KEY, DATA_DIR: await newFolder() }
    let scenery: Scenery | null = null
    const reads: Reads[] = []
    const exports: Manifest[] = []
    for (const env of [embedded, onServers, back]) {
      const stage = exports.length
      if (stage > 0) {
        const from = join(folder, `${stage - 1}`)
        const said = await command(env, 'history', 'import', from, '--vault', `${from}.vault`)
        expect(said.code, said.err).to.equal(0)
      }
      const service = await openService(env)
      if (scenery === null) {
        scenery = await paint(service)
        await untilCleared(service, scenery.game)
      }
      reads.push(await readsOf(service, embedded.DATA_DIR ?? '', scenery.game))
      const verified = await service.run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
      if (stage === 1) {
        const served = await command(env, 'history', 'import', join(folder, '0'))
        expect([served.code, served.err]).to.deep.include(1)
        expect(served.err).to.contain('Processes are running on these stores')
      }
      await service.stop()
      const out = join(folder, `${stage}`)
      const said = await command(env, 'history', 'export', '--all', '--out', out, '--vault', `${out}.vault`, '--json')
      expect(said.code, said.err).to.equal(0)
      exports.push(said.json<Manifest>())
    }
    const [first, second, third] = reads as [Reads, Reads, Reads]
    expect(differencesOf(first, second)).to.deep.equal([])
    expect(differencesOf(first, third)).to.deep.equal([])
    // Each import issued an operator key, the one event that is its own.
    const counts = exports.map(({ events }) => events - (exports[0]?.events ?? 0))
    expect(counts).to.deep.equal([0, 1, 2])
    await eventStore.stop()
  })

  /** What the rule change replaced is removed 30 s after it: an event that all stages then have. */
  async function untilCleared(service: Service, game: string): Promise<void> {
    const cleared = async () =>
      (await service.run('history', 'export', '--game', game, '--type', 'LeaderboardSliceCleared')).out !== ''
    while (!(await cleared())) await pause(LOOK_EVERY_MS)
  }

  async function readsOf(service: Service, keyFolder: string, game: string): Promise<Reads> {
    const read = await readerWith(service.url, await keyIn(keyFolder, game))
    return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), game)
  }
})
