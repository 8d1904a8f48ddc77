// The step of the embedded read models after which no crash loses a commit, not even a power cut; and what they do
// while their WAL is checkpointed.

import { fdatasync, readFileSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { MAX_CHARACTERS } from '../../stores/embedded/held-transaction.ts'
import { openViews } from '../../stores/embedded/views.ts'
import type { Sync } from '../../stores/embedded/write-ahead.ts'
import { batch, got, viewSpec, write } from '../contracts/documents.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { gate, turn, until } from '../until.ts'
import { newPath } from './folder.ts'

async function opened() {
  const path = newPath('views.sqlite')
  const disk: { synced: string; error: Error | null } = { synced: '', error: null }
  const sync: Sync = async (fd) => {
    if (disk.error !== null) throw disk.error
    const file = readlinkSync(`/proc/self/fd/${fd}`)
    if (file.endsWith('-wal')) disk.synced = readFileSync(file, 'latin1')
  }
  const failures: Error[] = []
  const views = await openViews(path, { sync, onFailure: (error) => failures.push(error) })
  await views.prepare(viewSpec())
  return { views, disk, failures }
}

describe('the embedded read models, made durable', () => {
  it('have synced every commit that had resolved, and not before', async () => {
    const { views, disk } = await opened()
    await views.commit([batch([write('d-1', 1, { s: 'Qzdurable' })])])
    expect(disk.synced).to.not.include('Qzdurable')
    await views.durable()
    expect(disk.synced).to.include('Qzdurable')
    await views.close()
  })

  it('reject if the sync fails, and write nothing more', async () => {
    const { views, disk, failures } = await opened()
    await views.commit([batch([write('d-1', 1, { s: 'x' })])])
    disk.error = new Error('the disk is gone')
    expect(await views.durable().then(String, String)).to.include('could not be synced to disk')
    expect(failures).to.have.length(1)
    disk.error = null
    expect(await views.commit([batch([write('d-2', 2, { s: 'x' })])]).then(String, String)).to.include('could not')
    await views.close()
  })
})

const datasync = promisify(fdatasync)
const WAL_LIMIT = 4 * 2 ** 20

describe('a checkpoint of the embedded read models', () => {
  // On a busy machine a COMMIT takes long, and later transactions are full sooner: the one that is open then may be
  // full already, and a commit waits for the sync.
  const { now } = performance
  beforeEach(() => {
    performance.now = () => 0
  })
  afterEach(() => {
    performance.now = now
  })

  /** The read models, with a sync of their file that waits for `held` and may fail. */
  async function opened() {
    const path = newPath('views.sqlite')
    const disk: { held: ReturnType<typeof gate>; syncing: number; error: Error | null } = {
      held: gate(),
      syncing: 0,
      error: null,
    }
    const failures: Error[] = []
    const sync: Sync = async (fd) => {
      if (readlinkSync(`/proc/self/fd/${fd}`).endsWith('.sqlite')) {
        disk.syncing += 1
        await disk.held.opened
        disk.syncing -= 1
        if (disk.error !== null) throw disk.error
      }
      await datasync(fd)
    }
    const views = await openViews(path, { sync, onFailure: (error) => failures.push(error) })
    await views.prepare(viewSpec())
    let made = 0
    const put = async (characters: number) => {
      const id = `d-${made++}`
      await views.commit([batch([write(id, made, { s: 'x'.repeat(characters), n: made })])])
      return id
    }
    /** Commits until the WAL is so large that a checkpoint begins, and its file is being synced. */
    const untilSyncing = async () => {
      for (let written = 0; written <= 2 * WAL_LIMIT; written += 200_000) {
        await put(200_000)
        await turn()
        if (disk.syncing > 0) return
      }
      await until(() => disk.syncing > 0)
    }
    return { path, views, disk, failures, put, untilSyncing, wal: () => readFileSync(`${path}-wal`) }
  }

  it('lets commits go on while the file is synced, and writes none of them to the WAL', async () => {
    const { path, views, disk, put, untilSyncing, wal } = await opened()
    await untilSyncing()
    const before = wal()
    const ids = [await put(1_000), await put(1_000)]
    const shown = await got(views, ...ids)
    expect([shown.every((one) => one !== null), disk.syncing]).to.deep.equal([true, 1])
    expect(wal().equals(before)).to.equal(true)
    disk.held.open()
    await views.close()
    const again = await openViews(path)
    expect(await got(again, ...ids)).to.deep.equal(shown)
    await again.close()
  })

  it('makes commits wait for the sync once the open transaction is full', async () => {
    const { views, disk, put, untilSyncing, wal } = await opened()
    await untilSyncing()
    const before = wal()
    let done = 0
    const puts = Array.from({ length: 8 }, async () => {
      await put(MAX_CHARACTERS / 4)
      done += 1
    })
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(done).to.be.within(1, 6)
    expect(wal().equals(before)).to.equal(true)
    disk.held.open()
    await Promise.all(puts)
    await views.close()
  })

  it('makes a commit durable only once the file is synced', async () => {
    const { views, disk, untilSyncing } = await opened()
    await untilSyncing()
    let isDone = false
    const lasting = views.commit([batch([write('own', 9, { s: 'x' })])]).then(async () => {
      await views.durable()
      isDone = true
    })
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(isDone).to.equal(false)
    disk.held.open()
    await lasting
    await views.close()
  })

  it('never writes over a WAL whose file could not be synced', () =>
    withFakeTimers(async ({ running, fire }) => {
      const { views, disk, failures, put, untilSyncing, wal } = await opened()
      await untilSyncing()
      const before = wal()
      await put(1_000)
      disk.error = new Error('the disk')
      disk.held.open()
      await until(() => failures.length > 0)
      const error = await put(1_000).catch((rejection) => rejection)
      expect(error.message).to.contain('could not be synced to disk')
      expect(running.size).to.equal(1)
      fire()
      expect(wal().equals(before)).to.equal(true)
      await views.close()
    }))
})
