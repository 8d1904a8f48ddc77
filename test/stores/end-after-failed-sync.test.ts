// A store whose sync failed is closed, and its process ends by itself: the WAL stays, because it may have the only copy
// of pages.

import { execFile } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { got } from '../contracts/documents.ts'
import { everything } from '../contracts/events.ts'
import { PAGE_BYTES, pagesOf } from './damage-pages.ts'
import { newPath } from './folder.ts'

const PROGRAM = fileURLToPath(new URL('./end-after-failed-sync.ts', import.meta.url))

/** Tables whose pages a disk keeps that loses all others of the failed sync. */
const KEPT = ['progress', 'sqlite_autoindex_progress_1']

/** Runs the process, and loses pages of the sync that failed. Returns the numbers of the acknowledged writes. */
async function afterFailedSync(which: 'log' | 'index' | 'views', path: string): Promise<readonly number[]> {
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', PROGRAM, which, path], (error, out, err) => {
      if (error?.code === 3) resolve(out)
      else reject(error ?? new Error(`exited with 0: ${err}`))
    })
  })
  const failing = which === 'index' ? indexPathOf(path) : path
  losePages(failing)
  const acknowledged = Number(printed)
  expect(acknowledged).to.be.greaterThan(0)
  return Array.from({ length: acknowledged }, (_, n) => n)
}

function losePages(path: string): void {
  const onDisk = `${path}.on-disk`
  const [old, synced] = [readFileSync(onDisk), readFileSync(path)]
  for (const [name, page] of pagesOf(onDisk).roots) {
    if (KEPT.includes(name)) synced.copy(old, (page - 1) * PAGE_BYTES, (page - 1) * PAGE_BYTES, page * PAGE_BYTES)
  }
  writeFileSync(onDisk, old)
  renameSync(onDisk, path)
}

describe('a process that ends by itself after a failed sync', () => {
  it('loses no acknowledged event if the log could not be synced', async () => {
    const path = newPath('log.sqlite')
    const numbers = await afterFailedSync('log', path)
    const log = await openLog(path)
    const streams = (await everything(log)).map(({ stream }) => stream)
    expect(streams.slice(0, numbers.length)).to.deep.equal(numbers.map((n) => `s-${n}`))
    await log.close()
  })

  it('loses no event in the index of the log if that could not be synced', async () => {
    const path = newPath('log.sqlite')
    const numbers = await afterFailedSync('index', path)
    const log = await openLog(path)
    const read = await Promise.all(numbers.map((n) => log.readStream(`s-${n}`, 0, 9)))
    expect(read.map((events) => events.length)).to.deep.equal(numbers.map(() => 1))
    await log.close()
  })

  it('loses no document if the views could not be synced', async () => {
    const path = newPath('views.sqlite')
    const numbers = await afterFailedSync('views', path)
    const views = await openViews(path)
    const documents = await got(views, ...numbers.map((n) => `d-${n}`))
    expect(documents.map((document) => document?.id)).to.deep.equal(numbers.map((n) => `d-${n}`))
    await views.close()
  })
})
