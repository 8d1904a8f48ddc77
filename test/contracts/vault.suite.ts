// The contract of the vault.

import { expect } from 'chai'
import type { Vault } from '../../stores/contract/vault.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, n) => n)

export const vaultChecks: readonly Check<Vault>[] = [
  {
    name: 'stores nothing under an id with a NUL character, and finds nothing by one',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('key-secret', 'k-1', EVERY_BYTE)
        expect(await vault.get('key-secret', 'k-1\0')).to.equal(null)
        for (const refused of [
          vault.putIfAbsent('key-secret', 'k-1\0', EVERY_BYTE),
          vault.replace('key-secret', 'k-1\0', EVERY_BYTE),
          vault.destroy('key-secret', 'k-1\0'),
          vault.destroyForGood('key-secret', 'k-1\0'),
        ]) {
          expect(await refused.then(String, String)).to.include('NUL')
        }
        expect([...((await vault.get('key-secret', 'k-1')) ?? [])]).to.deep.equal([...EVERY_BYTE])
      }),
  },
  {
    name: 'keeps a secret exactly',
    run: (make) =>
      withFresh(make, async (vault) => {
        expect(await vault.get('key-secret', 'k-1')).to.equal(null)
        expect([...(await vault.putIfAbsent('key-secret', 'k-1', EVERY_BYTE))]).to.deep.equal([...EVERY_BYTE])
        expect([...((await vault.get('key-secret', 'k-1')) ?? [])]).to.deep.equal([...EVERY_BYTE])
      }),
  },
  {
    name: 'keeps the first of two secrets, and returns it to the second caller',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(1))
        expect([...(await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(2)))]).to.deep.equal([1])
        expect([...((await vault.get('player-key', 'p-1')) ?? [])]).to.deep.equal([1])
      }),
  },
  {
    name: 'returns the same secret to all concurrent callers',
    run: (make) =>
      withFresh(make, async (vault) => {
        const racers = Array.from({ length: 32 }, (_, n) => vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(n)))
        const answers = new Set((await Promise.all(racers)).map(([byte]) => byte))
        expect(answers).to.deep.equal(new Set([(await vault.get('player-key', 'p-1'))?.[0]]))
      }),
  },
  {
    name: 'keeps kinds and ids separate',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('player-key', 'x', Uint8Array.of(1))
        await vault.putIfAbsent('key-secret', 'x', Uint8Array.of(2))
        await vault.putIfAbsent('player-key', 'X', Uint8Array.of(3))
        await vault.destroy('player-key', 'x')
        expect(await vault.get('player-key', 'x')).to.equal(null)
        expect([...((await vault.get('key-secret', 'x')) ?? [])]).to.deep.equal([2])
        expect([...((await vault.get('player-key', 'X')) ?? [])]).to.deep.equal([3])
      }),
  },
  {
    name: 'destroys a secret, also repeatedly, and stores a new one afterwards',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('guest-token', 't-1', Uint8Array.of(1))
        await vault.destroy('guest-token', 't-1')
        await vault.destroy('guest-token', 't-1')
        expect(await vault.get('guest-token', 't-1')).to.equal(null)
        expect([...(await vault.putIfAbsent('guest-token', 't-1', Uint8Array.of(2)))]).to.deep.equal([2])
        expect([...((await vault.get('guest-token', 't-1')) ?? [])]).to.deep.equal([2])
      }),
  },
  {
    name: 'replaces an existing secret, and creates none',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('password', 'p-1', Uint8Array.of(1))
        expect(await vault.replace('password', 'p-1', Uint8Array.of(2))).to.equal(true)
        expect([...((await vault.get('password', 'p-1')) ?? [])]).to.deep.equal([2])
        expect(await vault.replace('password', 'p-1', Uint8Array.of(2))).to.equal(true)
        expect(await vault.replace('password', 'p-2', Uint8Array.of(3))).to.equal(false)
        expect(await vault.replace('email', 'p-1', Uint8Array.of(3))).to.equal(false)
        expect(await vault.get('password', 'p-2')).to.equal(null)
        await vault.destroy('password', 'p-1')
        expect(await vault.replace('password', 'p-1', Uint8Array.of(4))).to.equal(false)
        expect(await vault.get('password', 'p-1')).to.equal(null)
      }),
  },
  {
    name: 'destroys a secret permanently, also one that never existed, and then stores no other under its id',
    run: (make) =>
      withFresh(make, async (vault) => {
        await vault.putIfAbsent('player-key', 'p-1', Uint8Array.of(1, 2))
        for (const id of ['p-1', 'p-2', 'p-1']) await vault.destroyForGood('player-key', id)
        for (const id of ['p-1', 'p-2']) {
          expect([...((await vault.get('player-key', id)) ?? [9])]).to.deep.equal([])
          expect([...(await vault.putIfAbsent('player-key', id, Uint8Array.of(3)))]).to.deep.equal([])
          expect([...((await vault.get('player-key', id)) ?? [9])]).to.deep.equal([])
        }
        const racers = Array.from({ length: 16 }, (_, n) =>
          n % 2 === 0
            ? vault.destroyForGood('player-key', 'p-3')
            : vault.putIfAbsent('player-key', 'p-3', Uint8Array.of(n)),
        )
        await Promise.all(racers)
        expect([...((await vault.get('player-key', 'p-3')) ?? [9])]).to.deep.equal([])
      }),
  },
  {
    name: 'lists the ids of one kind, in pages of any size',
    run: (make) =>
      withFresh(make, async (vault) => {
        const ids = ['a', 'B', 'b', 'aa', 'é', '東', 'a/b', '_', '-', '0']
        for (const id of ids) await vault.putIfAbsent('refresh-token', id, Uint8Array.of(1))
        for (const kind of ['player-key', 'session-used', 'email'] as const)
          await vault.putIfAbsent(kind, 'other', Uint8Array.of(1))
        await vault.putIfAbsent('refresh-token', 'gone', Uint8Array.of(1))
        await vault.destroy('refresh-token', 'gone')
        for (const limit of [1, 3, ids.length, 100]) {
          const found: string[] = []
          for (let page: readonly string[] = []; ; ) {
            page = await vault.idsOf('refresh-token', page.at(-1) ?? null, limit)
            found.push(...page)
            if (page.length < limit) break
          }
          expect(found.toSorted(), String(limit)).to.deep.equal(ids.toSorted())
        }
        expect(await vault.idsOf('password', null, 10)).to.deep.equal([])
      }),
  },
  {
    name: 'does not change when callers modify the bytes that they passed or received',
    run: (make) =>
      withFresh(make, async (vault) => {
        const given = Uint8Array.of(1, 2, 3)
        const got = await vault.putIfAbsent('refresh-token', 'r-1', given)
        given.fill(9)
        got.fill(9)
        ;(await vault.get('refresh-token', 'r-1'))?.fill(9)
        expect([...((await vault.get('refresh-token', 'r-1')) ?? [])]).to.deep.equal([1, 2, 3])
      }),
  },
]
