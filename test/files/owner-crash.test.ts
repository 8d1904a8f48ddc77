// The owner marker of a folder is written so that a killed process or a power failure leaves the old marker or the new
// one.

import { expect } from 'chai'
import type { Disk } from '../../stores/files/disk.ts'
import { folderOwner } from '../../stores/files/folder-owner.ts'
import { openLocalFiles } from '../../stores/files/local.ts'
import { faulty, stoppingBefore } from './faulty-disk.ts'
import { KEY } from './files-api.ts'
import { createMemoryDisk, EVERY_LUCK } from './memory-disk.ts'

const ROOT = '/files'
const [OLD, NEW] = ['installation of before\n', 'installation of now, with a longer text\n']

const openOn = (disk: Disk) => openLocalFiles({ folder: ROOT, publicUrl: 'http://x', key: KEY, disk })

describe('The owner marker of a folder, written by a process that stops before any of its file operations', () => {
  for (const [how, before] of [
    ['create', null],
    ['replace', OLD],
    ['replace', null],
  ] as const) {
    it(`is the old one or the new one after a power failure: ${how} over ${before === null ? 'none' : 'another'}`, async () => {
      let boundaries = 0
      for (let at = 0, end = ''; end !== 'written'; at++, boundaries++) {
        const disk = createMemoryDisk()
        await (await openOn(disk)).close()
        if (before !== null) await folderOwner(ROOT, disk).create(before)
        const { before: stop, stopped } = stoppingBefore(at)
        const writing = folderOwner(ROOT, faulty(disk, stop))[how](NEW)
        end = await Promise.race([writing.then(() => 'written'), stopped.then(() => 'stopped')])
        for (const luck of EVERY_LUCK) {
          const after = disk.afterPowerLoss(luck)
          const found = await folderOwner(ROOT, after).read()
          expect(end === 'written' ? [NEW] : [before, NEW]).to.include(found)
          // The same call again ends with the new one, unless another marker was there first.
          await folderOwner(ROOT, after)[how](NEW)
          expect(await folderOwner(ROOT, after.afterPowerLoss({ names: 'lost', data: 'lost' })).read()).to.equal(NEW)
        }
      }
      expect(boundaries).to.be.greaterThan(5)
    })
  }

  it('is durable once a second process has seen it created by one that stopped before its last sync', async () => {
    const disk = createMemoryDisk()
    await (await openOn(disk)).close()
    const { before: stop, stopped } = stoppingBefore(6)
    void folderOwner(ROOT, faulty(disk, stop)).create(NEW)
    await stopped
    expect(await folderOwner(ROOT, disk).read()).to.equal(NEW)
    await folderOwner(ROOT, disk).create('of another installation')
    expect(await folderOwner(ROOT, disk.afterPowerLoss({ names: 'lost', data: 'lost' })).read()).to.equal(NEW)
  })
})
