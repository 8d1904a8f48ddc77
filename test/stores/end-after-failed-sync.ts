// A process that writes until the sync of a file fails, closes its store, and ends by itself. Arguments: which file,
// and the path of the store. Prints how many writes were acknowledged.

import { copyFileSync, fdatasync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { indexPathOf, openLog } from '../../stores/embedded/log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import type { Sync } from '../../stores/embedded/write-ahead.ts'
import { batch, viewSpec, write } from '../contracts/documents.ts'
import { someEvent } from '../contracts/events.ts'

const MAX_WRITES = 2_000
const datasync = promisify(fdatasync)
let isFailed = false

const failingOn =
  (path: string): Sync =>
  async (fd) => {
    if (readlinkSync(`/proc/self/fd/${fd}`) === path) throw new Error('EIO')
    await datasync(fd)
  }

const onFailure = () => {
  isFailed = true
}

/** Returns how many writes were acknowledged before the failure. */
async function writeUntilFailed(put: (n: number) => Promise<unknown>): Promise<number> {
  for (let n = 0; n < MAX_WRITES; n += 1) {
    const isPut = await put(n).then(
      () => true,
      () => false,
    )
    if (!isPut || isFailed) return isPut ? n + 1 : n
    // Checkpoints run beside the writes.
    await pause(1)
  }
  throw new Error('no sync failed')
}

/** What the file has on a disk that loses all pages of the failed sync. */
const keepAsOnDisk = (path: string) => copyFileSync(path, `${path}.on-disk`)

async function useLog(path: string, failing: string, characters: number): Promise<number> {
  await (await openLog(path)).close()
  keepAsOnDisk(failing)
  const sync = failingOn(failing)
  const options = failing === path ? { sync } : { index: { sync, batch: 50, checkpointFrom: 65_536 } }
  const log = await openLog(path, { ...options, onFailure })
  const data = { text: 'x'.repeat(characters) }
  const acknowledged = await writeUntilFailed((n) => log.append(`s-${n}`, 'none', [someEvent({ data })]))
  await log.close()
  return acknowledged
}

async function useViews(path: string): Promise<number> {
  const first = await openViews(path)
  await first.prepare(viewSpec())
  await first.close()
  keepAsOnDisk(path)
  const views = await openViews(path, { sync: failingOn(path), onFailure })
  const s = 'x'.repeat(200_000)
  const put = async (n: number) => {
    await views.commit([batch([write(`d-${n}`, n + 1, { s })])])
    await views.durable()
  }
  const acknowledged = await writeUntilFailed(put)
  await views.close()
  return acknowledged
}

const [which = '', path = ''] = process.argv.slice(2)
if (which === 'views') console.log(await useViews(path))
else console.log(await useLog(path, which === 'log' ? path : indexPathOf(path), which === 'log' ? 200_000 : 10))
process.exitCode = 3
