// A transaction that stays open over many commits: what is kept, what is lost, and who is notified.

import { statSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { HeldTransaction, MAX_CHARACTERS } from '../../stores/embedded/held-transaction.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { pause } from '../until.ts'
import { commitsOn } from './commits-on.ts'
import { newPath } from './folder.ts'

describe('a held transaction', () => {
  function opened() {
    const db = new DatabaseSync(':memory:')
    const disk = { isFull: false, commits: 0, mayCommit: true }
    commitsOn(db, disk)
    db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)')
    const failures: unknown[] = []
    const held = new HeldTransaction(db, {
      mayCommit: () => disk.mayCommit,
      lost: (error) => failures.push(error),
      onTimedCommit: () => {},
    })
    const insert = db.prepare('INSERT INTO t VALUES (?)')
    const put = (n: number, characters = 1) => {
      insert.run(n)
      return characters
    }
    const all = () => db.prepare('SELECT n FROM t ORDER BY n').all() as { n: number }[]
    return { db, disk, held, put, failures, rows: () => all().map(({ n }) => n) }
  }

  const failure = new Error('the disk')
  const failing = () => {
    throw failure
  }

  it('includes many commits and ends on request', () => {
    const { db, disk, held, put, rows } = opened()
    held.run(() => put(1))
    held.run(() => put(2))
    expect([held.isHeld(), db.isTransaction, disk.commits]).to.deep.equal([true, true, 0])
    held.settle()
    expect([held.isHeld(), db.isTransaction, disk.commits]).to.deep.equal([false, false, 1])
    held.settle()
    expect([rows(), disk.commits]).to.deep.equal([[1, 2], 1])
  })

  it('keeps all commits while the disk is full, refuses more than the limit, and ends once there is room', () => {
    const { disk, held, put, failures, rows } = opened()
    disk.isFull = true
    const half = MAX_CHARACTERS / 2
    held.run(() => put(1, half))
    expect(() => held.settle()).to.throw('the disk is full')
    expect([held.isHeld(), rows()]).to.deep.equal([true, [1]])
    // The limit is reached and cannot be committed, but this commit is kept.
    held.run(() => put(2, half))
    expect([held.isHeld(), rows(), disk.commits]).to.deep.equal([true, [1, 2], 2])
    expect(() => held.run(() => put(3))).to.throw('the disk is full')
    expect([held.isHeld(), rows(), disk.commits]).to.deep.equal([true, [1, 2], 2])
    disk.isFull = false
    held.settle()
    held.run(() => put(3))
    held.settle()
    expect([held.isHeld(), rows(), failures]).to.deep.equal([false, [1, 2, 3], []])
  })

  it('commits by itself a while after the first commit, however many follow', async () => {
    const { held, put, rows } = opened()
    for (let n = 1; n === 1 || held.isHeld(); n++) {
      held.run(() => put(n))
      await pause(50)
    }
    expect(rows()).to.have.length.of.at.least(2)
  })

  it('has no timer any more once it ends, although a full disk keeps it open', () =>
    withFakeTimers(({ running }) => {
      const { disk, held, put } = opened()
      disk.isFull = true
      held.run(() => put(1))
      expect(() => held.settle()).to.throw('the disk is full')
      expect([held.isHeld(), running.size]).to.deep.equal([true, 1])
      held.end()
      expect(running.size).to.equal(0)
    }))

  it('commits by itself at a maximum number of characters', () => {
    const { db, held, put } = opened()
    held.run(() => put(1, MAX_CHARACTERS - 1))
    expect(db.isTransaction).to.equal(true)
    held.run(() => put(2))
    expect(db.isTransaction).to.equal(false)
    held.run(() => put(3, MAX_CHARACTERS))
    expect([held.isHeld(), db.isTransaction]).to.deep.equal([false, false])
  })

  it('does not commit while mayCommit is false, even at its maximum; the next work commits it', () => {
    const { db, disk, held, put } = opened()
    disk.mayCommit = false
    held.run(() => put(1, MAX_CHARACTERS - 1))
    expect(held.isFull()).to.equal(false)
    held.run(() => put(2))
    expect([held.isFull(), db.isTransaction, disk.commits]).to.deep.equal([true, true, 0])
    disk.mayCommit = true
    held.run(() => put(3))
    expect([held.isFull(), db.isTransaction, disk.commits]).to.deep.equal([false, true, 1])
    held.settle()
  })

  it('postpones the timed commit while mayCommit is false', () =>
    withFakeTimers(({ running, fire }) => {
      const { disk, held, put } = opened()
      disk.mayCommit = false
      held.run(() => put(1))
      fire()
      expect([held.isHeld(), disk.commits, running.size]).to.deep.equal([true, 0, 1])
      disk.mayCommit = true
      fire()
      expect([held.isHeld(), disk.commits, running.size]).to.deep.equal([false, 1, 0])
    }))

  it('writes nothing before its COMMIT, although the changed pages do not fit into the cache', () => {
    const path = newPath('held.sqlite')
    const db = new DatabaseSync(path)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA cache_size=4; CREATE TABLE t (n INTEGER PRIMARY KEY, s TEXT)')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const held = new HeldTransaction(db, { mayCommit: () => true, lost: () => {}, onTimedCommit: () => {} })
    const insert = db.prepare('INSERT INTO t VALUES (?, ?)')
    const sizes: number[] = []
    for (let n = 0; n < 100; n++) {
      held.run(() => Number(insert.run(n, 'x'.repeat(4_000)).changes))
      sizes.push(statSync(`${path}-wal`).size)
    }
    expect(sizes).to.deep.equal(Array(100).fill(0))
    held.settle()
    expect(statSync(`${path}-wal`).size).to.be.above(100 * 4_096)
    // Other transactions may be larger than memory.
    expect(db.prepare('PRAGMA cache_spill').get()).to.not.deep.equal({ cache_spill: 0 })
    db.close()
  })

  it('rolls back a failed commit without notification, and keeps those before it', () => {
    const { held, put, failures, rows } = opened()
    held.run(() => put(7))
    expect(() => held.run(() => put(1) + failing())).to.throw('the disk')
    expect([held.isHeld(), rows(), failures]).to.deep.equal([true, [7], []])
    held.settle()
  })

  it('rolls back a single failed commit without notification', () => {
    const { held, put, failures, rows } = opened()
    expect(() => held.run(() => put(1) + failing())).to.throw('the disk')
    expect([held.isHeld(), rows(), failures]).to.deep.equal([false, [], []])
  })

  it('reports what is lost if it cannot run its commits again', () => {
    const { held, put, failures, rows } = opened()
    held.run(() => put(1))
    held.settle()
    let runs = 0
    held.run(() => (++runs === 1 ? put(2) : failing()))
    expect(() => held.run(() => put(3) + failing())).to.throw('the disk')
    expect([held.isHeld(), rows(), failures]).to.deep.equal([false, [1], [failure]])
  })

  it('reports what is lost if it cannot be committed', () => {
    const { db, held, put, failures, rows } = opened()
    db.exec('PRAGMA foreign_keys=ON; CREATE TABLE u (n REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)')
    held.run(() => put(1))
    db.exec('INSERT INTO u VALUES (9)')
    expect(() => held.settle()).to.throw('FOREIGN KEY')
    expect([held.isHeld(), rows(), failures.length]).to.deep.equal([false, [], 1])
  })
})
