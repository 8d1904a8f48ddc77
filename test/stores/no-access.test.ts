// What a start says of a data folder that it may not use: not that the files are damaged.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import { NoAccess, nameNoAccess } from '../../stores/embedded/no-access.ts'

describe('an error of a file in the data folder', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scorebook-access-'))
    path = join(folder, 'log.sqlite')
    writeFileSync(path, '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const named = (error: object) => nameNoAccess(path, Object.assign(new Error('planted'), error)) as NoAccess

  it('names a file system that is mounted read-only, and says to mount it writable', () => {
    const { what, todo, message } = named({ code: 'EROFS' })
    expect(what).to.equal(`${path} cannot be written: its file system is mounted read-only`)
    expect(todo).to.equal(`Mount the one of ${folder} writable, or set DATA_DIR to another folder.`)
    expect(message).to.equal(`${what}. ${todo}`)
  })

  for (const code of ['EACCES', 'EPERM']) {
    it(`names the user who lacks the rights after ${code}, and the command that gives them`, () => {
      const fault = named({ code })
      expect(fault).to.be.instanceOf(NoAccess).and.instanceOf(StoresFault)
      expect(fault.what).to.equal(`${path} may not be read and written by user ${statSync(path).uid}`)
      expect(fault.todo).to.equal(
        `Let this user read and write ${folder} and all files in it: chmod -R u+rwX ${folder}`,
      )
    })
  }

  it('stays as it is where the system allows reading and writing, and for any other error', () => {
    for (const error of [{ errcode: 8 }, { errcode: 14 }, { errcode: 11 }, { code: 'ENOSPC' }, {}]) {
      const planted = Object.assign(new Error('planted'), error)
      expect(nameNoAccess(path, planted), JSON.stringify(error)).to.equal(planted)
    }
  })
})
