// `scorebook history …`: what was recorded taken along, proved, and loaded into empty stores, after which every read answers
// alike.

import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { Manifest } from '../../archive/manifest.ts'
import { connect } from '../../client/connect.ts'
import { sealingKey } from '../../credentials/master.ts'
import { markImport, markWhole } from '../../node/half-import.ts'
import { openEmbeddedDocuments } from '../../stores/embedded/open.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { crawl, differencesOf, keyIn, type Reads, readerWith } from '../archive/crawl.ts'
import { paint, type Scenery } from '../archive/scenery.ts'
import { command, type Env, newFolder, openService, type Said, type Service } from './service.ts'

const MASTER = Buffer.alloc(32, 7)
const MASTER_KEY = MASTER.toString('base64')

describe('the log, taken along by the command line', () => {
  let folder: string
  let scenery: Scenery
  let asWas: Reads
  let env: Env

  const at = (name: string) => join(folder, name)
  const manifestIn = async (name: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(at(name), 'manifest.json'), 'utf8'))

  /** Stores of their own that nothing is in yet. */
  const emptyPlace = async (): Promise<Env> => ({ MASTER_KEY, DATA_DIR: await newFolder() })

  async function readsOf(service: Service, keyFolder = service.dataDir): Promise<Reads> {
    const read = await readerWith(service.url, await keyIn(keyFolder, scenery.game))
    return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), scenery.game)
  }

  const failed = (said: Said, why: string) => {
    expect([said.code, said.out], said.err).to.deep.equal([1, ''])
    expect(said.err).to.contain(why)
  }

  before(async function () {
    this.timeout(60_000)
    folder = await newFolder()
    const service = await openService(await emptyPlace())
    env = service.env
    scenery = await paint(service)
    asWas = await readsOf(service)
    const running = await service.json<Manifest>('history', 'export', '--all', '--out', at('running'))
    expect(running.scope).to.deep.equal({ whole: true })
    for (const format of ['ndjson', 'csv', 'parquet']) {
      await service.json('history', 'export', '--out', at(format), '--format', format, '--type', 'ScoreSubmitted')
    }
    await service.json('history', 'export', '--out', at('game'))
    await service.stop()
    const said = await command(env, 'history', 'export', '--all', '--out', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    expect(said.err).to.match(/^Exporting: \d+ events in /)
  })

  it('is the same whether a server or the stores are asked', async () => {
    const [running, all] = [await manifestIn('running'), await manifestIn('all')]
    expect(all).to.deep.equal({ ...running, made: all.made, sha256: (all as { sha256?: string }).sha256 })
    expect(all.installation).to.match(/^[0-9a-f]{24}$/)
    const lines = (await readFile(join(at('all'), 'events.ndjson'), 'utf8')).split('\n').slice(0, -1)
    expect(lines.length).to.equal(all.events)
  })

  it('of one game is what its filters leave, in each form', async () => {
    const { out } = await openAndRun('history', 'export', '--type', 'ScoreSubmitted')
    expect(await readFile(join(at('ndjson'), 'events.ndjson'), 'utf8')).to.equal(`${out}\n`)
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const { scope, events } = await manifestIn(format)
      expect(scope).to.deep.equal({ game: scenery.game, filters: { type: 'ScoreSubmitted' } })
      expect(events).to.equal(out.split('\n').length)
    }
  })

  async function openAndRun(...args: string[]): Promise<Said> {
    const service = await openService(env)
    const said = await service.run(...args)
    await service.stop()
    return said
  }

  it('holds open names, null where a player was deleted, and nothing secret', async () => {
    const text = await readFile(join(at('all'), 'events.ndjson'), 'utf8')
    const vault = await readFile(at('vault'), 'utf8')
    const events = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const created = (player: string) =>
      events.find(({ stream, type }) => stream === `player-${player}` && type === 'PlayerCreated').data
    expect(created(scenery.ada)).to.include({ name: 'Ada', externalId: 'steam:Ada' })
    expect(created(scenery.gone)).to.include({ name: null, externalId: null })
    expect(text).to.not.contain('sealed:1:').and.not.contain('Bobolink').and.not.contain('argon2')
    for (const { secret } of [await keyIn(env.DATA_DIR ?? '', null), await keyIn(env.DATA_DIR ?? '', scenery.game)]) {
      expect([text, vault].map((one) => one.includes(secret))).to.deep.equal([false, false])
    }
    expect((await stat(at('vault'))).mode & 0o777).to.equal(0o600)
  })

  it('is verified', async () => {
    for (const name of ['all', 'game', 'csv', 'parquet']) {
      const said = await command({}, 'history', 'verify', at(name))
      expect([said.code, said.err]).to.deep.equal([0, ''])
      expect(said.out).to.match(/^whole: [\d,]+ events as /)
    }
    await cp(at('all'), at('cut'), { recursive: true })
    const path = join(at('cut'), 'events.ndjson')
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, `${lines.slice(0, 30).join('\n')}\n`)
    failed(await command({}, 'history', 'verify', at('cut')), `${path} was cut: it ends after line 30`)
  })

  it('loaded into empty stores, is an installation where every read answers alike', async function () {
    this.timeout(60_000)
    const there = await emptyPlace()
    const said = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    expect(said.out).to.contain('A new operator key is in ').and.contain('came with the vault')
    const service = await openService(there)
    try {
      expect(asWas.size).to.be.greaterThan(60)
      expect(differencesOf(asWas, await readsOf(service, env.DATA_DIR ?? ''))).to.deep.equal([])
      // Who had proved themselves there still can: by password, and by what their own server knows them by.
      const client = await connect({ baseUrl: service.url, key: await keyIn(env.DATA_DIR ?? '', scenery.game) })
      const eve = await client.withPassword(scenery.game, { login: 'eve', password: 'correct horse battery' })
      expect(eve.player.name).to.equal('Eve')
      const taken = await service.run('player', 'create', 'A', '--external-id', 'steam:Ada', '--game', scenery.game)
      expect(taken.err).to.contain(`No key of game ${scenery.game} is kept`)
      const again = await client.createPlayer(scenery.game, { name: 'A', external_id: 'steam:Ada' }).catch((why) => why)
      expect(again.fields.player).to.equal(scenery.ada)
      const verified = await service.run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
    } finally {
      await service.stop()
    }
  })

  it('lies sealed again where it was loaded, under keys of its own', async () => {
    const there = { MASTER_KEY, DATA_DIR: await newFolder() }
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
      failed(await command(there, 'history', 'import', ...args), why)
      const names = await readdir(there.DATA_DIR ?? '')
      if (!names.includes('log.sqlite')) return
      const file = new DatabaseSync(join(there.DATA_DIR ?? '', 'log.sqlite'))
      const [{ count } = { count: -1 }] = file.prepare('SELECT count(*) AS count FROM events').all() as {
        count: number
      }[]
      file.close()
      expect(count).to.equal(0)
    }
    const embedded = async (settings: Env = {}): Promise<Env> => ({
      MASTER_KEY,
      ...settings,
      DATA_DIR: await newFolder(),
    })

    it('where it was cut, or its manifest is another one', async () => {
      await refused(await embedded(), 'was cut', at('cut'))
      await cp(at('all'), at('wrong'), { recursive: true })
      const path = join(at('wrong'), 'manifest.json')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"events": ', '"events": 1'))
      await refused(await embedded(), 'was changed after it was written', at('wrong'))
      await writeFile(path, await readFile(join(at('game'), 'manifest.json')))
      await refused(await embedded(), 'does not match the manifest', at('wrong'))
      await refused(await embedded(), 'There is no export in', at('nowhere'))
    })

    it('where it is not a whole log, or not in lines of JSON', async () => {
      await refused(await embedded(), 'Only a whole log can be imported', at('game'))
      await refused(await embedded(), 'Only a whole log can be imported', at('parquet'))
    })

    it('where the stores are of another installation, or the vault is, or does not open', async () => {
      await refused(await embedded(), 'and these stores are of another', at('all'))
      const other = await openService({ DATA_DIR: await newFolder() })
      await other.stop()
      await command(other.env, 'history', 'export', '--all', '--out', at('other'), '--vault', at('other-vault'))
      const key = JSON.parse(await readFile(join(other.dataDir, 'secrets.json'), 'utf8')).masterKey
      await refused(
        await embedded({ MASTER_KEY: key }),
        'is the vault of another',
        at('all'),
        '--vault',
        at('other-vault'),
      )
      const wrong = Buffer.alloc(32, 8).toString('base64')
      await refused(
        await embedded({ MASTER_KEY: wrong }),
        'lies sealed under master key',
        at('all'),
        '--vault',
        at('vault'),
      )
      const cut = (await readFile(at('vault'), 'utf8')).split('\n').toSpliced(2, 1).join('\n')
      await writeFile(at('cut-vault'), cut)
      await refused(await embedded(), 'was cut or changed', at('all'), '--vault', at('cut-vault'))
    })

    it('where the installation is not empty, or is being served', async () => {
      const service = await openService({ DATA_DIR: await newFolder(), MASTER_KEY })
      failed(await service.run('history', 'import', at('all'), '--vault', at('vault')), 'is in use')
      await service.stop()
      const count = async () =>
        (await service.run('history', 'export', '--all', '--out', at(`x${Math.random()}`), '--json')).json<Manifest>()
      const { chain } = await count()
      failed(await service.run('history', 'import', at('all'), '--vault', at('vault')), 'The log is not empty')
      expect((await count()).chain).to.equal(chain)
    })
  })

  it('is not served by halves: an import that broke off is gone on with, or begun anew', async function () {
    this.timeout(60_000)
    const there = { MASTER_KEY, DATA_DIR: await newFolder() }
    const said = await command(there, 'history', 'import', at('all'), '--vault', at('vault'))
    expect(said.code, said.err).to.equal(0)
    const whole = await command(there, 'history', 'export', '--all', '--out', at('whole'), '--json')
    const { chain, events } = await manifestIn('all')
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
        failed(await command(there, ...words), 'was begun and not finished')
      }
      const looked = await command(there, 'doctor')
      expect([looked.code, looked.out.includes('an import was begun and not finished')]).to.deep.equal([1, true])
      await openService(there).then(
        () => expect.fail('it started'),
        (why: Error) => expect(why.message).to.contain('was begun and not finished'),
      )
      failed(await command(there, 'history', 'import', at('all-of-another')), 'There is no export in')
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
    failed(await command(there, 'verify'), 'was begun and not finished')
    const last = await command(there, 'history', 'import', at('all'))
    expect([last.code, last.out.includes('A new operator key is in ')], last.err).to.deep.equal([0, true])
    await half(10)
    expect((await command(there, 'doctor')).out).to.contain('an import was begun and not finished')
    const file = new DatabaseSync(join(there.DATA_DIR, 'log.sqlite'))
    file.exec("UPDATE events SET type = 'Other' WHERE position = 7")
    file.close()
    failed(await command(there, 'history', 'import', at('all')), 'another one stands there')
    await openService(there).then(
      () => expect.fail('it started'),
      (why: Error) => expect(why.message).to.contain('was begun and not finished'),
    )
  })

  it('leaves what stands where it is to go, and says how it is asked for', async () => {
    await mkdir(at('mine'))
    for (const [why, ...words] of [
      ['is there already', '--all', '--out', at('mine')],
      ['Name the folder', '--all'],
      ['There is no format xml', '--out', at('new'), '--format', 'xml'],
      ['--vault goes with --all', '--out', at('new'), '--vault', at('v')],
      ['leave out what narrows it', '--all', '--out', at('new'), '--type', 'X'],
      ['--limit must be', '--out', at('new'), '--limit', 'many'],
    ] as const) {
      const said = await command(env, 'history', 'export', ...words)
      expect([said.code, said.out]).to.deep.equal([2, ''])
      expect(said.err).to.contain(why)
    }
    expect(await readdir(at('mine'))).to.deep.equal([])
  })
})
