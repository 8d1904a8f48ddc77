// Key rotation: re-encrypts everything, the marker last, can be interrupted anywhere and resumed, and never undoes
// concurrent changes.

import { expect } from 'chai'
import fc from 'fast-check'
import type { SecretKind, VaultStore } from '../../stores/contract/vault.ts'
import { countByKey, reencrypt } from '../../stores/log-decorators/sealing/reencrypt.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { sized } from '../seeds.ts'

const keyOf = (byte: number) => ({ id: `m${byte}`, key: new Uint8Array(32).fill(byte) })
const [FIRST, SECOND, THIRD] = [keyOf(1), keyOf(2), keyOf(3)]
const BEFORE = { current: FIRST, previous: [SECOND] }
const AFTER = { current: SECOND, previous: [FIRST] }
const KINDS: readonly SecretKind[] = ['password', 'player-key', 'guest-token', 'key-secret']

const text = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value).toString())

/** `rows` secrets under the first key, one permanently destroyed, and the secrets of the installation itself. */
async function filled(rows: number): Promise<VaultStore> {
  const inner = createMemoryVault()
  const sealed = sealVault(inner, BEFORE)
  for (let n = 0; n < rows; n += 1) await sealed.putIfAbsent(KINDS[n % 4] ?? 'email', `s-${n}`, Buffer.from(`${n}`))
  for (const id of ['begun', 'deletions', 'root']) await sealed.putIfAbsent('installation', id, Buffer.from(id))
  await sealed.destroyForGood('player-key', 'gone')
  return inner
}

async function expectAll(inner: VaultStore, rows: number): Promise<void> {
  const sealed = sealVault(inner, { current: SECOND, previous: [] })
  for (let n = 0; n < rows; n += 1) expect(text(await sealed.get(KINDS[n % 4] ?? 'email', `s-${n}`))).to.equal(`${n}`)
  for (const id of ['begun', 'deletions', 'root']) expect(text(await sealed.get('installation', id))).to.equal(id)
  expect(text(await inner.get('player-key', 'gone'))).to.equal('')
}

/** The same store; `before` runs before each swap and may reject. */
const watched = (inner: VaultStore, before: (kind: SecretKind, id: string) => Promise<void> | void): VaultStore => ({
  ...inner,
  swap: async (key, old, fresh) => {
    await before(key.kind, key.id)
    return inner.swap(key, old, fresh)
  },
})

describe('re-encrypting a vault for key rotation', () => {
  it('re-encrypts every secret over many pages and reports each once', async () => {
    const inner = await filled(700)
    let reported = 0
    const moved = () => {
      reported += 1
    }
    const outcome = { reencrypted: 703, foreign: new Map(), damaged: 0, isComplete: true }
    expect(await reencrypt(inner, AFTER, { moved })).to.deep.equal(outcome)
    expect(reported).to.equal(700)
    expect(await countByKey(inner)).to.deep.equal(new Map(Object.entries({ m2: 703, '': 1 })))
    await expectAll(inner, 700)
    expect(await reencrypt(inner, AFTER)).to.deep.equal({ ...outcome, reencrypted: 0 })
  })

  it('re-encrypts the marker last', async () => {
    const order: string[] = []
    await reencrypt(
      watched(await filled(300), (_kind, id) => void order.push(id)),
      AFTER,
    )
    expect(order.slice(-3)).to.deep.equal(['deletions', 'root', 'begun'])
  })

  it('can be interrupted before any replacement and resumed', async () => {
    const ROWS = 9
    const exchanges = ROWS + 3
    for (let alive = 0; alive <= exchanges; alive += 1) {
      const inner = await filled(ROWS)
      let left = alive
      const mortal = watched(inner, () => {
        left -= 1
        if (left < 0) throw new Error('killed')
      })
      const ended = await reencrypt(mortal, AFTER).then(
        () => 'done',
        () => 'killed',
      )
      expect(ended, `after ${alive}`).to.equal(alive < exchanges ? 'killed' : 'done')
      const both = sealVault(inner, AFTER)
      for (let n = 0; n < ROWS; n += 1) expect(text(await both.get(KINDS[n % 4] ?? 'email', `s-${n}`))).to.equal(`${n}`)
      expect((await reencrypt(inner, AFTER)).isComplete).to.equal(true)
      await expectAll(inner, ROWS)
    }
  })

  it('never undoes concurrent changes by others', async () => {
    const ROWS = 6
    const action = fc.record({
      at: fc.nat(2 * ROWS),
      row: fc.nat(ROWS - 1),
      what: fc.constantFrom('bury', 'destroy', 'replace', 'replace by one with the old key', 'put again', 'put new'),
    })
    const property = fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      const inner = await filled(ROWS)
      const plain = new Map<string, string | null>()
      for (let n = 0; n < ROWS; n += 1) plain.set(`${KINDS[n % 4]} s-${n}`, `${n}`)
      const present = sealVault(inner, AFTER)
      // Other processes that encrypt under the old key also rotate, and have finished when the marker is moved.
      let old = sealVault(inner, BEFORE)
      const act = async ({ row, what }: (typeof actions)[number], no: number) => {
        const kind = KINDS[row % 4] ?? 'email'
        const [id, fresh] = [`s-${row}`, Buffer.from(`fresh ${no}`)]
        const key = `${kind} ${id}`
        const before = plain.get(key) ?? null
        if (what === 'bury' && kind === 'player-key') {
          await present.destroyForGood(kind, id)
          plain.set(key, '')
        } else if (what === 'destroy' && kind !== 'player-key') {
          // A permanently destroyed player key is never stored again; a cache may keep it for its two seconds.
          await present.destroy(kind, id)
          plain.set(key, null)
        } else if (what.startsWith('replace') && before !== '') {
          const replaced = await (what === 'replace' ? present : old).replace(kind, id, fresh)
          expect(replaced).to.equal(before !== null)
          if (replaced) plain.set(key, `fresh ${no}`)
        } else if (what === 'put again') {
          await old.putIfAbsent(kind, id, fresh)
          if (before === null) plain.set(key, `fresh ${no}`)
        } else if (what === 'put new') {
          await old.putIfAbsent('email', `a-${no}`, fresh)
          plain.set(`email a-${no}`, `fresh ${no}`)
        }
      }
      let exchange = 0
      let done = Promise.resolve()
      const busy = watched(inner, async (kind) => {
        if (kind === 'installation') old = present
        const now = exchange
        exchange += 1
        for (const [no, one] of actions.entries()) if (one.at === now) done = done.then(() => act(one, no))
        await done
      })
      expect((await reencrypt(busy, AFTER)).isComplete).to.equal(true)
      const later = sealVault(inner, { current: SECOND, previous: [] })
      for (const [key, value] of plain) {
        const [kind = '', id = ''] = key.split(' ')
        expect(text(await later.get(kind as SecretKind, id)), key).to.equal(value)
      }
    })
    await fc.assert(property, { numRuns: sized(30, 100) })
  })

  it('repeats while another process writes with the old key, and gives up if it never stops', async () => {
    const inner = await filled(3)
    const old = sealVault(inner, BEFORE)
    const busy = watched(inner, (kind, id) => old.replace(kind, id, Buffer.from('again')).then(() => {}))
    const { isComplete, foreign } = await reencrypt(busy, AFTER)
    expect([isComplete, foreign.size]).to.deep.equal([false, 0])
    expect(text(await old.get('installation', 'begun'))).to.equal('begun')
    expect([...(await countByKey(inner)).keys()].sort()).to.deep.equal(['', 'm1'])
  })

  it('keeps the old marker and names the key if some secrets need a key that is not configured', async () => {
    const inner = await filled(4)
    await sealVault(inner, { current: THIRD, previous: [] }).putIfAbsent('email', 'e', Buffer.from('e'))
    expect(await reencrypt(inner, AFTER)).to.deep.equal({
      reencrypted: 4,
      foreign: new Map([['m3', 1]]),
      damaged: 0,
      isComplete: false,
    })
    expect(await countByKey(inner)).to.deep.equal(new Map(Object.entries({ m1: 3, m2: 4, m3: 1, '': 1 })))
    const all = { current: SECOND, previous: [FIRST, THIRD] }
    expect(await reencrypt(inner, all)).to.include({ reencrypted: 4, isComplete: true })
    await expectAll(inner, 4)
  })

  it('skips and counts secrets that their key does not decrypt', async () => {
    const inner = await filled(4)
    const stored = (await inner.get('password', 's-0')) ?? new Uint8Array()
    await inner.putIfAbsent('email', 'moved', stored)
    expect(await reencrypt(inner, AFTER)).to.include({ reencrypted: 7, damaged: 1, isComplete: true })
    expect(await inner.get('email', 'moved')).to.deep.equal(stored)
  })
})
