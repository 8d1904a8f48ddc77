// The embedded vault passes the contract, persists in its file, and leaves no destroyed secret in any file.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { Vault } from '../../stores/contract/vault.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { testContract } from '../contracts/test-contract.ts'
import { vaultChecks } from '../contracts/vault.suite.ts'
import { vaultStoreChecks } from '../contracts/vault-store.suite.ts'
import { newPath } from './folder.ts'

testContract('the embedded vault', vaultChecks, () => openVault(newPath('vault.sqlite')))
testContract('the embedded store of secrets', vaultStoreChecks, () => openVault(newPath('vault.sqlite')))

describe('the embedded vault', () => {
  it('has the same secrets when it is opened again', async () => {
    const path = newPath('vault.sqlite')
    const first = await openVault(path)
    await first.putIfAbsent('player-key', 'p-1', Uint8Array.of(1, 2))
    await first.putIfAbsent('player-key', 'p-2', Uint8Array.of(3, 4))
    await first.destroy('player-key', 'p-1')
    await first.close()
    const second = await openVault(path)
    expect(await second.get('player-key', 'p-1')).to.equal(null)
    expect([...((await second.get('player-key', 'p-2')) ?? [])]).to.deep.equal([3, 4])
    await second.close()
  })

  it('leaves no bytes of a destroyed secret in any file of its folder', async () => {
    const path = newPath('vault.sqlite')
    const vault = await openVault(path)
    const secret = (n: number) => Buffer.from(`<planted secret number ${n.toString().padStart(4, '0')}>`)
    for (let n = 0; n < 300; n += 1) await vault.putIfAbsent('player-key', `p-${n}`, secret(n))
    expect(holders(path, secret(7))).to.not.deep.equal([])
    const destroyed = Array.from({ length: 100 }, (_, n) => n * 3 + 1)
    await destroyAll(vault, destroyed)
    for (const n of destroyed) expect(holders(path, secret(n)), `secret ${n}`).to.deep.equal([])
    for (let n = 0; n < 300; n += 3) expect(holders(path, secret(n))).to.not.deep.equal([])
    await vault.close()
    for (const n of destroyed) expect(holders(path, secret(n)), `secret ${n}`).to.deep.equal([])
  })
})

describe('a day of last use in the embedded vault', () => {
  it('is replaced without truncating the write-ahead file, unlike a secret', async () => {
    const path = newPath('vault.sqlite')
    const vault = await openVault(path)
    const walBytes = () => statSync(`${path}-wal`).size
    for (const kind of ['last-used', 'session-used', 'password'] as const) {
      await vault.putIfAbsent(kind, 'k-1', Buffer.from('2026-11-25'))
      const before = walBytes()
      expect(await vault.replace(kind, 'k-1', Buffer.from('2026-11-26'))).to.equal(true)
      expect(Buffer.from((await vault.get(kind, 'k-1')) ?? []).toString()).to.equal('2026-11-26')
      expect(walBytes() > before, kind).to.equal(kind !== 'password')
    }
    await vault.close()
  })
})

/** Half one after another, half at once. */
async function destroyAll(vault: Vault, numbers: readonly number[]): Promise<void> {
  for (const n of numbers.slice(50)) await vault.destroy('player-key', `p-${n}`)
  await Promise.all(numbers.slice(0, 50).map((n) => vault.destroy('player-key', `p-${n}`)))
}

/** The vault's files that contain the bytes. Reading them drops the vault's lock, which nobody else wants here. */
function holders(path: string, bytes: Buffer): string[] {
  const folder = dirname(path)
  return readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(bytes))
}
