// The step of the embedded read models after which no crash loses a commit, not even a power cut.

import { readFileSync, readlinkSync } from 'node:fs'
import { expect } from 'chai'
import { openViews } from '../../stores/embedded/views.ts'
import type { Sync } from '../../stores/embedded/write-ahead.ts'
import { batch, viewSpec, write } from '../contracts/documents.ts'
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
