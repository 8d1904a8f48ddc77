// Rows that are inserted by statements of many rows.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { prepareInserts } from '../../stores/embedded/prepare-inserts.ts'

describe('rows that are inserted together', () => {
  for (const count of [0, 1, 7, 8, 63, 64, 65, 200]) {
    it(`are all there in their order, ${count} of them`, () => {
      const db = new DatabaseSync(':memory:')
      db.exec('CREATE TABLE things (n INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL)')
      const rows = Array.from({ length: count }, (_, n) => ({ n: n + 1, name: `thing ${n}`, size: n * n }))
      prepareInserts(db, 'INSERT INTO things (name, size)', 2)(rows.flatMap(({ name, size }) => [name, size]))
      const found = db.prepare('SELECT n, name, size FROM things ORDER BY n').all()
      expect(found.map((row) => ({ ...(row as object) }))).to.deep.equal(rows)
      db.close()
    })
  }
})
