// `scorebook history import`: what was taken along loaded into empty stores, after which every read answers alike.

import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { Manifest } from '../../archive/manifest.ts'
import { connect } from '../../client/connect.ts'
import { sealingKey } from '../../credentials/master.ts'
import { markImport, markWhole } from '../../log-import/import-marker.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { differencesOf, keyIn } from '../archive/crawl.ts'
import type { Scenery } from '../archive/scenery.ts'
import { command, type Env, newFolder, openService } from './service.ts'
import {
  cutExport,
  emptyPlace,
  expectFailed,
  MASTER,
  MASTER_KEY,
  manifestAt,
  readsOf,
  type TakenLog,
  takenLog,
} from './taken-log.ts'

describe('the log that was taken along', () => {
  let log: TakenLog
  let at: TakenLog['at']
  let scenery: Scenery
  let env: Env

  before(async function () {
    this.timeout(60_000)
    log = await takenLog()
    ;({ at, scenery, env } = log)
  })

  it('loaded into empty stores, is an installation where every read answers alike', async function () {
    this.timeout(60_000)
    const there = await emptyPlace()
    const said = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    expect(said.out).to.contain('A new operator key is in ').and.contain('came with the vault')
    const service = await openService(there)
    try {
      expect(log.asWas.size).to.be.greaterThan(60)
      expect(differencesOf(log.asWas, await readsOf(service, scenery, env.DATA_DIR))).to.deep.equal([])
      // Who had proved themselves there still can: by password, and by what their own server knows them by.
      const client = await connect({ baseUrl: service.url, key: await keyIn(env.DATA_DIR ?? '', scenery.game) })
      const eve = await client.withPassword(scenery.game, { login: 'eve', password: 'correct horse battery' })
      expect(eve.player.name).to.equal('Eve')
      const taken = await service.run('player', 'create', 'A', '--external-id', 'steam:Ada', '--game', scenery.game)
      expect(taken.err).to.contain(`No key of game ${scenery.game} is saved`)
      const again = await client.createPlayer(scenery.game, { name: 'A', external_id: 'steam:Ada' }).catch((why) => why)
      expect(again.fields.player).to.equal(scenery.ada)
      const verified = await service.run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
    } finally {
      await service.stop()
    }
  })

  it('is encrypted again after the import, under keys of its own', async () => {
    const there = await emptyPlace()
    const said = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
    const rows = file.prepare("SELECT data FROM events WHERE type = 'PlayerCreated'").all() as { data: string }[]
    file.close()
    expect(rows.map(({ data }) => JSON.parse(data).name).map((name) => name?.slice(0, 9) ?? null)).to.include.members([
      'sealed:1:',
      null,
    ])
    expect(rows.some(({ data }) => data.includes('Ada'))).to.equal(false)
  })

  describe('is refused, with nothing imported,', () => {
    const refused = async (there: Env, why: string, ...args: string[]) => {
      expectFailed(await command(there, 'history', 'import', ...args), why)
      const names = await readdir(there.DATA_DIR ?? '')
      if (!names.includes('log.sqlite')) return
      const file = new DatabaseSync(join(there.DATA_DIR ?? '', 'log.sqlite'))
      const [{ count } = { count: -1 }] = file.prepare('SELECT count(*) AS count FROM events').all() as {
        count: number
      }[]
      file.close()
      expect(count).to.equal(0)
    }

    it('where it was cut, or its manifest is another one', async () => {
      await cutExport(at, 'cut-short')
      await refused(await emptyPlace(), 'was cut', at('cut-short'))
      await cp(at('all'), at('wrong'), { recursive: true })
      const path = join(at('wrong'), 'manifest.json')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"events": ', '"events": 1'))
      await refused(await emptyPlace(), 'was changed after it was written', at('wrong'))
      await writeFile(path, await readFile(join(at('game'), 'manifest.json')))
      await refused(await emptyPlace(), 'does not match the manifest', at('wrong'))
      await refused(await emptyPlace(), 'There is no export in', at('nowhere'))
    })

    it('where it is not a whole log, or not in lines of JSON', async () => {
      await refused(await emptyPlace(), 'Only a whole log can be imported', at('game'))
      await refused(await emptyPlace(), 'Only a whole log can be imported', at('parquet'))
    })

    it('where the stores are of another installation, or the vault is, or does not open', async () => {
      await refused(await emptyPlace(), 'and these stores are of another', at('all'))
      const other = await openService({ DATA_DIR: await newFolder() })
      await other.stop()
      await command(other.env, 'history', 'export', '--all', '--out', at('other'), '--vault', at('other-vault'))
      const key = JSON.parse(await readFile(join(other.dataDir, 'secrets.json'), 'utf8')).masterKey
      await refused(
        await emptyPlace({ MASTER_KEY: key }),
        'is the vault of another',
        at('all'),
        '--vault',
        at('other-vault'),
      )
      const wrong = Buffer.alloc(32, 8).toString('base64')
      await refused(
        await emptyPlace({ MASTER_KEY: wrong }),
        'is encrypted under master key',
        at('all'),
        '--vault',
        at('vault'),
      )
      const cut = (await readFile(at('vault'), 'utf8')).split('\n').toSpliced(2, 1).join('\n')
      await writeFile(at('cut-vault'), cut)
      await refused(await emptyPlace(), 'was cut or changed', at('all'), '--vault', at('cut-vault'))
    })

    it('where the installation is not empty, or is being served', async () => {
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

  it('refuses to serve an unfinished import: it is continued, or started again with empty stores', async function () {
    this.timeout(60_000)
    const there = await emptyPlace()
    const said = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    const whole = await command(there, 'history', 'export', '--all', '--out', at('whole'), '--json')
    const { chain, events } = await manifestAt(at('all'))
    // As a crash in the midst would have left it.
    const half = async (keep: number, isWhole = false) => {
      const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
      file.exec(`DELETE FROM events WHERE position > ${keep}`)
      file.close()
      const documents = await openEmbeddedDocuments(there.DATA_DIR, { onFailure: () => {} })
      const vault = sealVault(documents.vault, { current: sealingKey(MASTER), previous: [] })
      await markImport(vault, chain)
      if (isWhole) await markWhole(vault, chain)
      await documents.close()
    }
    for (const keep of [0, Math.floor(events / 2), events]) {
      await half(keep)
      for (const words of [['verify'], ['init', '--new-key'], ['rebuild', '--all'], ['files', 'check']]) {
        expectFailed(await command(there, ...words), 'was begun and not finished')
      }
      const looked = await command(there, 'doctor')
      expect([looked.code, looked.out.includes('an import was begun and not finished')]).to.deep.equal([1, true])
      await openService(there).then(
        () => expect.fail('it started'),
        (why: Error) => expect(why.message).to.contain('was begun and not finished'),
      )
      expectFailed(await command(there, 'history', 'import', at('all-of-another')), 'There is no export in')
      const again = await command(there, 'history', 'import', at('all'))
      expect(again.code, again.err).to.equal(0)
      const after = await command(there, 'history', 'export', '--all', '--out', at(`half-${keep}`), '--json')
      const [one, other] = [whole, after].map((told) => told.json<Manifest>())
      // The operator key issued by the first import was cut off with the rest.
      expect(other?.events).to.equal(events)
      expect(one?.events).to.equal(events + 1)
    }
    // Killed when all was there but the operator's key.
    await half(events, true)
    await rm(join(there.DATA_DIR, 'operator.json'))
    expectFailed(await command(there, 'verify'), 'was begun and not finished')
    const last = await command(there, 'history', 'import', at('all'))
    expect([last.code, last.out.includes('A new operator key is in ')], last.err).to.deep.equal([0, true])
    await half(10)
    expect((await command(there, 'doctor')).out).to.contain('an import was begun and not finished')
    const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
    file.exec("UPDATE events SET type = 'Other' WHERE position = 7")
    file.close()
    expectFailed(await command(there, 'history', 'import', at('all')), 'another one stands there')
    await openService(there).then(
      () => expect.fail('it started'),
      (why: Error) => expect(why.message).to.contain('was begun and not finished'),
    )
  })
})
