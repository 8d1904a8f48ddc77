// The contract of vault stores beyond that of the vault: what key rotation needs.

import { expect } from 'chai'
import type { SecretKind, SecretReference, VaultStore } from '../../stores/contract/vault.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

const KINDS: readonly SecretKind[] = ['player-key', 'installation', 'key-secret', 'email']
const IDS = ['a', 'B', 'b', 'aa', 'é', '東', 'a/b', '_', '-', '0']
const P1: SecretReference = { kind: 'player-key', id: 'p-1' }

export const vaultStoreChecks: readonly Check<VaultStore>[] = [
  {
    name: 'scans every secret once, in pages of any size',
    run: (make) =>
      withFresh(make, async (vault) => {
        const put: string[] = []
        for (const [at, { kind, id }] of KINDS.flatMap((kind) => IDS.map((id) => ({ kind, id }))).entries()) {
          await vault.putIfAbsent(kind, id, Uint8Array.of(at))
          put.push(`${kind}/${id} ${at}`)
        }
        await vault.destroyForGood('player-key', 'buried')
        put.push('player-key/buried ')
        const whole = await scanned(vault, 1_000)
        expect(whole.toSorted()).to.deep.equal(put.toSorted())
        for (const limit of [1, 2, 7, put.length]) expect(await scanned(vault, limit)).to.deep.equal(whole)
      }),
  },
  {
    name: 'continues a scan after a secret that was removed',
    run: (make) =>
      withFresh(make, async (vault) => {
        for (const id of ['b', 'd', 'f']) await vault.putIfAbsent('email', id, Uint8Array.of(1))
        const [first, second] = await vault.scan(null, 2)
        if (first === undefined || second === undefined) throw new Error('there are two')
        expect([first.id, second.id]).to.deep.equal(['b', 'd'])
        await vault.destroy('email', 'd')
        await vault.putIfAbsent('email', 'a', Uint8Array.of(1))
        await vault.putIfAbsent('email', 'e', Uint8Array.of(1))
        expect((await vault.scan(second, 9)).map(({ id }) => id)).to.deep.equal(['e', 'f'])
        expect(await vault.scan({ kind: 'email', id: 'f' }, 9)).to.deep.equal([])
      }),
  },
  {
    name: 'swaps only the exact expected value',
    run: (make) =>
      withFresh(make, async (vault) => {
        const every = Uint8Array.from({ length: 256 }, (_, n) => n)
        await vault.putIfAbsent(P1.kind, P1.id, every)
        for (const before of [every.subarray(1), Uint8Array.of(), Uint8Array.of(1), every.map((byte) => byte ^ 1)]) {
          expect(await vault.swap(P1, before, Uint8Array.of(9))).to.equal(false)
        }
        expect(await vault.swap({ ...P1, id: 'p-2' }, Uint8Array.of(), Uint8Array.of(9))).to.equal(false)
        expect(await vault.swap({ ...P1, kind: 'email' }, every, Uint8Array.of(9))).to.equal(false)
        expect([await bytes(vault, P1), await bytes(vault, { ...P1, id: 'p-2' })]).to.deep.equal([[...every], null])
        expect(await vault.swap(P1, every, Uint8Array.of(9, 8))).to.equal(true)
        expect(await bytes(vault, P1)).to.deep.equal([9, 8])
        expect(await vault.swap(P1, every, Uint8Array.of(7))).to.equal(false)
        expect(await bytes(vault, P1)).to.deep.equal([9, 8])
      }),
  },
  {
    name: 'swaps once among concurrent calls, and never a buried, destroyed or replaced secret',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent(P1.kind, P1.id, Uint8Array.of(0))
        const racers = Array.from({ length: 16 }, (_, n) => vault.swap(P1, Uint8Array.of(0), Uint8Array.of(n + 1)))
        const won = await Promise.all(racers)
        expect(won.filter(Boolean)).to.have.length(1)
        expect(await bytes(vault, P1)).to.deep.equal([won.indexOf(true) + 1])
        const changes = ['destroyForGood', 'destroy', 'replace'] as const
        for (const [at, change] of changes.entries()) {
          const key = { kind: 'password', id: `w-${at}` } as const
          await vault.putIfAbsent(key.kind, key.id, Uint8Array.of(1))
          await Promise.all([
            change === 'replace' ? vault.replace(key.kind, key.id, Uint8Array.of(2)) : vault[change](key.kind, key.id),
            vault.swap(key, Uint8Array.of(1), Uint8Array.of(3)),
          ])
          expect(await vault.swap(key, Uint8Array.of(1), Uint8Array.of(4))).to.equal(false)
          const left = { destroyForGood: [], destroy: null, replace: [2] }[change]
          expect(await bytes(vault, key), change).to.deep.equal(left)
        }
      }),
  },
]

async function bytes(vault: VaultStore, { kind, id }: SecretReference): Promise<number[] | null> {
  const value = await vault.get(kind, id)
  return value === null ? null : [...value]
}

/** `kind/id value` of each, page by page. */
async function scanned(vault: VaultStore, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let after: SecretReference | null = null; ; ) {
    const page = await vault.scan(after, limit)
    found.push(...page.map(({ kind, id, value }) => `${kind}/${id} ${[...value]}`))
    if (page.length < limit) return found
    after = page.at(-1) ?? null
  }
}
