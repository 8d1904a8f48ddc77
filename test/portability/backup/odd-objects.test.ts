// What somebody who can write to a backup destination puts there: nothing is read for ever, and short lists take little
// memory.

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { BackupFault } from '../../../portability/backup/destination.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { readList } from '../../../portability/backup/manifest.ts'
import { listName, sha256Hex } from '../../../portability/backup/objects.ts'
import { newPath } from '../../stores/folder.ts'

const faultOf = (reading: Promise<unknown>): Promise<unknown> => reading.catch((failure: unknown) => failure)

describe('an object at a backup destination', () => {
  for (const [what, put] of [
    ['a link', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ] as const) {
    it(`that is ${what} is refused`, async () => {
      const folder = newPath('destination')
      mkdirSync(join(folder, 'backups'), { recursive: true })
      put(join(folder, 'backups', 'one.json'))
      const fault = await faultOf(folderDestination(folder).read('backups/one.json'))
      expect(fault).to.be.instanceOf(BackupFault)
      expect(String(fault)).to.contain('one.json is no regular file')
    })
  }

  it('that is a list is refused if it is named twice, or has more text than its entries can have', async () => {
    const folder = newPath('destination')
    const destination = folderDestination(folder)
    const stored = async (text: string) => {
      const bytes = gzipSync(text)
      await destination.write(listName(sha256Hex(bytes)), bytes)
      return { sha256: sha256Hex(bytes), entries: 1 }
    }
    const fine = await stored('{"a":1}\n')
    expect(await readList(destination, [fine])).to.deep.equal([{ a: 1 }])
    expect(String(await faultOf(readList(destination, [fine, fine])))).to.contain('names a list twice')
    const large = await stored(`{"a":"${'x'.repeat(5 << 20)}"}\n`)
    expect(String(await faultOf(readList(destination, [large])))).to.contain('too large')
    writeFileSync(join(folder, 'other'), '')
    expect(await destination.read('missing')).to.equal(null)
  })
})
