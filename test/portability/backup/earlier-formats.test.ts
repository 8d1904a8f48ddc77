// A backup that version 0.2.0 wrote of the data folder of test/fixtures/7c25e86 (test/fixtures/backup-0.2.0).

import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { command, newFolder } from '../../cli/service.ts'
import { copyOf, objectsIn } from './forged.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))
const MADE = join(FIXTURES, 'backup-0.2.0')
const ID = '20261128T080934591Z'

describe('a backup of version 0.2.0', () => {
  let env: { MASTER_KEY: string }
  before(async () => {
    const secrets = JSON.parse(await readFile(join(FIXTURES, '7c25e86', 'installation', 'secrets.json'), 'utf8'))
    env = { MASTER_KEY: Buffer.from(secrets.masterKey, 'base64url').toString('base64') }
  })

  const restore = async (from: string, ...more: string[]) =>
    command(env, 'restore', '--from', from, '--to', join(await newFolder(), 'restored'), '--json', ...more)

  it('is restored with --trust, and not without, and the refusal says why and what to do', async () => {
    const { code, err } = await restore(MADE)
    expect([code, err]).to.deep.equal([1, err])
    expect(err).to.contain(`Backup ${ID} in ${MADE} has no authentication code: version 0.2.0 or earlier made it`)
    expect(err).to.contain('or pass --trust if nobody else can write to')
    const trusted = await restore(MADE, '--trust')
    expect([trusted.code, trusted.json<{ events: number }>().events]).to.deep.equal([0, 547])
  })

  it('is verified by its sums without the key or with --trust, and refused with the key', async () => {
    for (const result of [
      await command({}, 'backup', 'verify', MADE),
      await command(env, 'backup', 'verify', MADE, '--trust'),
    ]) {
      expect([result.code, result.err]).to.deep.equal([0, ''])
      expect(result.out).to.match(/^verified: 1 backups, 547 events .*\nOnly sums were checked/)
    }
    const { code, err } = await command(env, 'backup', 'verify', MADE)
    expect([code, err.includes('has no authentication code')]).to.deep.equal([1, true])
  })

  it('is written again, with codes, by the next backup to the same destination', async () => {
    const [folder, dataDir] = [await copyOf(MADE), await newFolder()]
    await cp(join(FIXTURES, '7c25e86', 'installation'), dataDir, { recursive: true })
    const before = objectsIn(folder).filter((name) => name.startsWith('log/'))
    const next = await command({ ...env, DATA_DIR: dataDir }, 'backup', '--to', folder, '--json')
    expect(next.json()).to.deep.include({ events: 547, new_events: 0 })
    expect(objectsIn(folder).filter((name) => before.includes(name))).to.deep.equal([])
    const verified = await command(env, 'backup', 'verify', folder)
    expect([verified.code, verified.err]).to.deep.equal([0, ''])
    expect(verified.out).to.contain('1 older backups, of version 0.2.0 or earlier, have no code.')
    const listed = await command(env, 'backup', 'list', folder)
    expect(listed.out)
      .to.match(/ code\n/)
      .and.match(/ no: --trust\n/)
      .and.match(/ yes\n/)
    expect((await restore(folder)).code).to.equal(0)
    expect((await restore(folder, '--backup', ID)).code).to.equal(1)
    expect((await restore(folder, '--backup', ID, '--trust')).code).to.equal(0)
  })
})
