// The last revisions that the writer of the embedded log takes from reads: none hides an append.

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { LOG_SCHEMA } from '../../stores/embedded/log-schema.ts'
import { createLogWriter, type LogWriter } from '../../stores/embedded/log-writer.ts'
import { checkAppend } from '../../stores/support/log-arguments.ts'
import { someEvent } from '../contracts/events.ts'

describe('a cached last revision', () => {
  let db: DatabaseSyncInstance
  let writer: LogWriter
  let asked: string[]

  beforeEach(() => {
    db = new DatabaseSync(':memory:')
    db.exec(LOG_SCHEMA)
    asked = []
    const lastRevision = (stream: string) => {
      asked.push(stream)
      return -1
    }
    writer = createLogWriter(db, { lastRevision, read: () => [] }, { lastSequence: () => 0 })
  })

  const append = (stream: string, expected: 'none' | number) =>
    writer.append([checkAppend(stream, expected, [someEvent({})])])[0]?.kind

  it('decides the next append to the stream without a query', () => {
    writer.cacheLastRevision('a', 4)
    expect([append('a', 4), append('a', 5), append('b', 'none'), asked]).to.deep.equal([
      'appended',
      'appended',
      'appended',
      ['b'],
    ])
  })

  it('is ignored while an append to the stream is not durable, and after it', () => {
    expect(append('a', 'none')).to.equal('appended')
    writer.cacheLastRevision('a', -1)
    expect([append('a', 'none'), append('a', 0)]).to.deep.equal(['conflict', 'appended'])
    writer.durable()
    writer.cacheLastRevision('a', 0)
    expect([append('a', 0), append('a', 1)]).to.deep.equal(['conflict', 'appended'])
  })

  it('is forgotten with a transaction that was rolled back', () => {
    db.exec('BEGIN')
    writer.cacheLastRevision('a', -1)
    expect(append('a', 'none')).to.equal('appended')
    db.exec('ROLLBACK')
    writer.undone()
    expect([append('a', 'none'), asked]).to.deep.equal(['appended', ['a']])
  })
})
