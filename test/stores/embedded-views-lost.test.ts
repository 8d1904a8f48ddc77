// What the embedded read models do if they lose an open transaction whose commits they have acknowledged.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { openViews } from '../../stores/embedded/views.ts'
import { batch, document, got, pos, viewSpec, write } from '../contracts/documents.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { commitsOn } from './commits-on.ts'
import { copyDerived } from './derived-files.ts'
import { newPath } from './folder.ts'

describe('embedded read models that lose the held transaction', () => {
  it('report it once, write nothing more, and are consistent when reopened', async () => {
    const path = newPath('views.sqlite')
    const failures: Error[] = []
    let db: DatabaseSyncInstance | undefined
    const views = await openViews(path, {
      onFailure: (error) => failures.push(error),
      onOpened: (opened) => {
        db = opened
      },
    })
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    await views.commit([batch([write('d-0', 1, { s: 'before' })])])
    await views.durable()
    const part = Array.from({ length: 600 }, (_, n) => write(`d-${n}`, 2, { s: 'held' }))
    await views.commit([batch(part, { checkpoints: [[3, { position: pos(2), eventId: 'e-2' }]] })])
    // Neither a new commit nor those of the open transaction can be written, as after a disk error.
    db?.exec('PRAGMA query_only=ON')
    for (const writes of [[write('d-1', 3, { s: 'failing' })], [write('d-1', 4, { s: 'late' })]]) {
      expect(await views.commit([batch(writes)]).catch(() => 'refused')).to.equal('refused')
    }
    expect(failures.map(({ message }) => message)).to.deep.equal([
      `${path} could not be written; nothing more is written`,
    ])
    await views.close()
    // A copy: the file stays locked until its prepared statements are collected.
    const copy = newPath('views.sqlite')
    copyDerived(path, copy)
    const again = await openViews(copy)
    expect(await got(again, 'd-0', 'd-1')).to.deep.equal([document('d-0', 1, { s: 'before' }), null])
    expect(await again.checkpoints('things@1')).to.deep.equal(new Map())
    await again.close()
  })
})

describe('embedded read models on a full disk', () => {
  it('leave no timer when they close, which would use the closed file', async () => {
    const disk = { isFull: false, commits: 0 }
    const views = await openViews(newPath('views.sqlite'), { onOpened: (db) => commitsOn(db, disk) })
    await views.prepare(viewSpec())
    disk.isFull = true
    await withFakeTimers(async ({ running }) => {
      await views.commit([batch([write('d-0', 1, { s: 'held' })])])
      expect(running.size).to.equal(1)
      await views.close()
      expect(running.size).to.equal(0)
    })
  })
})
