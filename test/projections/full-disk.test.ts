// The projector on embedded stores when only the disk of the views is full: the log continues, and the views catch up
// by themselves.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { openLog } from '../../stores/embedded/log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { newPath } from '../stores/folder.ts'
import { until } from '../until.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, running, runWorld, texts } from './run-world.ts'

const LARGE = 'x'.repeat(200_000)

describe('the projector on a full disk of the views', () => {
  it('retries while the log accepts writes, and applies everything once there is space', async () => {
    const opened: DatabaseSyncInstance[] = []
    const failures: Error[] = []
    const log = await openLog(newPath('log.sqlite'))
    const views = await openViews(newPath('views.sqlite'), {
      onOpened: (db) => opened.push(db),
      onFailure: (error) => failures.push(error),
    })
    const limit = (pages: number) => {
      for (const db of opened) db.exec(`PRAGMA max_page_count=${pages}`)
    }
    const world = runWorld([texts], { log, views })
    await prepareWorld(world)
    const stop = running(world)
    const { progress } = world.deps
    const first = await appendTexts(log, 's-1', 'g1', 'before')
    expect(await progress.waitFor('g1', first, 10_000)).to.equal(true)
    // SQLite keeps the limit at the pages that the file has by then.
    limit(1)
    await appendTexts(log, 's-1', 'g1', LARGE)
    await until(() => world.reports.reopened.length >= 2)
    const last = await appendTexts(log, 's-1', 'g1', 'after')
    const [stored] = await views.get('texts@1', 'texts', ['s-1'])
    expect(stored?.body).to.deep.equal({ said: ['before'] })
    limit(1_000_000)
    expect(await progress.waitFor('g1', last, 10_000)).to.equal(true)
    const [document] = await views.get('texts@1', 'texts', ['s-1'])
    expect(document?.body).to.deep.equal({ said: ['before', LARGE, 'after'] })
    const reasons = new Set((await stop()).map((error) => (error instanceof Error ? error.message : error)))
    expect([...reasons]).to.deep.equal(['database or disk is full'])
    expect(failures).to.deep.equal([])
    await views.close()
    await log.close()
  })
})
