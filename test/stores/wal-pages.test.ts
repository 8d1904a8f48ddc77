// Which pages a WAL has.

import { closeSync, openSync } from 'node:fs'
import { expect } from 'chai'
import { openExclusive } from '../../stores/embedded/exclusive-database.ts'
import { pagesInWal } from '../../stores/embedded/wal-pages.ts'
import { newPath } from './folder.ts'

describe('the pages in a WAL', () => {
  it('are those written since SQLite last began it again', () => {
    const path = newPath('some.sqlite')
    const db = openExclusive(
      path,
      'CREATE TABLE a (n INTEGER PRIMARY KEY, t TEXT); CREATE TABLE b (n INTEGER PRIMARY KEY, t TEXT)',
    )
    const fd = openSync(`${path}-wal`, 'r')
    const pages = () => pagesInWal(fd, 4_096).sort((one, other) => one - other)
    const rootOf = (table: string) =>
      (db.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(table) as { page: number }).page
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(pages()).to.deep.equal([])
    db.exec("INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, 'x'); UPDATE a SET t = 'y'")
    expect(pages()).to.deep.equal([rootOf('a'), rootOf('b')])
    // Copied into the file, the frames are still there; the next write begins the WAL again over the first of them.
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    expect(pages()).to.deep.equal([rootOf('a'), rootOf('b')])
    db.exec("UPDATE b SET t = 'z'")
    expect(pages()).to.deep.equal([rootOf('b')])
    closeSync(fd)
    db.close()
  })
})
