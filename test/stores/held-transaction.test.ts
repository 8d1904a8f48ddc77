// A transaction that stays open over many commits: what is kept, what is lost, and who is notified.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { holdTransactions } from '../../stores/embedded/held-transaction.ts'
import { pause } from '../until.ts'

const CHARACTERS_MAX = 100

describe('a held transaction', () => {
  function opened() {
    const db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)')
    const failures: unknown[] = []
    const held = holdTransactions(db, CHARACTERS_MAX, (error) => failures.push(error))
    const insert = db.prepare('INSERT INTO t VALUES (?)')
    const put = (n: number, characters = 1) => {
      insert.run(n)
      return characters
    }
    const all = () => db.prepare('SELECT n FROM t ORDER BY n').all() as { n: number }[]
    return { db, held, put, failures, rows: () => all().map(({ n }) => n) }
  }

  const failure = new Error('the disk')
  const failing = () => {
    throw failure
  }

  it('begins with a bulk batch, includes later commits, and ends on request', () => {
    const { db, held, put, rows } = opened()
    held.run(() => put(1), false)
    expect([held.isHeld(), db.isTransaction]).to.deep.equal([false, false])
    held.run(() => put(2), true)
    held.run(() => put(3), false)
    expect([held.isHeld(), db.isTransaction]).to.deep.equal([true, true])
    held.settle()
    expect([held.isHeld(), db.isTransaction]).to.deep.equal([false, false])
    expect(rows()).to.deep.equal([1, 2, 3])
  })

  it('commits by itself at a maximum number of characters', () => {
    const { db, held, put } = opened()
    held.run(() => put(1, CHARACTERS_MAX - 1), true)
    expect(db.isTransaction).to.equal(true)
    held.run(() => put(2), false)
    expect(db.isTransaction).to.equal(false)
    held.run(() => put(3, CHARACTERS_MAX), true)
    expect([held.isHeld(), db.isTransaction]).to.deep.equal([false, false])
  })

  it('commits by itself a while after the last bulk batch', async () => {
    const { db, held, put, rows } = opened()
    held.run(() => put(1), true)
    held.run(() => put(2), false)
    expect(held.isHeld()).to.equal(true)
    // Its timer does not keep the process running; this one does.
    while (held.isHeld()) await pause(20)
    expect([db.isTransaction, rows()]).to.deep.equal([false, [1, 2]])
  })

  it('rolls back a single failed commit without notification', () => {
    const { held, put, failures, rows } = opened()
    for (const isPart of [false, true]) {
      expect(() => held.run(() => put(1) + failing(), isPart)).to.throw('the disk')
      expect([held.isHeld(), rows(), failures]).to.deep.equal([false, [], []])
    }
  })

  it('reports what is lost if a bulk batch fails', () => {
    const { held, put, failures, rows } = opened()
    held.run(() => put(1), true)
    held.settle()
    held.run(() => put(2), true)
    expect(() => held.run(() => put(3) + failing(), false)).to.throw('the disk')
    expect([held.isHeld(), rows(), failures]).to.deep.equal([false, [1], [failure]])
  })

  it('reports what is lost if it cannot be committed', () => {
    const { db, held, put, failures, rows } = opened()
    db.exec('PRAGMA foreign_keys=ON; CREATE TABLE u (n REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)')
    held.run(() => put(1), true)
    db.exec('INSERT INTO u VALUES (9)')
    expect(() => held.settle()).to.throw('FOREIGN KEY')
    expect([held.isHeld(), rows(), failures.length]).to.deep.equal([false, [], 1])
  })
})
