// A sealed vault passes the contract of the vault; its stored values are encrypted, keys rotate, and moved or changed
// values are detected.

import { expect } from 'chai'
import type { Vault } from '../../stores/contract/vault.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import type { MasterKeys } from '../../stores/log-decorators/sealing/row.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { testContract } from '../contracts/test-contract.ts'
import { vaultChecks } from '../contracts/vault.suite.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { newPath } from './folder.ts'

const FIRST = { id: 'm1', key: new Uint8Array(32).fill(1) }
const SECOND = { id: 'm2', key: new Uint8Array(32).fill(2) }
const KEYS: MasterKeys = { current: FIRST, previous: [] }
const SECRET = Buffer.from('a secret of some length')

testContract('a sealed vault in memory', vaultChecks, async () => sealVault(createMemoryVault(), KEYS))
testContract('a sealed embedded vault', vaultChecks, async () =>
  sealVault(await openVault(newPath('vault.sqlite')), KEYS),
)

describe('a sealed vault', () => {
  it('stores nothing in clear', async () => {
    const inner = createMemoryVault()
    await sealVault(inner, KEYS).putIfAbsent('key-secret', 'k-1', SECRET)
    const stored = Buffer.from((await inner.get('key-secret', 'k-1')) ?? [])
    expect(stored.includes(SECRET)).to.equal(false)
    expect(stored.length).to.equal(1 + 2 + 12 + SECRET.length + 16)
  })

  it('decrypts values under a previous master key, and encrypts under the current one', async () => {
    const inner = createMemoryVault()
    await sealVault(inner, KEYS).putIfAbsent('key-secret', 'old', SECRET)
    const rotated = sealVault(inner, { current: SECOND, previous: [FIRST] })
    expect(Buffer.from((await rotated.get('key-secret', 'old')) ?? [])).to.deep.equal(SECRET)
    await rotated.putIfAbsent('key-secret', 'new', SECRET)
    const later = sealVault(inner, { current: SECOND, previous: [] })
    expect(Buffer.from((await later.get('key-secret', 'new')) ?? [])).to.deep.equal(SECRET)
    expect(await failure(later.get('key-secret', 'old'))).to.match(/master key m1, which is not configured/)
  })

  it('refuses a value that was changed, moved, or encrypted under another key of the same id', async () => {
    const inner = createMemoryVault()
    const sealed = sealVault(inner, KEYS)
    await sealed.putIfAbsent('key-secret', 'k-1', SECRET)
    const stored = (await inner.get('key-secret', 'k-1')) ?? new Uint8Array()
    await inner.putIfAbsent('key-secret', 'moved', stored)
    await inner.putIfAbsent('guest-token', 'k-1', stored)
    for (let byte = 3; byte < stored.length; byte += 1) {
      await inner.putIfAbsent(
        'key-secret',
        `changed-${byte}`,
        stored.map((value, at) => (at === byte ? value ^ 1 : value)),
      )
      expect(await failure(sealed.get('key-secret', `changed-${byte}`))).to.match(/does not open/)
    }
    expect(await failure(sealed.get('key-secret', 'moved'))).to.match(/does not open/)
    expect(await failure(sealed.get('guest-token', 'k-1'))).to.match(/does not open/)
    const other = sealVault(inner, { current: { id: 'm1', key: SECOND.key }, previous: [] })
    expect(await failure(other.get('key-secret', 'k-1'))).to.match(/does not open/)
  })

  it('refuses invalid master keys', () => {
    const short = { id: 'm1', key: new Uint8Array(31) }
    expect(() => sealVault(createMemoryVault(), { current: short, previous: [] })).to.throw(RangeError)
    expect(() => sealVault(createMemoryVault(), { current: FIRST, previous: [short] })).to.throw(RangeError)
    expect(() => sealVault(createMemoryVault(), { current: { ...FIRST, id: '' }, previous: [] })).to.throw(RangeError)
  })

  it('caches player keys only, and drops a destroyed one at once, even during a read of it', async () => {
    const { vault: inner, asked } = counting(createMemoryVault())
    const sealed = sealVault(inner, KEYS)
    await sealed.putIfAbsent('player-key', 'p-1', SECRET)
    await sealed.putIfAbsent('key-secret', 'k-1', SECRET)
    for (let n = 0; n < 5; n += 1) {
      await sealed.get('player-key', 'p-1')
      await sealed.get('key-secret', 'k-1')
    }
    expect(asked()).to.equal(5)
    await sealed.destroy('player-key', 'p-1')
    expect(await sealed.get('player-key', 'p-1')).to.equal(null)
    await sealed.putIfAbsent('player-key', 'p-2', SECRET)
    const other = sealVault(inner, KEYS)
    const asking = other.get('player-key', 'p-2')
    await other.destroy('player-key', 'p-2')
    await asking
    expect(await other.get('player-key', 'p-2')).to.equal(null)
  })
})

/** The same vault, with a count of reads. */
function counting(inner: Vault): { readonly vault: Vault; asked(): number } {
  let count = 0
  const get: Vault['get'] = (kind, id) => {
    count += 1
    return inner.get(kind, id)
  }
  return { vault: { ...inner, get }, asked: () => count }
}

function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'it did not fail',
    (error: unknown) => String(error),
  )
}
