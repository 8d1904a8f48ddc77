// Files are mapped into memory while the SQLite files of their folder are small enough, and no longer once they have
// grown.

import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { openLog } from '../../stores/embedded/log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { batch, write } from '../contracts/documents.ts'
import { someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'

const MAPPED = 2 ** 31 - 2 ** 16
/** More than an empty file has, and less than the events or documents of these tests. */
const SOME_BYTES = 600_000

/** What SQLite maps at most. */
function mappedBytes(db: DatabaseSyncInstance): number {
  return (db.prepare('PRAGMA mmap_size').get() as { mmap_size: number }).mmap_size
}

describe('files mapped into memory', () => {
  for (const [what, mappableBytes, expected] of [
    ['mapped without a limit', undefined, MAPPED],
    ['mapped up to the limit', SOME_BYTES, MAPPED],
    ['not mapped over it', 1_000, 0],
  ] as const) {
    it(`are ${what}`, async () => {
      const path = newPath('views.sqlite')
      const opened: DatabaseSyncInstance[] = []
      const onOpened = (db: DatabaseSyncInstance) => opened.push(db)
      const views = await openViews(path, { mappableBytes, onOpened })
      const log = await openLog(join(dirname(path), 'log.sqlite'), { mappableBytes, index: { onOpened } })
      expect(opened.map(mappedBytes)).to.deep.equal([expected, expected])
      await Promise.all([views.close(), log.close()])
    })
  }

  it('are unmapped after a checkpoint if the views have grown over the limit', async () => {
    const path = newPath('views.sqlite')
    const opened: DatabaseSyncInstance[] = []
    const onOpened = (db: DatabaseSyncInstance) => opened.push(db)
    const views = await openViews(path, { mappableBytes: SOME_BYTES, onOpened })
    await views.prepare({ key: 'things@1', collections: [{ name: 'thing', indexes: {} }] })
    expect(opened.map(mappedBytes)).to.deep.equal([MAPPED])
    const body = { s: 'x'.repeat(1_000) }
    for (let n = 0; n < 1_000; n++) await views.commit([batch([write(`d-${n}`, n + 1, body)])])
    await views.purge()
    expect(statSync(path).size).to.be.greaterThan(SOME_BYTES)
    expect(opened.map(mappedBytes)).to.deep.equal([0])
    expect(await views.get('things@1', 'thing', ['d-7'])).to.have.nested.property('[0].body.s', body.s)
    await views.close()
  })

  it('count the log, whose pages need the same cache', async () => {
    const path = newPath('log.sqlite')
    const opened: DatabaseSyncInstance[] = []
    const onOpened = (db: DatabaseSyncInstance) => opened.push(db)
    const index = { onOpened, batch: 50, checkpointFrom: 1 }
    const log = await openLog(path, { mappableBytes: SOME_BYTES, index })
    expect(opened.map(mappedBytes)).to.deep.equal([MAPPED])
    const data = { text: 'x'.repeat(10_000) }
    for (let n = 0; n < 200; n++) await log.append(`s-${n}`, 'none', [someEvent({ data })])
    await log.close()
    opened.length = 0
    const again = await openLog(path, { mappableBytes: SOME_BYTES, index })
    expect(opened.map(mappedBytes)).to.deep.equal([0])
    await again.close()
  })
})
