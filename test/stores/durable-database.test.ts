// Durable writes share transactions and syncs, resolve after a sync that covers them, and stop for good if a sync
// fails. Only one process may open the file.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { FolderInUse } from '../../stores/contract/faults.ts'
import { type DurableDatabase, openDurable } from '../../stores/embedded/durable-database.ts'
import { openExclusive } from '../../stores/embedded/exclusive-database.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { until } from '../until.ts'
import { newPath } from './folder.ts'

const SQLITE_IOERR_FSYNC = 1_034
const SCHEMA = 'CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY, text TEXT)'

/** A sync that completes when the test says so, and counts its calls. */
function heldSync() {
  const held: HeldSync[] = []
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      held.push({ resolve, reject })
    })
  return { held, sync }
}

interface HeldSync {
  resolve(): void
  reject(error: Error): void
}

function insert(database: DurableDatabase, n: number): Promise<number> {
  return database.write(() => {
    database.db.prepare('INSERT INTO numbers VALUES (?, ?)').run(n, 'x')
    return n
  })
}

function numbers(database: DurableDatabase): unknown[] {
  return database.db
    .prepare('SELECT n FROM numbers ORDER BY n')
    .all()
    .map(({ n }) => n)
}

/** A checkpoint that empties the WAL fails as if SQLite could not sync the file. */
function failToTruncate(db: DatabaseSyncInstance): void {
  const prepare = db.prepare.bind(db)
  const get = () => {
    throw Object.assign(new Error('disk I/O error'), { errcode: SQLITE_IOERR_FSYNC })
  }
  const value = (sql: string) => (sql.includes('TRUNCATE') ? { get } : prepare(sql))
  Object.defineProperty(db, 'prepare', { value })
}

describe('a durable database', () => {
  for (const end of ['', '-wal']) {
    it(`stops with an error that says so after another program removed its ${end || 'main'} file`, () =>
      withFakeTimers(async ({ running, fire }) => {
        const path = newPath('durable')
        const failures: Error[] = []
        const database = await openDurable(path, SCHEMA, { onFailure: (error) => failures.push(error) })
        await insert(database, 1)
        fire()
        expect([failures, running.size]).to.deep.equal([[], 1])
        rmSync(`${path}${end}`)
        fire()
        expect(failures.map(String)).to.deep.equal([
          `Error: ${path} or ${path}-wal was removed while this process uses it; nothing more is written. ` +
            'Find out what removes files there, and restore a backup.',
        ])
        expect(await insert(database, 2).catch((failure: unknown) => failure)).to.equal(failures[0])
        expect(running.size).to.equal(0)
        await database.close()
      }))
  }

  it('no longer looks for its file once it is closed', () =>
    withFakeTimers(async ({ running }) => {
      const database = await openDurable(newPath('durable'), SCHEMA)
      expect(running.size).to.equal(1)
      await database.close()
      expect(running.size).to.equal(0)
    }))

  it('acknowledges a write after a sync that began after it, and later writes share the next sync', async () => {
    const { held, sync } = heldSync()
    const groups: string[] = []
    const onGroup = (outcome: string) => groups.push(outcome)
    const database = await openDurable(newPath('x.sqlite'), SCHEMA, { sync, onGroup })
    const answered: number[] = []
    const write = (n: number) => insert(database, n).then((value) => answered.push(value))
    const first = [write(1), write(2), write(3)]
    await until(() => held.length === 1)
    expect([numbers(database), answered]).to.deep.equal([[1, 2, 3], []])
    const second = [write(4), write(5)]
    expect(held).to.have.length(1)
    held[0]?.resolve()
    await Promise.all(first)
    expect(answered).to.deep.equal([1, 2, 3])
    await until(() => held.length === 2)
    expect([numbers(database), answered]).to.deep.equal([
      [1, 2, 3, 4, 5],
      [1, 2, 3],
    ])
    held[1]?.resolve()
    await Promise.all(second)
    expect([answered, groups, held.length]).to.deep.equal([[1, 2, 3, 4, 5], ['durable', 'durable'], 2])
    await database.close()
  })

  it('rolls back a transaction in which a write throws, rejects all of its writes, and continues', async () => {
    const groups: string[] = []
    const database = await openDurable(newPath('x.sqlite'), SCHEMA, { onGroup: (outcome) => groups.push(outcome) })
    const outcomes = await Promise.allSettled([insert(database, 1), insert(database, 2), insert(database, 1)])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    expect(numbers(database)).to.deep.equal([])
    expect(await insert(database, 1)).to.equal(1)
    expect([numbers(database), groups]).to.deep.equal([[1], ['undone', 'durable']])
    await database.close()
  })

  it('rejects everything after a failed sync, and reports it once', async () => {
    const { held, sync } = heldSync()
    const failures: Error[] = []
    const onFailure = (error: Error) => failures.push(error)
    const database = await openDurable(newPath('x.sqlite'), SCHEMA, { sync, onFailure })
    const running = insert(database, 1)
    await until(() => held.length === 1)
    const waiting = insert(database, 2)
    held[0]?.reject(new Error('EIO'))
    const outcomes = await Promise.allSettled([running, waiting])
    const later = await Promise.allSettled([insert(database, 3), database.settled()])
    expect([...outcomes, ...later].map(({ status }) => status)).to.deep.equal(Array(4).fill('rejected'))
    expect(failures.map(({ message }) => message)).to.have.length(1)
    expect(String(failures[0]?.cause)).to.equal('Error: EIO')
    await database.close()
  })

  it('keeps the WAL of a killed process if opening it fails to sync the file', async () => {
    const path = newPath('x.sqlite')
    const killed = await openDurable(path, SCHEMA)
    await Promise.all([insert(killed, 1), insert(killed, 2)])
    const [left, copy] = [newPath('x.sqlite'), newPath('x.sqlite')]
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end)
    await killed.close()
    const failing = await openDurable(left, SCHEMA, { onOpened: failToTruncate }).catch((error: unknown) => error)
    expect(String(failing)).to.equal('Error: disk I/O error')
    for (const end of ['', '-wal']) copyFileSync(left + end, copy + end)
    const again = await openDurable(copy, SCHEMA)
    expect(numbers(again)).to.deep.equal([1, 2])
    await again.close()
  })

  it('waits for running writes when it closes, and accepts none afterwards', async () => {
    const path = newPath('x.sqlite')
    const database = await openDurable(path, SCHEMA)
    const writes = [insert(database, 1), insert(database, 2)]
    const closing = database.close()
    expect(await insert(database, 3).catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    expect(await Promise.all(writes)).to.deep.equal([1, 2])
    await closing
    await database.close()
    expect(existsSync(`${path}-wal`)).to.equal(false)
    const again = await openDurable(path, SCHEMA)
    expect(numbers(again)).to.deep.equal([1, 2])
    await again.close()
  })

  it('keeps its WAL bounded under many writes', async () => {
    const path = newPath('x.sqlite')
    const database = await openDurable(path, SCHEMA)
    const text = 'x'.repeat(100_000)
    let frames = 0
    for (let n = 0; n < 150; n += 1) {
      await database.write(() => database.db.prepare('INSERT INTO numbers VALUES (?, ?)').run(n, text))
      const { log } = database.db.prepare('PRAGMA wal_checkpoint(NOOP)').get()
      frames = Math.max(frames, log)
    }
    expect(frames).to.be.within(2_048, 2_100)
    await database.close()
  })

  it('refuses to be opened a second time, by this or another process, with the reason', async () => {
    const path = newPath('x.sqlite')
    const database = await openDurable(path, SCHEMA)
    expect(() => openExclusive(path, SCHEMA)).to.throw(
      FolderInUse,
      /x\.sqlite is in use: another process has this data folder open/,
    )
    const script = `import { openExclusive } from '${new URL('../../stores/embedded/exclusive-database.ts', import.meta.url)}'
      openExclusive(${JSON.stringify(path)}, '')`
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    expect([status, /is in use: another process/.test(String(stderr))]).to.deep.equal([1, true])
    await insert(database, 1)
    await database.close()
    const again = await openDurable(path, SCHEMA)
    expect(numbers(again)).to.deep.equal([1])
    await again.close()
  })

  it('has everything that a killed process had acknowledged', async () => {
    const path = newPath('x.sqlite')
    const script = `import { openDurable } from '${new URL('../../stores/embedded/durable-database.ts', import.meta.url)}'
      const database = await openDurable(${JSON.stringify(path)}, ${JSON.stringify(SCHEMA)})
      const insert = database.db.prepare('INSERT INTO numbers VALUES (?, NULL)')
      for (let n = 1; n <= 200; n += 1) await database.write(() => insert.run(n))
      process.kill(process.pid, 'SIGKILL')`
    const { signal } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    expect(signal).to.equal('SIGKILL')
    const database = await openDurable(path, SCHEMA)
    expect(numbers(database)).to.deep.equal(Array.from({ length: 200 }, (_, n) => n + 1))
    await database.close()
  })
})
