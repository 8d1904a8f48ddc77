// A log is moved from embedded stores to three servers and back. Every read has the same answer at each stage.

import { join } from 'node:path'
import { expect } from 'chai'
import type { Manifest } from '../../portability/export/manifest.ts'
import { crawl, differencesOf, keyIn, type Reads, readerWith } from '../portability/export/crawl.ts'
import { createTestGame, type TestGame } from '../portability/export/test-game.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { environmentOf, freshStoresBeside } from '../servers/store-urls.ts'
import { untilCleared } from './exported-log.ts'
import { command, type Env, newFolder, openService, type Service } from './service.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

describe('a log that is moved between embedded stores and servers', function () {
  this.timeout(240_000)

  it('gives the same answer to every read on servers, and on embedded stores again', async () => {
    const folder = await newFolder()
    const eventStore = await startEventStore()
    const { storeUrls } = await freshStoresBeside(eventStore)
    const embedded: Env = { MASTER_KEY, DATA_DIR: await newFolder() }
    const onServers: Env = { MASTER_KEY, DATA_DIR: await newFolder(), ...environmentOf(storeUrls) }
    const back: Env = { MASTER_KEY, DATA_DIR: await newFolder() }
    let testGame: TestGame | null = null
    const reads: Reads[] = []
    const exports: Manifest[] = []
    for (const env of [embedded, onServers, back]) {
      const stage = exports.length
      if (stage > 0) {
        const from = join(folder, `${stage - 1}`)
        const result = await command(env, 'history', 'import', from, '--vault', `${from}.vault`)
        expect(result.code, result.err).to.equal(0)
      }
      const service = await openService(env)
      if (testGame === null) {
        testGame = await createTestGame(service)
        await untilCleared(service, testGame.game)
      }
      reads.push(await readsOf(service, embedded.DATA_DIR ?? '', testGame.game))
      const verified = await service.run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
      if (stage === 1) {
        const served = await command(env, 'history', 'import', join(folder, '0'))
        expect([served.code, served.err]).to.deep.include(1)
        expect(served.err).to.contain('Processes are running on these stores')
      }
      await service.stop()
      const out = join(folder, `${stage}`)
      const result = await command(env, 'history', 'export', '--all', '--out', out, '--vault', `${out}.vault`, '--json')
      expect(result.code, result.err).to.equal(0)
      exports.push(result.json<Manifest>())
    }
    const [first, second, third] = reads as [Reads, Reads, Reads]
    expect(differencesOf(first, second)).to.deep.equal([])
    expect(differencesOf(first, third)).to.deep.equal([])
    // Each import appends one event, its operator key.
    const counts = exports.map(({ events }) => events - (exports[0]?.events ?? 0))
    expect(counts).to.deep.equal([0, 1, 2])
    await eventStore.stop()
  })

  async function readsOf(service: Service, keyFolder: string, game: string): Promise<Reads> {
    const read = await readerWith(service.url, await keyIn(keyFolder, game))
    return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), game)
  }
})
