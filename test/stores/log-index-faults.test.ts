// The index of the embedded log where streams share a hash, the disk is full, a sync fails, or the file is damaged.

import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { AppendDenied } from '../../stores/contract/log.ts'
import { removeDerived } from '../../stores/embedded/derived-database.ts'
import { type EmbeddedLog, indexPathOf, type LogOptions, openLog } from '../../stores/embedded/log.ts'
import { DiskFull } from '../../stores/embedded/sqlite-error.ts'
import { appended, everything, idsOf, someEvent, someEvents } from '../contracts/events.ts'
import { pause } from '../until.ts'
import { copyDerived, reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

const rejected = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => null).catch((error) => error)

/** Appends to streams of 250 events each. */
async function fill(log: EmbeddedLog, name: string, events: number): Promise<void> {
  const appends = Array.from({ length: Math.ceil(events / 250) }, (_, n) =>
    appended(log, `${name}-${n}`, 'none', someEvents(Math.min(250, events - n * 250))),
  )
  await Promise.all(appends)
}

/** Limits the pages of the index file, as a full disk does. */
function indexDisk() {
  let opened: DatabaseSyncInstance | undefined
  return {
    onOpened: (db: DatabaseSyncInstance) => {
      opened = db
    },
    fill: () => opened?.exec('PRAGMA max_page_count=1'),
    makeRoom: () => opened?.exec('PRAGMA max_page_count=1000000'),
  }
}

describe('streams with the same hash in the index', () => {
  /** Streams whose name has the same first letter have the same hash. */
  const hash = (stream: string) => stream.charCodeAt(0)

  it('are distinguished in memory and in the file, and a new stream begins at revision 0', async () => {
    const path = newPath('log.sqlite')
    const options: LogOptions = { index: { hash, batch: 600 } }
    const log = await openLog(path, options)
    await fill(log, 'a', 1_000)
    await appended(log, 'alone', 'none', someEvents(3))
    await appended(log, 'b', 'none', someEvents(2))
    await log.close()
    // All of it is in the file now.
    const again = await openLog(path, options)
    expect(await again.append('a-new', 0, [someEvent()])).to.deep.equal({ kind: 'conflict' })
    await appended(again, 'a-new', 'none', [someEvent()])
    await appended(again, 'b-new', 'none', [someEvent()])
    await appended(again, 'alone', 2, [someEvent()])
    for (let one = again, opens = 0; opens < 2; opens += 1) {
      const all = await everything(one)
      for (const name of ['a-0', 'a-3', 'alone', 'a-new', 'a-missing', 'b', 'b-new', 'c']) {
        const own = idsOf(all.filter(({ stream }) => stream === name))
        expect(idsOf(await one.readStream(name, 0, 1_000)), name).to.deep.equal(own)
        expect(idsOf(await one.readStream(name, 1, 1)), name).to.deep.equal(own.slice(1, 2))
        expect(idsOf(await one.readStream(name, 3, 9)), name).to.deep.equal(own.slice(3, 12))
      }
      await one.close()
      if (opens === 0) one = await openLog(path, options)
    }
  })

  it('cannot be chosen: two files give one stream different hashes', async () => {
    const hashes = await Promise.all(
      [1, 2].map(async () => {
        const path = newPath('log.sqlite')
        const log = await openLog(path)
        await appended(log, 's-1', 'none', [someEvent()])
        await log.close()
        const db = new DatabaseSync(indexPathOf(path))
        const row = db.prepare('SELECT stream FROM revisions').get() as { stream: number }
        db.close()
        return row.stream
      }),
    )
    expect(hashes[0]).not.to.equal(hashes[1])
  })
})

describe('the index of a log on a full disk', () => {
  it('fails the start with an error that names the file, and the next start succeeds', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await fill(log, 's', 2_000)
    await log.close()
    removeDerived(indexPathOf(path))
    const onOpened = (db: DatabaseSyncInstance) => db.exec('PRAGMA max_page_count=1')
    const error = await rejected(openLog(path, { index: { onOpened } }))
    expect(error).to.be.an.instanceOf(DiskFull)
    expect(String(error)).to.include(`${indexPathOf(path)} cannot grow: its disk is full`)
    const again = await openLog(path)
    expect(await again.part({ game: 'g1' }, null, 3_000)).to.have.length(2_000)
    await again.close()
  })

  it('rejects appends once too many events wait in memory, and accepts them by itself once there is room', async () => {
    const path = newPath('log.sqlite')
    const disk = indexDisk()
    const log = await openLog(path, { index: { onOpened: disk.onOpened, batch: 2_000, maxUnwritten: 5_000 } })
    disk.fill()
    await fill(log, 's', 5_000)
    // A write has one step in each turn of the event loop, and soon reaches the end of the disk.
    for (let turn = 0; turn < 200; turn += 1) await yieldToEventLoop()
    expect(await rejected(log.append('t', 'none', [someEvent()]))).to.be.an.instanceOf(AppendDenied)
    expect(await log.readStream('s-19', 0, 999)).to.have.length(250)
    expect(await everything(log)).to.have.length(5_000)
    disk.makeRoom()
    let refused: unknown = null
    for (let tries = 0; tries < 200; tries += 1) {
      refused = await rejected(log.append('t', 'none', [someEvent()]))
      if (refused === null) break
      await pause(50)
    }
    expect(refused).to.equal(null)
    await log.close()
    const again = await openLog(path)
    expect(await again.part({ game: 'g1' }, null, 9_999)).to.have.length(5_001)
    await again.close()
  })
})

describe('the index of a log on a slow disk', () => {
  /** A log whose index is full, while the sync of the index's WAL waits for `end`. */
  async function fullLog(options: { readonly spaceWaitMs?: number } = {}) {
    let end = () => {}
    const synced = new Promise<void>((resolve) => {
      end = resolve
    })
    const index = { sync: () => synced, checkpointFrom: 1, batch: 2_000, maxUnwritten: 5_000, ...options }
    const log = await openLog(newPath('log.sqlite'), { index })
    await fill(log, 's', 10_000)
    return { log, end }
  }

  it('lets an append wait until there is room', async () => {
    const { log, end } = await fullLog()
    const appended = log.append('t', 'none', [someEvent()])
    expect(await Promise.race([appended, yieldToEventLoop().then(() => 'waits')])).to.equal('waits')
    end()
    await appended
    expect(await log.part({ game: 'g1' }, null, 19_999)).to.have.length(10_001)
    await log.close()
  })

  it('rejects an append that has waited too long', async () => {
    const { log, end } = await fullLog({ spaceWaitMs: 1 })
    expect(await rejected(log.append('t', 'none', [someEvent()]))).to.be.an.instanceOf(AppendDenied)
    end()
    await log.close()
  })
})

describe('the index of a log that cannot be used any more', () => {
  it('fails the process after a failed sync, and does not checkpoint its WAL when it is closed', async () => {
    const path = newPath('log.sqlite')
    const failures: Error[] = []
    const sync = () => Promise.reject(new Error('EIO'))
    const log = await openLog(path, {
      index: { sync, batch: 2_000, checkpointFrom: 65_536 },
      onFailure: (error) => failures.push(error),
    })
    await fill(log, 's', 5_000)
    for (let tries = 0; tries < 2_000 && failures.length === 0; tries += 1) await pause(5)
    expect(failures.map(String)).to.deep.equal([`StoreUnavailable: ${indexPathOf(path)} cannot be written`])
    const bytes = statSync(indexPathOf(path)).size
    const all = await everything(log)
    await log.close()
    expect(statSync(indexPathOf(path)).size).to.equal(bytes)
    expect(failures).to.have.length(1)
    // Until the process ends, the closed file keeps its lock.
    const copy = newPath('log.sqlite')
    copyFileSync(path, copy)
    copyDerived(indexPathOf(path), indexPathOf(copy))
    const again = await openLog(copy)
    expect(await everything(again)).to.deep.equal(all)
    expect(await again.part({ game: 'g1' }, null, 1_000_000)).to.have.length(all.length)
    await again.close()
  })

  it('removes a damaged file and fails the process, and the next start builds the file again', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await fill(log, 's', 4_000)
    await log.close()
    damagePages(indexPathOf(path))
    const failures: Error[] = []
    const damaged = await openLog(path, { onFailure: (error) => failures.push(error) })
    expect(String(await rejected(damaged.readStream('s-3', 0, 10)))).to.include(
      'is damaged (database disk image is malformed)',
    )
    expect(failures.map(String)).to.deep.equal([
      `DerivedDamaged: ${indexPathOf(path)} is damaged (database disk image is malformed) and was removed: the next start builds it again`,
    ])
    expect(existsSync(indexPathOf(path))).to.equal(false)
    await damaged.close()
    const again = await openLog(path)
    expect(await again.readStream('s-3', 0, 300)).to.have.length(250)
    await again.close()
  })

  it('builds a damaged file again during a start that writes to it', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await fill(log, 's', 4_000)
    await log.close()
    const before = readFileSync(indexPathOf(path))
    const more = await openLog(path)
    await fill(more, 't', 4_000)
    await more.close()
    writeFileSync(indexPathOf(path), before)
    damagePages(indexPathOf(path))
    const again = await openLog(path)
    expect(await again.part({ game: 'g1' }, null, 9_999)).to.have.length(8_000)
    expect(await again.readStream('t-3', 0, 300)).to.have.length(250)
    await again.close()
  })

  it('leaves no file open after a start that fails, so that the next one succeeds in the same process', async () => {
    const path = newPath('log.sqlite')
    const fail = () => {
      throw new Error('no start')
    }
    const failing: LogOptions[] = [{ onOpened: fail }, { index: { onOpened: fail } }, { onStartWork: fail }]
    for (const options of failing) {
      const log = await openLog(path)
      await appended(log, `s-${failing.indexOf(options)}`, 'none', [someEvent()])
      await log.close()
      removeDerived(indexPathOf(path))
      expect(String(await rejected(openLog(path, options)))).to.include('no start')
    }
    const log = await openLog(path)
    expect(await everything(log)).to.have.length(3)
    await log.close()
  })
})

describe('the index of a log and personal data', () => {
  it('shares events in memory among readers, which cannot change them', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await appended(log, 's-1', 'none', [someEvent({ data: { nested: { list: [1] } } })])
    const [event] = await log.readStream('s-1', 0, 1)
    expect((await log.readAll(null, 1))[0]).to.equal(event)
    for (const value of [event, event?.data, event?.meta, event?.data.nested]) {
      expect(() => Object.assign(value ?? {}, { id: 'changed' })).to.throw(TypeError)
    }
    await log.close()
  })

  it('keeps stream names neither in memory nor in its file', async () => {
    const path = newPath('log.sqlite')
    const log = await openLog(path)
    await appended(log, 'stream-of-somebody', 'none', someEvents(10, { meta: { player: 'somebody' } }))
    await log.close()
    for (const file of readdirSync(dirname(path)).filter((name) => name.includes('-index'))) {
      expect(readFileSync(`${dirname(path)}/${file}`, 'latin1')).not.to.include('somebody')
    }
  })
})

/** Overwrites the first pages of two tables, so that SQLite finds it when it reads them. */
function damagePages(path: string): void {
  const db = new DatabaseSync(path)
  const roots = db
    .prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name IN ('revisions', 'members')")
    .all() as { page: number }[]
  db.close()
  const bytes = readFileSync(path)
  for (const { page } of roots) bytes.fill(0xff, (page - 1) * 4_096, page * 4_096)
  writeFileSync(path, bytes)
  reseal(path)
}
