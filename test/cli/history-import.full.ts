// `scorebook history import` loads an export into empty stores. Afterwards every read has the same answer.

import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import { sealingKey } from '../../credentials/master.ts'
import type { Manifest } from '../../portability/export/manifest.ts'
import { markComplete, writeImportMarker } from '../../portability/import/import-marker.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { differencesOf, keyIn } from '../portability/export/crawl.ts'
import type { TestGame } from '../portability/export/test-game.ts'
import {
  cutExport,
  type ExportedLog,
  emptyStores,
  expectFailed,
  exportedLog,
  MASTER,
  MASTER_KEY,
  manifestAt,
  readsOf,
} from './exported-log.ts'
import { command, type Env, newFolder, openService } from './service.ts'

describe('scorebook history import', () => {
  let log: ExportedLog
  let at: ExportedLog['at']
  let testGame: TestGame
  let env: Env

  before(async function () {
    this.timeout(180_000)
    log = await exportedLog()
    ;({ at, testGame, env } = log)
  })

  it('restores an export into empty stores, with the same answer to every read', async function () {
    this.timeout(60_000)
    const there = await emptyStores()
    const result = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(result.code, result.err).to.equal(0)
    expect(result.out).to.contain('A new operator key is in ').and.contain('came with the vault')
    const operator = await keyIn(env.DATA_DIR ?? '', null)
    expect(result.out).to.contain(`Operator keys that came with the export: ${operator.prefix}.`)
    const service = await openService(there)
    try {
      expect(log.asWas.size).to.be.greaterThan(60)
      expect(differencesOf(log.asWas, await readsOf(service, testGame, env.DATA_DIR))).to.deep.equal([])
      // Players can still sign in by password and by external id.
      const client = await connect({ baseUrl: service.url, key: await keyIn(env.DATA_DIR ?? '', testGame.game) })
      const eve = await client.withPassword(testGame.game, { login: 'eve', password: 'correct horse battery' })
      expect(eve.player.name).to.equal('Eve')
      const taken = await service.run('player', 'create', 'A', '--external-id', 'steam:Ada', '--game', testGame.game)
      expect(taken.err).to.contain(`No key of game ${testGame.game} is saved`)
      const again = await client
        .createPlayer(testGame.game, { name: 'A', external_id: 'steam:Ada' })
        .catch((error) => error)
      expect(again.fields.player).to.equal(testGame.ada)
      const verified = await service.run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
    } finally {
      await service.stop()
    }
  })

  it('re-encrypts personal data and secrets under the keys of the new installation', async () => {
    const there = await emptyStores()
    const result = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(result.code, result.err).to.equal(0)
    const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
    const rows = file.prepare("SELECT data FROM events WHERE type = 'PlayerCreated'").all() as { data: string }[]
    file.close()
    expect(rows.map(({ data }) => JSON.parse(data).name).map((name) => name?.slice(0, 9) ?? null)).to.include.members([
      'sealed:1:',
      null,
    ])
    expect(rows.some(({ data }) => data.includes('Ada'))).to.equal(false)
  })

  describe('with an invalid export or unsuitable stores', () => {
    const refused = async (there: Env, error: string, ...args: string[]) => {
      expectFailed(await command(there, 'history', 'import', ...args), error)
      const names = await readdir(there.DATA_DIR ?? '')
      if (!names.includes('log.sqlite')) return
      const file = new DatabaseSync(join(there.DATA_DIR ?? '', 'log.sqlite'))
      const [{ count } = { count: -1 }] = file.prepare('SELECT count(*) AS count FROM events').all() as {
        count: number
      }[]
      file.close()
      expect(count).to.equal(0)
    }

    it('imports nothing if the export is truncated or does not match its manifest', async () => {
      await cutExport(at, 'cut-short')
      await refused(await emptyStores(), 'was cut', at('cut-short'))
      await cp(at('all'), at('wrong'), { recursive: true })
      const path = join(at('wrong'), 'manifest.json')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"events": ', '"events": 1'))
      await refused(await emptyStores(), 'was changed after it was written', at('wrong'))
      await writeFile(path, await readFile(join(at('game'), 'manifest.json')))
      await refused(await emptyStores(), 'does not match the manifest', at('wrong'))
      await refused(await emptyStores(), 'There is no export in', at('nowhere'))
    })

    it('imports nothing from the export of one game, or from another format than ndjson', async () => {
      await refused(await emptyStores(), 'Only a whole log can be imported', at('game'))
      await refused(await emptyStores(), 'Only a whole log can be imported', at('parquet'))
    })

    it('imports nothing if the stores or the vault belong to another installation, or if the vault cannot be decrypted', async () => {
      await refused(await emptyStores(), 'and these stores are of another', at('all'))
      const other = await openService({ DATA_DIR: await newFolder() })
      await other.stop()
      await command(other.env, 'history', 'export', '--all', '--out', at('other'), '--vault', at('other-vault'))
      const key = JSON.parse(await readFile(join(other.dataDir, 'secrets.json'), 'utf8')).masterKey
      await refused(
        await emptyStores({ MASTER_KEY: key }),
        'is the vault of another',
        at('all'),
        '--vault',
        at('other-vault'),
      )
      const wrong = Buffer.alloc(32, 8).toString('base64')
      await refused(
        await emptyStores({ MASTER_KEY: wrong }),
        'is encrypted under master key',
        at('all'),
        '--vault',
        at('vault'),
      )
      const cut = (await readFile(at('vault'), 'utf8')).split('\n').toSpliced(2, 1).join('\n')
      await writeFile(at('cut-vault'), cut)
      await refused(await emptyStores(), 'was cut or changed', at('all'), '--vault', at('cut-vault'))
    })

    it('imports nothing if the installation is not empty or a server runs on it', async () => {
      const service = await openService({ DATA_DIR: await newFolder(), MASTER_KEY })
      expectFailed(await service.run('history', 'import', at('all'), '--vault', at('vault')), 'is in use')
      await service.stop()
      const count = async () =>
        (await service.run('history', 'export', '--all', '--out', at(`x${Math.random()}`), '--json')).json<Manifest>()
      const { chain } = await count()
      expectFailed(await service.run('history', 'import', at('all'), '--vault', at('vault')), 'The log is not empty')
      expect((await count()).chain).to.equal(chain)
    })
  })

  it('blocks serving after an unfinished import, until it is resumed or restarted with empty stores', async function () {
    this.timeout(60_000)
    const there = await emptyStores()
    const result = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(result.code, result.err).to.equal(0)
    const whole = await command(there, 'history', 'export', '--all', '--out', at('whole'), '--json')
    const { chain, events } = await manifestAt(at('all'))
    // Simulates a crash in the middle of the import.
    const half = async (keep: number, isWhole = false) => {
      const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
      file.exec(`DELETE FROM events WHERE position > ${keep}`)
      file.close()
      const documents = await openEmbeddedDocuments(there.DATA_DIR, { onFailure: () => {} })
      const vault = sealVault(documents.vault, { current: sealingKey(MASTER), previous: [] })
      await writeImportMarker(vault, chain)
      if (isWhole) await markComplete(vault, chain)
      await documents.close()
    }
    for (const keep of [0, Math.floor(events / 2), events]) {
      await half(keep)
      for (const words of [['verify'], ['init', '--new-key'], ['rebuild', '--all'], ['files', 'check']]) {
        expectFailed(await command(there, ...words), 'was not finished')
      }
      const doctor = await command(there, 'doctor')
      expect([doctor.code, doctor.out.includes('an import was not finished')]).to.deep.equal([1, true])
      await openService(there).then(
        () => expect.fail('it started'),
        (error: Error) => expect(error.message).to.contain('was not finished'),
      )
      expectFailed(await command(there, 'history', 'import', at('all-of-another')), 'There is no export in')
      const again = await command(there, 'history', 'import', at('all'))
      expect(again.code, again.err).to.equal(0)
      const after = await command(there, 'history', 'export', '--all', '--out', at(`half-${keep}`), '--json')
      const [one, other] = [whole, after].map((exported) => exported.json<Manifest>())
      // The operator key of the first import was removed with the other events.
      expect(other?.events).to.equal(events)
      expect(one?.events).to.equal(events + 1)
    }
    // Simulates a kill after all events, before the operator key.
    await half(events, true)
    await rm(join(there.DATA_DIR, 'operator.json'))
    expectFailed(await command(there, 'verify'), 'was not finished')
    const last = await command(there, 'history', 'import', at('all'))
    expect([last.code, last.out.includes('A new operator key is in ')], last.err).to.deep.equal([0, true])
    await half(10)
    expect((await command(there, 'doctor')).out).to.contain('an import was not finished')
    const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
    file.exec("UPDATE events SET type = 'Other' WHERE position = 7")
    file.close()
    expectFailed(await command(there, 'history', 'import', at('all')), 'but another event is there')
    await openService(there).then(
      () => expect.fail('it started'),
      (error: Error) => expect(error.message).to.contain('was not finished'),
    )
  })
})
