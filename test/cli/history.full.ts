// `scorebook history export` and `verify`.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Source } from '../../cli/export-sources.ts'
import { exportInto } from '../../cli/history-export.ts'
import { keyIn } from '../portability/export/crawl.ts'
import { cutExport, type ExportedLog, expectFailed, exportedLog, manifestAt } from './exported-log.ts'
import { command, newFolder, openService } from './service.ts'

describe('scorebook history export', () => {
  let log: ExportedLog
  let at: ExportedLog['at']

  before(async function () {
    this.timeout(180_000)
    log = await exportedLog()
    ;({ at } = log)
  })

  it('writes the same export from a server and from the stores', async () => {
    const [running, all] = [await manifestAt(at('running')), await manifestAt(at('all'))]
    expect(all).to.deep.equal({ ...running, made: all.made, sha256: (all as { sha256?: string }).sha256 })
    expect(all.installation).to.match(/^[0-9a-f]{24}$/)
    const lines = (await readFile(join(at('all'), 'events.ndjson'), 'utf8')).split('\n').slice(0, -1)
    expect(lines.length).to.equal(all.events)
  })

  it('exports the events of one game that match the filters, in each format', async () => {
    const service = await openService(log.env)
    const { out } = await service.run('history', 'export', '--type', 'ScoreSubmitted')
    await service.stop()
    expect(await readFile(join(at('ndjson'), 'events.ndjson'), 'utf8')).to.equal(`${out}\n`)
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const { scope, events } = await manifestAt(at(format))
      expect(scope).to.deep.equal({ game: log.testGame.game, filters: { type: 'ScoreSubmitted' } })
      expect(events).to.equal(out.split('\n').length)
    }
  })

  it('contains decrypted names, null for deleted players, and no secret', async () => {
    const text = await readFile(join(at('all'), 'events.ndjson'), 'utf8')
    const vault = await readFile(at('vault'), 'utf8')
    const events = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const created = (player: string) =>
      events.find(({ stream, type }) => stream === `player-${player}` && type === 'PlayerCreated').data
    expect(created(log.testGame.ada)).to.include({ name: 'Ada', externalId: 'steam:Ada' })
    expect(created(log.testGame.gone)).to.include({ name: null, externalId: null })
    expect(text).to.not.contain('sealed:1:').and.not.contain('Bobolink').and.not.contain('argon2')
    for (const { secret } of [
      await keyIn(log.env.DATA_DIR ?? '', null),
      await keyIn(log.env.DATA_DIR ?? '', log.testGame.game),
    ]) {
      expect([text, vault].map((one) => one.includes(secret))).to.deep.equal([false, false])
    }
    expect((await stat(at('vault'))).mode & 0o777).to.equal(0o600)
  })

  it('writes exports that history verify accepts', async () => {
    for (const name of ['all', 'game', 'csv', 'parquet']) {
      const result = await command({}, 'history', 'verify', at(name))
      expect([result.code, result.err]).to.deep.equal([0, ''])
      expect(result.out).to.match(/^verified: [\d,]+ events as /)
    }
    const path = await cutExport(at, 'cut')
    expectFailed(await command({}, 'history', 'verify', at('cut')), `${path} was cut: it ends after line 30`)
  })

  it('rejects a name that the disk cannot store before it reads anything, and prints the cause', async () => {
    await writeFile(at('a-file'), '')
    for (const [name, error] of [
      ['x'.repeat(256), 'the name is too long for this disk.'],
      ['a-file/new', 'a parent of this path is a file, not a folder.'],
    ] as const) {
      for (const words of [
        ['--out', at(name)],
        ['--out', at('new'), '--vault', at(name)],
      ]) {
        expectFailed(await command(log.env, 'history', 'export', '--all', ...words), `scorebook: ${at(name)}: ${error}`)
      }
    }
    const long = 'x'.repeat(255)
    const result = await command(log.env, 'history', 'export', '--all', '--out', at(long))
    expect([result.code, (await manifestAt(at(long))).scope]).to.deep.equal([0, { whole: true }])
  })

  it('keeps the first of two concurrent exports to one path; the other reports the conflict and leaves nothing', async () => {
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
        { format: 'csv', bom: false },
      )
    const meanwhile = source(async function* () {
      await first()
      yield []
    })
    const failure = await exportInto(terminal, meanwhile, out, { format: 'ndjson', bom: false }).catch(String)
    expect(failure).to.contain(`${out} was created during the export, and is not overwritten`)
    expect(await readdir(folder)).to.deep.equal(['one'])
    expect((await manifestAt(out)).format).to.equal('csv')
  })

  it('does not overwrite an existing target, and prints its usage for invalid options', async () => {
    await mkdir(at('mine'))
    for (const [error, ...words] of [
      ['exists already', '--all', '--out', at('mine')],
      ['Pass the target folder', '--all'],
      ['Pass the target folder', '--all', '--out', ''],
      ['Unknown format xml', '--out', at('new'), '--format', 'xml'],
      ['--vault needs --all', '--out', at('new'), '--vault', at('v')],
      ['leave out the filters', '--all', '--out', at('new'), '--type', 'X'],
      ['--limit must be', '--out', at('new'), '--limit', 'many'],
    ] as const) {
      const result = await command(log.env, 'history', 'export', ...words)
      expect([result.code, result.out]).to.deep.equal([2, ''])
      expect(result.err).to.contain(error)
    }
    expect(await readdir(at('mine'))).to.deep.equal([])
  })
})
