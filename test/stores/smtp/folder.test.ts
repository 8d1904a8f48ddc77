// Removal of mails from the data folder when a game or a player is deleted.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { removeMailsOf } from '../../../stores/smtp/folder.ts'

describe('removeMailsOf', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-mail-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const mail = (name: string, game: string, to: string) =>
    writeFile(join(folder, `${name}.eml`), [`To: ${to}`, `X-Scorebook-Game: ${game}`, '', 'Your code'].join('\r\n'))

  it('removes the mails of one game only', async () => {
    await mail('a', 'g1', 'a@example.com')
    await mail('b', 'g2', 'a@example.com')
    await removeMailsOf(folder, 'g1')
    expect(await readdir(folder)).to.deep.equal(['b.eml'])
  })

  it('removes nothing if there is no folder', () => removeMailsOf(join(folder, 'none'), 'g1'))

  it('fails if a mail cannot be read, so that the removal is retried', async () => {
    await mkdir(join(folder, 'unreadable.eml'))
    const failure: unknown = await removeMailsOf(folder, 'g1').catch((error: unknown) => error)
    expect(failure).to.have.property('code', 'EISDIR')
  })
})
