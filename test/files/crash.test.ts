// A process is killed, or a machine loses power, before each file operation of an upload. The file must then be
// complete, or absent if its upload was not acknowledged, and the sweep must leave nothing else.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Expected } from '../../stores/contract/files.ts'
import type { LocalFiles } from '../../stores/contract/local-files.ts'
import { type Disk, type DiskFile, realDisk } from '../../stores/files/disk.ts'
import { folderOwner } from '../../stores/files/folder-owner.ts'
import { openLocalFiles, sweepTemporary } from '../../stores/files/local.ts'
import { newId, sha256 } from '../bytes.ts'
import { newPath } from '../stores/folder.ts'
import { type Before, faulty, stoppingBefore } from './faulty-disk.ts'
import { filesBelow, KEY } from './files-api.ts'
import { createMemoryDisk, EVERY_LUCK, type MemoryDisk } from './memory-disk.ts'

const BYTES = randomBytes(700_000)
const PIECES = Array.from({ length: 7 }, (_, n) => BYTES.subarray(n * 100_000, (n + 1) * 100_000))
const openOn = (disk: Disk, folder: string) => openLocalFiles({ folder, publicUrl: 'http://x', key: KEY, disk })
const wanted = (): Expected => ({ blob: newId(), size: BYTES.length, contentType: 'a/b', sha256: null })

async function bytesOf(files: LocalFiles, blob: string): Promise<Buffer | null> {
  const open = await files.open(blob)
  if (open === null) return null
  const bytes = Buffer.alloc(open.size)
  for (let at = 0; at < open.size; ) at += await open.read(bytes.subarray(at), at)
  await open.close()
  return bytes
}

/** Checks that the file is complete or absent by every call of the store; returns whether it exists. */
async function expectWholeOrAbsent(files: LocalFiles, { blob, size }: Expected): Promise<boolean> {
  const stored = await files.stored(blob)
  const bytes = await bytesOf(files, blob)
  if (stored === null || bytes === null) {
    expect([stored, bytes]).to.deep.equal([null, null])
    return false
  }
  expect([stored.size, stored.sha256]).to.deep.equal([size, sha256(BYTES)])
  expect(bytes.equals(BYTES)).to.equal(true)
  return true
}

/** Uploads until it is stopped before operation `at`; returns whether the upload was acknowledged. */
async function uploadUntil(disk: Disk, folder: string, expected: Expected, at: number): Promise<'stored' | 'stopped'> {
  const { before, stopped } = stoppingBefore(at)
  const files = await openOn(disk, folder)
  // Opened without faults: an upload's own operations are counted.
  const faultyFiles = await openLocalFilesAround(disk, folder, before)
  const taking = faultyFiles.take(expected, Readable.from(PIECES), new AbortController().signal)
  const end = await Promise.race([taking.then(() => 'stored' as const), stopped.then(() => 'stopped' as const)])
  await Promise.all([files.close(), faultyFiles.close()])
  return end
}

async function openLocalFilesAround(disk: Disk, folder: string, before: Before) {
  let isOpen = false
  const files = await openOn(
    faulty(disk, (operation) => (isOpen ? before(operation) : Promise.resolve()), opened),
    folder,
  )
  isOpen = true
  return files
}

/** Closes the descriptors of a killed process. */
const opened: DiskFile[] = []

describe('A file that is removed', () => {
  it('stays removed after any power failure', async () => {
    for (const luck of EVERY_LUCK) {
      const disk = createMemoryDisk()
      const files = await openOn(disk, '/files')
      const [gone, kept] = [wanted(), wanted()]
      const stored = disk.paths().length
      for (const one of [gone, kept]) await files.take(one, Readable.from(PIECES), new AbortController().signal)
      await files.remove([gone.blob, newId()])
      const after = await openOn(disk.afterPowerLoss(luck), '/files')
      expect(await expectWholeOrAbsent(after, gone)).to.equal(false)
      expect(await expectWholeOrAbsent(after, kept)).to.equal(true)
      expect(disk.paths()).to.have.length(stored + 1)
      await Promise.all([files.close(), after.close()])
    }
  })
})

describe('An upload that is interrupted before any of its file operations', () => {
  afterEach(() => Promise.all(opened.splice(0).map((file) => file.close())))

  it('leaves its file complete or absent when the process is killed, and no remainder after the sweep', async () => {
    let boundaries = 0
    for (let at = 0, end = ''; end !== 'stored'; at++) {
      const folder = newPath('files')
      const expected = wanted()
      end = await uploadUntil(realDisk, folder, expected, at)
      const files = await openOn(realDisk, folder)
      const isThere = await expectWholeOrAbsent(files, expected)
      if (end === 'stored') expect(isThere).to.equal(true)
      await sweepTemporary(realDisk, folder, Number.POSITIVE_INFINITY)
      const { blob } = expected
      expect(filesBelow(folder)).to.deep.equal(isThere ? [`${blob[0]}/${blob[1]}/${blob}`] : [])
      // The upload can be repeated, whatever remains are stored.
      const again = await files.take(expected, Readable.from(PIECES), new AbortController().signal)
      expect(again.areThese).to.equal(true)
      expect(await expectWholeOrAbsent(files, expected)).to.equal(true)
      await files.close()
      boundaries++
    }
    expect(boundaries).to.be.greaterThan(12)
  })

  it('keeps what it acknowledged, and no partial file, after a power failure', async () => {
    let boundaries = 0
    let there = 0
    for (let at = 0, end = ''; end !== 'stored'; at++) {
      const disk: MemoryDisk = createMemoryDisk()
      const expected = wanted()
      end = await uploadUntil(disk, '/files', expected, at)
      for (const luck of EVERY_LUCK) {
        const after = disk.afterPowerLoss(luck)
        const files = await openOn(after, '/files')
        const isThere = await expectWholeOrAbsent(files, expected)
        if (end === 'stored') expect(isThere).to.equal(true)
        await sweepTemporary(after, '/files', Number.POSITIVE_INFINITY)
        expect(after.paths()).to.have.length(isThere ? 1 : 0)
        if (isThere) {
          there++
          // The store reported it as stored, so it must stay stored after any power failure.
          const again = await openOn(after.afterPowerLoss({ names: 'lost', data: 'lost' }), '/files')
          expect(await expectWholeOrAbsent(again, expected)).to.equal(true)
          await again.close()
        }
        await files.close()
      }
      boundaries++
    }
    expect(boundaries).to.be.greaterThan(12)
    expect(there).to.be.greaterThan(EVERY_LUCK.length)
  })

  it('keeps what a later process acknowledged, after a later power failure', async () => {
    const unlucky = { names: 'lost', data: 'lost' } as const
    const survives = async (disk: MemoryDisk, expected: Expected) => {
      const files = await openOn(disk.afterPowerLoss(unlucky), '/files')
      expect(await expectWholeOrAbsent(files, expected)).to.equal(true)
      await files.close()
    }
    let there = 0
    for (let at = 0, end = ''; end !== 'stored'; at++) {
      const disk = createMemoryDisk()
      const expected = wanted()
      end = await uploadUntil(disk, '/files', expected, at)
      const files = await openOn(disk, '/files')
      if ((await files.stored(expected.blob)) !== null) {
        there++
        await survives(disk, expected)
      }
      await files.take(expected, Readable.from(PIECES), new AbortController().signal)
      await survives(disk, expected)
      await files.close()
    }
    expect(there).to.be.greaterThan(1)
  })
})

const ROOT = '/files'
const [OLD, NEW] = ['installation of before\n', 'installation of now, with a longer text\n']
const openFilesOn = (disk: Disk) => openLocalFiles({ folder: ROOT, publicUrl: 'http://x', key: KEY, disk })

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
        await (await openFilesOn(disk)).close()
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
    await (await openFilesOn(disk)).close()
    const { before: stop, stopped } = stoppingBefore(6)
    void folderOwner(ROOT, faulty(disk, stop)).create(NEW)
    await stopped
    expect(await folderOwner(ROOT, disk).read()).to.equal(NEW)
    await folderOwner(ROOT, disk).create('of another installation')
    expect(await folderOwner(ROOT, disk.afterPowerLoss({ names: 'lost', data: 'lost' })).read()).to.equal(NEW)
  })
})

describe('A sweep of temporary files', () => {
  it('removes the old ones of killed processes, and no file or folder of another program', async () => {
    const folder = newPath('files')
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    const random = '0123456789abcdef01'
    const own = ['abcdefgh', 'owner', 'probe', newId()].map((kind) => `${kind}.${random}`)
    own.push(`probe.${random}.link`)
    const foreign = [
      ...['report.doc', 'abcdefgh', 'owner', `.${random}`, `a.${random}`, `ABCDEFGH.${random}`, `abcdefgh.${random}0`],
      ...[`abcdefgh.${random}.doc`, `x-owner.${random}`, 'systemd-private-0123456789', 'abcdefgh.0123456789ABCDEF01'],
    ]
    // The first and last of all names: a sweep that ends at a folder leaves one of the others.
    const folders = [`aaaaaaaa.${random}`, `zzzzzzzz.${random}`, 'of-another-program']
    const young = `abcdefgi.${random}`
    for (const name of [...own, ...foreign, young]) writeFileSync(join(folder, 'tmp', name), name)
    for (const name of folders) mkdirSync(join(folder, 'tmp', name))
    for (const name of [...own, ...foreign, ...folders]) utimesSync(join(folder, 'tmp', name), 1, 1)
    const files = await openOn(realDisk, folder)
    await files.sweepTemporary()
    await files.close()
    expect(readdirSync(join(folder, 'tmp')).sort()).to.deep.equal([...foreign, ...folders, young].sort())
    for (const name of foreign) expect(readFileSync(join(folder, 'tmp', name), 'utf8')).to.equal(name)
  })
})

describe('A list of blobs', () => {
  it('has no folder with the name of a blob, which no orphan sweep could delete', async () => {
    const folder = newPath('files')
    mkdirSync(join(folder, 'a', 'b', 'abcdefgh'), { recursive: true })
    writeFileSync(join(folder, 'a', 'b', 'abcdefgi'), 'x'.repeat(40))
    const files = await openOn(realDisk, folder)
    expect((await files.list(null, 9)).map(({ blob }) => blob)).to.deep.equal(['abcdefgi'])
    await files.close()
  })
})
