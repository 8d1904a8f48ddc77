// What is in place of files that are built from the log: folders, links to nothing, and checkpoints that copy nothing.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Log } from '../../stores/contract/log.ts'
import { NotAsWritten } from '../../stores/embedded/damaged.ts'
import { closeDerived, openDerived } from '../../stores/embedded/derived-database.ts'
import { headsPathOf, indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { openEmbedded } from '../../stores/embedded/open.ts'
import { WriteAhead } from '../../stores/embedded/write-ahead.ts'
import { appended, everything, someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'

const SCHEMA = 'CREATE TABLE IF NOT EXISTS t (k INTEGER PRIMARY KEY, v TEXT);'

function opened(path: string, use: (wal: WriteAhead, insert: (text: string) => void) => void = () => {}): void {
  const db = openDerived(path, SCHEMA)
  const wal = new WriteAhead(db, path, { isSummed: true })
  const insert = db.prepare('INSERT INTO t (v) VALUES (?)')
  use(wal, (text) => insert.run(text))
  closeDerived(db, wal)
  wal.close()
}

describe('a file that is built from the log', () => {
  it('is found to be damaged after checkpoints that had nothing to copy', () => {
    const path = join(newPath('derived'), 'x.sqlite')
    mkdirSync(dirname(path))
    opened(path, (_, insert) => {
      for (let n = 0; n < 500; n += 1) insert(`text number ${n}`)
    })
    opened(path, (wal) => {
      wal.truncate()
      wal.truncate()
      wal.markCycle()
    })
    opened(path)
    const bytes = readFileSync(path)
    const at = bytes.indexOf('text number 400')
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(path, bytes)
    expect(() => opened(path)).to.throw(NotAsWritten, /page \d+ is not as it was written/)
  })

  for (const name of ['views.sqlite', 'log-index.sqlite'] as const) {
    for (const end of ['', '-wal', '-sums', '-journal']) {
      for (const [what, put] of [
        ['a folder', (path: string) => mkdirSync(join(path, 'in it'), { recursive: true })],
        ['a link to nothing', (path: string) => symlinkSync(`${path}-nowhere`, path)],
      ] as const) {
        it(`is built again if ${what} is ${name}${end}`, async () => {
          const folder = newPath('derived')
          mkdirSync(folder)
          const first = await openEmbedded(folder, { onFailure: () => {} })
          await appended(first.log, 's-1', 'none', [someEvent()])
          await first.close()
          rmSync(join(folder, `${name}${end}`), { force: true })
          put(join(folder, `${name}${end}`))
          const repaired: string[] = []
          const open = () =>
            openEmbedded(folder, { onFailure: () => {}, onRepaired: ({ file }) => void repaired.push(file) })
          const next = await open().catch((failure: { file: string }) => {
            repaired.push(failure.file)
            return open()
          })
          expect(repaired).to.deep.equal([name])
          expect(await everything(next.log)).to.have.length(1)
          await next.close()
          await (await open()).close()
          expect(repaired).to.have.length(1)
        })
      }
    }
  }
})

describe('damaged heads of streams', () => {
  for (const [what, put] of [
    ['a folder', (path: string) => mkdirSync(join(path, 'in it'), { recursive: true })],
    ['a text', (path: string) => writeFileSync(path, 'no heads at all')],
  ] as const) {
    it(`are reported once if they are ${what}`, async () => {
      const path = join(newPath('derived'), 'log.sqlite')
      mkdirSync(dirname(path))
      const log = await openLog(path, { headsWorthWriting: 1 })
      await appended(log, 's-1', 'none', [someEvent()])
      await log.close()
      rmSync(headsPathOf(path))
      put(headsPathOf(path))
      const repaired: string[] = []
      const open = () => openLog(path, { onRepaired: ({ file }) => void repaired.push(file) })
      for (const _ of ['first', 'second']) await (await open()).close()
      expect(repaired).to.deep.equal(['log-heads'])
      expect(existsSync(headsPathOf(path))).to.equal(false)
    })
  }

  it('that lack a stream, with the right checksum, end the log before a revision is appended twice', async () => {
    const path = join(newPath('derived'), 'log.sqlite')
    mkdirSync(dirname(path))
    const first = await openLog(path, { headsWorthWriting: 1 })
    await appended(first, 's-1', 'none', [someEvent(), someEvent()])
    await first.close()
    const bytes = readFileSync(headsPathOf(path))
    const slots = 8 + bytes.readUInt32LE(4)
    bytes.fill(0, slots)
    bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0)
    for (const use of [
      (log: Log) => log.append('s-1', 'none', [someEvent()]),
      (log: Log) => log.readStream('s-1', 0, 10),
    ]) {
      writeFileSync(headsPathOf(path), bytes)
      const failures: Error[] = []
      const log = await openLog(path, { onFailure: (failure) => void failures.push(failure) })
      const refused = await use(log).then(
        () => null,
        (error: Error) => error,
      )
      expect(refused).to.be.instanceOf(StoreUnavailable)
      expect(failures).to.have.length(1)
      await log.close().catch(() => {})
      expect(existsSync(headsPathOf(path))).to.equal(false)
      const next = await openLog(path, { headsWorthWriting: 1 })
      expect((await everything(next)).map(({ revision }) => revision)).to.deep.equal([0, 1])
      expect(await next.readStream('s-1', 0, 10)).to.have.length(2)
      await next.close()
    }
  })

  it('do not end a log whose new ones cannot be written', async () => {
    const path = join(newPath('derived'), 'log.sqlite')
    mkdirSync(join(dirname(path), 'log-heads.new', 'in it'), { recursive: true })
    const log = await openLog(path, { headsWorthWriting: 1 })
    await appended(log, 's-1', 'none', [someEvent()])
    await log.close()
    expect(readdirSync(dirname(path))).to.not.include('log-heads.new')
    expect(existsSync(indexPathOf(path))).to.equal(true)
  })
})
