// `scorebook master-key` on the embedded stores, with the server stopped.

import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../clients/javascript/connect.ts'
import { sealingKey } from '../../credentials/master.ts'
import { keepMasterKeys } from '../../stores/embedded/data-folder.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { command, type Env, newFolder, openService } from './service.ts'

interface Status {
  readonly keys: readonly { readonly id: string; readonly which: string; readonly secrets: number }[]
  readonly buried: number
}

describe('scorebook master-key', function () {
  this.timeout(60_000)
  let dataDir: string
  const run = (env: Env, ...args: string[]) => command({ DATA_DIR: dataDir, ...env }, 'master-key', ...args)
  const status = async (env: Env = {}) => {
    const { keys } = (await run(env, 'status', '--json')).json<Status>()
    return Object.fromEntries(keys.map(({ which, secrets }) => [which, secrets]))
  }
  const secrets = async () => JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
  const newKey = () => randomBytes(32).toString('base64')

  /** Starts a server and signs in with the operator key. */
  async function expectOperator(env: Env = {}): Promise<void> {
    const service = await openService({ DATA_DIR: dataDir, ...env })
    const key = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
    expect((await connect({ baseUrl: service.url, key })).permissions).to.deep.equal(['sys:games'])
    await service.stop()
  }

  beforeEach(async () => {
    dataDir = join(await newFolder(), 'data')
    expect((await command({ DATA_DIR: dataDir }, 'init')).code).to.equal(0)
  })

  it('creates a new key if the key is stored in the data folder, and deletes the old one', async () => {
    const { masterKey } = await secrets()
    expect(await status()).to.deep.equal({ present: 3 })
    const rotated = await run({}, 'rotate')
    expect(rotated.code, rotated.err).to.equal(0)
    expect(rotated.out).to.contain('3 secrets were re-encrypted').and.contain('secrets.json holds the new one')
    expect(rotated.err).to.contain('Re-encrypting secrets: ')
    expect(Object.keys(await secrets())).to.deep.equal(['masterKey'])
    expect((await secrets()).masterKey).to.not.equal(masterKey)
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).to.equal(0o600)
    expect(await status()).to.deep.equal({ present: 3 })
    await expectOperator()
    expect((await run({ MASTER_KEY: masterKey }, 'status', '--json')).json<Status>().keys[1]?.which).to.equal(
      'not given',
    )
  })

  it('switches to a new MASTER_KEY, and prints the ids of the keys in use, never the keys', async () => {
    const { masterKey: old } = await secrets()
    const keys = { MASTER_KEY: newKey(), MASTER_KEY_OLD: ` ${newKey()}, ${old}` }
    const before = await run(keys, 'status')
    const id = (key: string) => sealingKey(Buffer.from(key, 'base64')).id
    expect(before.code).to.equal(0)
    expect(before.out).to.contain(`${id(old)}  old            3`)
    expect(before.out)
      .to.contain(`${id(keys.MASTER_KEY)}  present        0`)
      .and.contain('`npx scorebook master-key rotate`')
    await expectRefused({ MASTER_KEY: keys.MASTER_KEY }, `the vault needs the key with id ${id(old)}`)
    const rotated = await run(keys, 'rotate', '--json')
    expect([rotated.code, rotated.json()]).to.deep.equal([
      0,
      { master_key: id(keys.MASTER_KEY), resealed: 3, damaged: 0, under_other_keys: {}, complete: true },
    ])
    expect((await run(keys, 'rotate', '--json')).json<{ resealed: number }>().resealed).to.equal(0)
    await expectOperator({ MASTER_KEY: keys.MASTER_KEY })
    await expectRefused({ MASTER_KEY: old }, 'MASTER_KEY does not match the vault')
    for (const result of [before, rotated]) {
      for (const key of [keys.MASTER_KEY, old]) expect(result.out + result.err).to.not.contain(key)
    }
  })

  async function expectRefused(env: Env, error: string): Promise<void> {
    const rotated = await run(env, 'rotate')
    expect([rotated.code, rotated.out]).to.deep.equal([1, ''])
    expect(rotated.err).to.contain(error).and.contain('MASTER_KEY_OLD')
    const started = await openService({ DATA_DIR: dataDir, ...env }).then(
      () => 'it started',
      (reason: Error) => reason.message,
    )
    expect(started).to.contain(error)
    const { keys } = (await run(env, 'status', '--json')).json<Status>()
    expect(keys.find(({ which }) => which === 'not given')?.secrets).to.equal(3)
  }

  it('resumes after a kill between writing the new key and re-encrypting', async () => {
    const { masterKey } = await secrets()
    const fresh = randomBytes(32)
    await keepMasterKeys(dataDir, { current: fresh, previous: [Buffer.from(masterKey, 'base64url')] })
    expect(await status()).to.deep.equal({ present: 0, old: 3 })
    await expectOperator()
    expect((await run({}, 'rotate')).code).to.equal(0)
    expect(await secrets()).to.deep.equal({ masterKey: fresh.toString('base64url') })
    expect(await status()).to.deep.equal({ present: 3 })
  })

  it('keeps the old key, and names the missing key, if a third key encrypts a secret', async () => {
    const third = randomBytes(32)
    const vault = await openVault(join(dataDir, 'vault.sqlite'))
    const current = sealingKey(third)
    await sealVault(vault, { current, previous: [] }).putIfAbsent('email', 'e-1', Uint8Array.of(1))
    await vault.close()
    const part = await run({}, 'rotate')
    expect([part.code, Object.keys(await secrets())]).to.deep.equal([1, ['masterKey', 'oldMasterKeys']])
    expect(part.out).to.contain(
      `1 are encrypted under master key ${current.id}: set it in MASTER_KEY_OLD, and run this again.`,
    )
    const shown = await run({}, 'status')
    expect([shown.code, /not given +1\n/.test(shown.out)]).to.deep.equal([1, true])
    const whole = await run({ MASTER_KEY_OLD: third.toString('base64') }, 'rotate')
    expect([whole.code, Object.keys(await secrets())]).to.deep.equal([0, ['masterKey']])
    expect(await status()).to.deep.equal({ present: 4 })
  })

  it('reports invalid old keys without printing their values', async () => {
    const short = await run({ MASTER_KEY_OLD: `${newKey()},c2hvcnQ` }, 'status')
    expect([short.code, short.err]).to.deep.equal([
      2,
      'scorebook: MASTER_KEY_OLD has 5 bytes: give at least 32, in base64 or base64url.',
    ])
    expect((await run({ MASTER_KEY_OLD: newKey().replace('=', '!') }, 'status')).err).to.contain(
      'MASTER_KEY_OLD has characters outside base64 and base64url.',
    )
  })

  it('is rejected while a server has the data folder open, and if there is no key', async () => {
    const service = await openService({ DATA_DIR: dataDir })
    const refused = await run({}, 'rotate')
    await service.stop()
    expect([refused.code, refused.out]).to.deep.equal([1, ''])
    expect(refused.err).to.contain('is in use').and.contain('Stop the server first')
    expect(await status()).to.include({ present: 3 })
    const nowhere = await command({ DATA_DIR: await newFolder() }, 'master-key', 'status')
    expect(nowhere.err).to.contain('There is no master key. Set MASTER_KEY')
  })
})
