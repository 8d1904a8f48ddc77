// `scorebook history export` and `verify`: what was recorded taken along, and proved.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { exportInto } from '../../cli/export-folder.ts'
import type { Source } from '../../cli/export-sources.ts'
import { keyIn } from '../archive/crawl.ts'
import { command, newFolder, openService } from './service.ts'
import { cutExport, expectFailed, manifestAt, type TakenLog, takenLog } from './taken-log.ts'

describe('the log, taken along by the command line', () => {
  let log: TakenLog
  let at: TakenLog['at']

  before(async function () {
    this.timeout(60_000)
    log = await takenLog()
    ;({ at } = log)
  })

  it('is the same whether a server or the stores are asked', async () => {
    const [running, all] = [await manifestAt(at('running')), await manifestAt(at('all'))]
    expect(all).to.deep.equal({ ...running, made: all.made, sha256: (all as { sha256?: string }).sha256 })
    expect(all.installation).to.match(/^[0-9a-f]{24}$/)
    const lines = (await readFile(join(at('all'), 'events.ndjson'), 'utf8')).split('\n').slice(0, -1)
    expect(lines.length).to.equal(all.events)
  })

  it('of one game is what its filters leave, in each form', async () => {
    const service = await openService(log.env)
    const { out } = await service.run('history', 'export', '--type', 'ScoreSubmitted')
    await service.stop()
    expect(await readFile(join(at('ndjson'), 'events.ndjson'), 'utf8')).to.equal(`${out}\n`)
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const { scope, events } = await manifestAt(at(format))
      expect(scope).to.deep.equal({ game: log.scenery.game, filters: { type: 'ScoreSubmitted' } })
      expect(events).to.equal(out.split('\n').length)
    }
  })

  it('holds open names, null where a player was deleted, and nothing secret', async () => {
    const text = await readFile(join(at('all'), 'events.ndjson'), 'utf8')
    const vault = await readFile(at('vault'), 'utf8')
    const events = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const created = (player: string) =>
      events.find(({ stream, type }) => stream === `player-${player}` && type === 'PlayerCreated').data
    expect(created(log.scenery.ada)).to.include({ name: 'Ada', externalId: 'steam:Ada' })
    expect(created(log.scenery.gone)).to.include({ name: null, externalId: null })
    expect(text).to.not.contain('sealed:1:').and.not.contain('Bobolink').and.not.contain('argon2')
    for (const { secret } of [
      await keyIn(log.env.DATA_DIR ?? '', null),
      await keyIn(log.env.DATA_DIR ?? '', log.scenery.game),
    ]) {
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
    const path = await cutExport(at, 'cut')
    expectFailed(await command({}, 'history', 'verify', at('cut')), `${path} was cut: it ends after line 30`)
  })

  it('refuses at once a name that no disk takes, and says what is wrong with it', async () => {
    await writeFile(at('a-file'), '')
    for (const [name, why] of [
      ['x'.repeat(256), 'the name is longer than the disk takes.'],
      ['a-file/new', 'a part of the path is a file and no folder.'],
    ] as const) {
      for (const words of [
        ['--out', at(name)],
        ['--out', at('new'), '--vault', at(name)],
      ]) {
        expectFailed(await command(log.env, 'history', 'export', '--all', ...words), `scorebook: ${at(name)}: ${why}`)
      }
    }
    const long = 'x'.repeat(255)
    const said = await command(log.env, 'history', 'export', '--all', '--out', at(long))
    expect([said.code, (await manifestAt(at(long))).scope]).to.deep.equal([0, { whole: true }])
  })

  it('of two to one place at once is the first that is whole, and the other says so and leaves nothing', async () => {
    const folder = await newFolder()
    const out = join(folder, 'one')
    const source = (pages: Source['pages']): Source => ({
      scope: { whole: true },
      installation: () => null,
      pages,
      share: () => null,
    })
    const terminal = { env: {}, out: () => {}, err: () => {}, columns: 80, redraw: null }
    const first = () =>
      exportInto(
        terminal,
        source(async function* () {}),
        out,
        'csv',
      )
    const meanwhile = source(async function* () {
      await first()
      yield []
    })
    const failure = await exportInto(terminal, meanwhile, out, 'ndjson').catch(String)
    expect(failure).to.contain(`${out} exists by now and is never overwritten`)
    expect(await readdir(folder)).to.deep.equal(['one'])
    expect((await manifestAt(out)).format).to.equal('csv')
  })

  it('leaves what stands where it is to go, and says how it is asked for', async () => {
    await mkdir(at('mine'))
    for (const [why, ...words] of [
      ['is there already', '--all', '--out', at('mine')],
      ['Name the folder', '--all'],
      ['Name the folder', '--all', '--out', ''],
      ['There is no format xml', '--out', at('new'), '--format', 'xml'],
      ['--vault goes with --all', '--out', at('new'), '--vault', at('v')],
      ['leave out what narrows it', '--all', '--out', at('new'), '--type', 'X'],
      ['--limit must be', '--out', at('new'), '--limit', 'many'],
    ] as const) {
      const said = await command(log.env, 'history', 'export', ...words)
      expect([said.code, said.out]).to.deep.equal([2, ''])
      expect(said.err).to.contain(why)
    }
    expect(await readdir(at('mine'))).to.deep.equal([])
  })
})
