// The root secret, from which all keys except the encryption keys derive: created once and kept through every change
// of the master key. For an installation created without one it is its first master key.

import { expect } from 'chai'
import { sealingKeys, workingKeys } from '../../credentials/master.ts'
import { StoresFault, StoreUnavailable } from '../../stores/contract/faults.ts'
import type { OpenedStores } from '../../stores/contract/stores.ts'
import { openEmbedded } from '../../stores/embedded/open.ts'
import { openSealed } from '../../stores/log-decorators/sealing/open.ts'
import { reencrypt } from '../../stores/log-decorators/sealing/reencrypt.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'

const master = (byte: number) => new Uint8Array(32).fill(byte)
const keys = (current: number, ...previous: readonly number[]) =>
  sealingKeys({ current: master(current), previous: previous.map(master) })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the root secret', () => {
  let stores: OpenedStores
  beforeEach(async () => {
    const folder = newPath('').replace(/\/$/, '')
    stores = await openEmbedded(folder, { onFailure: () => {} })
  })
  afterEach(() => stores.close())

  const rootUnder = async (...given: Parameters<typeof keys>) =>
    hex((await openSealed(stores, keys(...given), {})).root)
  const fault = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof StoresFault ? error.message : `no StoresFault: ${error}`),
    )
  /** Starts an installation like a version without root secrets. */
  async function beginAsBefore(byte: number): Promise<void> {
    await sealVault(stores.vault, keys(byte)).putIfAbsent('installation', 'begun', Uint8Array.of(1))
    await stores.log.append('s-1', 'none', [someEvent()])
  }

  it('is random, and equal at every start', async () => {
    const root = await rootUnder(1)
    expect(root)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(hex(master(1)))
    expect([await rootUnder(1), await rootUnder(1, 2)]).to.deep.equal([root, root])
    for (const { id, value } of await stores.vault.scan(null, 9)) expect(hex(value), id).to.not.contain(root)
  })

  it('is the same for all processes that start an installation concurrently', async () => {
    const roots = await Promise.all(Array.from({ length: 8 }, () => rootUnder(1)))
    expect(new Set(roots)).to.deep.equal(new Set([await rootUnder(1)]))
  })

  it('stays the same through each step of a master key rotation', async () => {
    const root = await rootUnder(1)
    const [before, both] = [keys(1, 2), keys(2, 1)]
    expect([await rootUnder(1, 2), await rootUnder(2, 1)]).to.deep.equal([root, root])
    expect(await fault(rootUnder(2))).to.contain(
      `the vault needs the key with id ${before.current.id}, the configured keys are ${both.current.id}.`,
    )
    expect(await reencrypt(stores.vault, both)).to.include({ reencrypted: 2, isComplete: true })
    expect([await rootUnder(2), await rootUnder(1, 2)]).to.deep.equal([root, root])
    expect(await fault(rootUnder(1))).to.match(/^MASTER_KEY does not match the vault: .* MASTER_KEY_OLD\.$/)
  })

  it('of an installation that started without one is its first master key, also after rotations', async () => {
    await beginAsBefore(1)
    expect(await rootUnder(2, 1)).to.equal(hex(master(1)))
    await reencrypt(stores.vault, keys(2, 1))
    expect(await rootUnder(2)).to.equal(hex(master(1)))
  })

  it('derives the same keys as before root secrets were introduced', () => {
    const derived = workingKeys(master(7))
    expect(derived.installation).to.equal('07bc91adf39a3908650ba489')
    expect(hex(derived.token)).to.equal('c9717d0d946c7debfe51c2c27d42091008f8d774fae68b7bb741bbe3e69f82a9')
    expect(hex(derived.generator)).to.equal('4c34e9dcd02eb1a6683fc2776167d091fa51e6e9127896385666187e4949e05e')
    expect(hex(derived.digest)).to.equal('5fbfa034d12fdace9ee40780d0e30b1521e08239d220cdd0b78c9a39e04866c2')
    expect(hex(derived.decoy)).to.equal('ac004d7b2ac56166228d6e10762c055eefa4fccd6b5a867a2d60f2c29e28aadb')
    const { id, key } = keys(7).current
    expect(id).to.equal('40b78fb0cb61d745')
    expect(hex(key)).to.equal('878768548bb41e22c1e47d9ec298f4d19594d49d752222f8c1b25d70aac8a2d4')
  })

  it('is not created if a log exists but its vault is lost, or while the vault is unavailable', async () => {
    await stores.log.append('s-1', 'none', [someEvent()])
    expect(await fault(rootUnder(1))).to.match(/^The vault is empty, but its log is not/)
    expect((await stores.vault.scan(null, 9)).length).to.equal(0)
    const unavailable = { ...stores.vault, get: () => Promise.reject(new StoreUnavailable('MongoDB is unavailable')) }
    expect(await fault(openSealed({ ...stores, vault: unavailable }, keys(1), {}))).to.equal('MongoDB is unavailable')
  })
})
