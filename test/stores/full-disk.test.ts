// Embedded stores whose file cannot grow, as on a full disk: SQLite reports the same error at its limit of pages.

import { copyFileSync, statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { AppendDenied } from '../../stores/contract/log.ts'
import { openDurable } from '../../stores/embedded/durable-database.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { DiskFull } from '../../stores/embedded/sqlite-error.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { everything, idsOf, someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'

const SQLITE_FULL = 13
/** Rows of 100 KB, in total more than the 8 MiB at which a WAL is checkpointed. */
const PAST_A_CHECKPOINT = 85
const LARGE = 'x'.repeat(100_000)

/** The open databases, and whether their files may grow. */
function disk() {
  const opened: DatabaseSyncInstance[] = []
  const limit = (pages: number) => {
    for (const db of opened) db.exec(`PRAGMA max_page_count=${pages}`)
  }
  return {
    onOpened: (db: DatabaseSyncInstance) => opened.push(db),
    // SQLite raises the limit to the present number of pages.
    fill: () => limit(1),
    makeRoom: () => limit(1_000_000),
  }
}

const rejected = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => null).catch((error) => error)

describe('an embedded store on a full disk', () => {
  it('rejects an append to the log without a trace, still serves readers, and appends once there is room', async () => {
    const path = newPath('log.sqlite')
    const { onOpened, fill, makeRoom } = disk()
    const failures: Error[] = []
    const log = await openLog(path, { onOpened, onFailure: (error) => failures.push(error) })
    const [first, refused, last] = [someEvent(), { ...someEvent(), data: { text: LARGE } }, someEvent()]
    await log.append('s-1', 'none', [first])
    fill()
    for (const _ of [1, 2, 3]) {
      const error = await rejected(log.append('s-1', 0, [refused]))
      expect(error).to.be.an.instanceOf(AppendDenied)
    }
    expect(idsOf(await everything(log))).to.deep.equal([first.id])
    makeRoom()
    await log.append('s-1', 0, [refused])
    await log.append('s-1', 1, [last])
    await log.close()
    const again = await openLog(path)
    expect(idsOf(await everything(again))).to.deep.equal([first.id, refused.id, last.id])
    await again.close()
    expect(failures).to.deep.equal([])
  })

  it('reports the vault as unavailable if it cannot grow, and stores the secret once there is room', async () => {
    const { onOpened, fill, makeRoom } = disk()
    const vault = await openVault(newPath('vault.sqlite'), { onOpened })
    const secret = new Uint8Array(Buffer.from(LARGE))
    fill()
    expect(await rejected(vault.putIfAbsent('player-key', 'a', secret))).to.be.an.instanceOf(StoreUnavailable)
    expect(await vault.get('player-key', 'a')).to.equal(null)
    makeRoom()
    expect(await vault.putIfAbsent('player-key', 'a', secret)).to.deep.equal(secret)
    await vault.close()
  })

  it('rejects a commit of the views completely, still serves reads, and accepts the commit once there is room', async () => {
    const { onOpened, fill, makeRoom } = disk()
    const failures: Error[] = []
    const views = await openViews(newPath('views.sqlite'), { onOpened, onFailure: (error) => failures.push(error) })
    await views.prepare({ key: 'v@1', collections: [{ name: 'things', indexes: {} }] })
    const write = (id: string, text: string) => ({ collection: 'things', id, pos: '1', body: { text } })
    const commit = (...writes: ReturnType<typeof write>[]) =>
      views.commit([{ view: 'v@1', writes, checkpoints: new Map([[0, { position: '1', eventId: 'e' }]]) }])
    await commit(write('a', 'small'))
    fill()
    expect(await rejected(commit(write('b', 'small'), write('c', LARGE)))).to.include({ errcode: SQLITE_FULL })
    const texts = async () => (await views.get('v@1', 'things', ['a', 'b', 'c'])).map((one) => one?.body.text ?? null)
    expect(await texts()).to.deep.equal(['small', null, null])
    makeRoom()
    await commit(write('b', 'small'), write('c', LARGE))
    expect(await texts()).to.deep.equal(['small', 'small', LARGE])
    expect(failures).to.deep.equal([])
    await views.close()
  })
})

describe('a durable database on a full disk', () => {
  const SCHEMA = 'CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY, text TEXT)'

  it('fails permanently if a transaction cannot be rolled back', async () => {
    const failures: Error[] = []
    const database = await openDurable(newPath('x.sqlite'), SCHEMA, { onFailure: (error) => failures.push(error) })
    const { db } = database
    const exec = db.exec.bind(db)
    const failing = new Error('no rollback')
    const value = (sql: string) => {
      if (sql === 'ROLLBACK') throw failing
      exec(sql)
    }
    Object.defineProperty(db, 'exec', { value })
    const work = () => {
      throw new Error('full')
    }
    expect(await rejected(database.write(work))).to.include({ cause: failing })
    expect(await rejected(database.write(() => 1))).to.include({ cause: failing })
    expect(failures.map(({ cause }) => cause)).to.deep.equal([failing])
    await database.close()
  })

  it('keeps in the WAL what does not fit into the file, and rejects only writes that must be scrubbed', async () => {
    const path = newPath('x.sqlite')
    const failures: Error[] = []
    const full: string[] = []
    const onFailure = (error: Error) => failures.push(error)
    const database = await openDurable(path, SCHEMA, { onFailure })
    const { db } = database
    const prepare = db.prepare.bind(db)
    let hasRoom = false
    const value = (sql: string) => {
      if (hasRoom || !/wal_checkpoint\((PASSIVE|TRUNCATE)\)/.test(sql)) return prepare(sql)
      full.push(sql)
      throw Object.assign(new Error('database or disk is full'), { errcode: SQLITE_FULL })
    }
    Object.defineProperty(db, 'prepare', { value })
    const insert = (n: number, residue?: 'scrub') =>
      database.write(() => prepare('INSERT INTO numbers VALUES (?, ?)').run(n, LARGE).changes, residue)
    for (let n = 0; n < PAST_A_CHECKPOINT; n++) await insert(n)
    expect([...new Set(full)]).to.deep.equal(['PRAGMA wal_checkpoint(PASSIVE)'])
    const both = await Promise.all([rejected(insert(PAST_A_CHECKPOINT, 'scrub')), insert(PAST_A_CHECKPOINT + 1)])
    expect(both).to.deep.equal([both[0], 1])
    expect(both[0]).to.be.an.instanceOf(DiskFull)
    hasRoom = true
    await database.write(() => {}, 'scrub')
    expect(statSync(`${path}-wal`).size).to.equal(0)
    expect(prepare('SELECT count(*) AS n FROM numbers').get()).to.deep.include({ n: PAST_A_CHECKPOINT + 2 })
    expect(failures).to.deep.equal([])
    await database.close()
  })

  it('opens if the WAL of a killed process does not fit into the file, and keeps it in the WAL', async () => {
    const [path, left] = [newPath('x.sqlite'), newPath('x.sqlite')]
    const first = await openDurable(path, SCHEMA)
    const insert = 'INSERT INTO numbers VALUES (?, ?)'
    await first.write(() => first.db.prepare(insert).run(1, LARGE))
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end)
    await first.close()
    const onOpened = (db: DatabaseSyncInstance) => {
      const prepare = db.prepare.bind(db)
      const value = (sql: string) => {
        if (!sql.includes('wal_checkpoint(TRUNCATE)')) return prepare(sql)
        throw Object.assign(new Error('database or disk is full'), { errcode: SQLITE_FULL })
      }
      Object.defineProperty(db, 'prepare', { value })
    }
    let syncs = 0
    const sync = async () => {
      syncs++
    }
    const second = await openDurable(left, SCHEMA, { onOpened, sync })
    expect(syncs).to.equal(1)
    await second.write(() => second.db.prepare(insert).run(2, 'small'))
    const rows: unknown = second.db.prepare('SELECT n, length(text) AS size FROM numbers ORDER BY n').all()
    expect(JSON.parse(JSON.stringify(rows))).to.deep.equal([
      { n: 1, size: LARGE.length },
      { n: 2, size: 5 },
    ])
    await second.close()
  })
})
