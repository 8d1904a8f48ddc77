// `scorebook verify` and `scorebook history`, with and without a running server. One wrong byte is found and reported.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { GameEvent } from '../../clients/javascript/history.ts'
import type { VerifyResult } from '../../clients/javascript/verify-shapes.ts'
import { reseal } from '../stores/derived-files.ts'
import { command, openService, type Service } from './service.ts'

describe('scorebook verify and history', () => {
  let service: Service
  let game: string
  let board: string

  before(async () => {
    service = await openService()
    game = (await service.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
    board = (await service.json<{ id: string }>('board', 'create', 'High scores')).id
    const { id } = await service.json<{ id: string }>('player', 'create', 'Ada')
    await service.json('score', 'submit', board, '41', '--player', id)
  })
  after(() => service.close())

  const openedFile = () => new DatabaseSync(join(service.dataDir, 'views.sqlite'))

  it('exports the filtered and the complete history of a game', async () => {
    const events = async (...filters: string[]): Promise<GameEvent[]> => {
      const result = await service.run('history', 'export', ...filters)
      expect(result.code, result.err).to.equal(0)
      return result.out.split('\n').map((line) => JSON.parse(line))
    }
    const all = await events()
    expect(all.every(({ meta }) => meta.game === game)).to.equal(true)
    expect(await events('--type', 'ScoreSubmitted')).to.deep.equal(all.filter(({ type }) => type === 'ScoreSubmitted'))
    expect(await events('--from', all[0]?.position ?? '', '--limit', '2')).to.deep.equal(all.slice(1, 3))
    const refused = await service.run('history', 'export', '--from', 'nowhere')
    expect([refused.code, refused.err]).to.deep.include(1)
    expect(refused.err).to.contain('is not a position of this log')
  })

  it('verifies by the running server, and on the stores after it has stopped', async () => {
    const running = await service.run('verify')
    expect([running.code, running.out.slice(0, 7)], running.err).to.deep.equal([0, 'equal: '])
    const byServer = await service.json<VerifyResult>('verify')
    expect(byServer).to.include({ equal: true, ranked: 1, found: 0 })
    await service.stop()
    const stopped = await service.json<VerifyResult>('verify')
    expect(stopped).to.deep.equal({ ...byServer, ranked: null })
    // The rebuilt views are in a file without a name, so nothing is left behind.
    expect((await readdir(service.dataDir)).filter((name) => name.startsWith('beside-'))).to.deep.equal([])
  })

  it('finds one changed byte in the views, and reports its field', async () => {
    const file = openedFile()
    const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[]
    const changed = tables.filter(({ name }) => {
      const columns = file.prepare(`SELECT name FROM pragma_table_info('${name}')`).all() as { name: string }[]
      if (!columns.some((column) => column.name === 'document')) return false
      const change = `UPDATE "${name}" SET document = replace(document, ',"41",', ',"42",')
        WHERE document LIKE '%,"41",%'`
      return Number(file.prepare(change).run().changes) > 0
    })
    file.close()
    // As if the byte had changed while a server had the file open: its checksums do not show it.
    reseal(join(service.dataDir, 'views.sqlite'))
    expect(changed.length).to.equal(1)
    const result = await command(service.env, 'verify', '--json')
    const { equal, differences } = result.json<VerifyResult>()
    expect([result.code, equal]).to.deep.equal([1, false])
    expect(differences.map(({ collection, field, live, rebuilt }) => [collection, field, live, rebuilt])).to.deep.equal(
      [['entries', 'body.score', '"42"', '"41"']],
    )
    const outcome = await command(service.env, 'verify')
    expect(outcome.code).to.equal(1)
    expect(outcome.out).to.contain('not equal: ').and.contain('body.score').and.contain('"42"')
    const again = await openService({ DATA_DIR: service.dataDir })
    const running = await again.run('verify')
    expect(running.code).to.equal(1)
    expect(running.out).to.contain('body.score')
    await again.stop()
  })
})
