// The in-process transient store passes the contract, and is bounded.

import { expect } from 'chai'
import { ClaimsFull, ShareFull } from '../../stores/contract/faults.ts'
import { type Noted, REVOCATIONS_KEPT_MS } from '../../stores/contract/revocations.ts'
import { createRevocations } from '../../stores/embedded/revocations.ts'
import { createRates, createTransient } from '../../stores/embedded/transient.ts'
import { ratesChecks } from '../contracts/rates.suite.ts'
import { revocationsChecks } from '../contracts/revocations.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { transientChecks } from '../contracts/transient.suite.ts'
import { eventually } from '../until.ts'

testContract('embedded one-time secrets and marks', transientChecks, async () => createTransient())
testContract('embedded token buckets', ratesChecks, async () => createRates())
testContract('embedded revocations', revocationsChecks, async () => createRevocations())

describe('embedded revocations', () => {
  it('keep a status for its time, and delete it with the next one afterwards', async () => {
    const revocations = createRevocations()
    const noted = (id: string, pos: string): Noted => ({ subject: `session:${id}`, pos, status: { ended: true } })
    const held = async () => (await revocations.since(null)).changes.map(({ subject }) => subject)
    await revocations.note([noted('a', '1'), noted('b', '2')], 0)
    await revocations.note([noted('a', '3')], 10)
    await revocations.note([noted('c', '4')], REVOCATIONS_KEPT_MS - 1)
    expect(await held()).to.deep.equal(['session:b', 'session:a', 'session:c'])
    await revocations.note([noted('d', '5')], REVOCATIONS_KEPT_MS)
    expect(await held(), 'b has expired; a was noted again later').to.deep.equal([
      'session:a',
      'session:c',
      'session:d',
    ])
    await revocations.note([noted('e', '6')], 2 * REVOCATIONS_KEPT_MS)
    expect(await held()).to.deep.equal(['session:e'])
    expect(await revocations.find(['session:b', 'session:d'])).to.deep.equal([])
  })

  it('keep at most two subjects after 100,000 deletions spread over time', async () => {
    const revocations = createRevocations()
    for (let n = 0; n < 100_000; n += 1) {
      const status = { banned: null, deleted: true }
      await revocations.note(
        [{ subject: `player:${n}`, pos: String(n).padStart(8, '0'), status }],
        (n * REVOCATIONS_KEPT_MS) / 2,
      )
    }
    expect((await revocations.since(null)).changes.map(({ subject }) => subject)).to.deep.equal([
      'player:99998',
      'player:99999',
    ])
  })
})

describe('embedded one-time secrets and claims, when full,', () => {
  it('refuse a new one instead of dropping a valid one', async () => {
    const transient = createTransient(2)
    await transient.put('a', '1', { nowMs: 0, expiresMs: 10 })
    await transient.put('b', '2', { nowMs: 0, expiresMs: 10 })
    expect(
      await transient.put('c', '3', { nowMs: 0, expiresMs: 10 }).catch((error: unknown) => error),
    ).to.be.an.instanceOf(Error)
    await transient.put('b', 'replaced', { nowMs: 0, expiresMs: 10 })
    expect(await transient.take('a', 1)).to.equal('1')
    await transient.put('c', '3', { nowMs: 0, expiresMs: 10 })
    expect([await transient.take('b', 1), await transient.take('c', 1)]).to.deep.equal(['replaced', '3'])
    await transient.claim('m', 'a', 0, 10)
    await transient.claim('n', 'a', 0, 10)
    expect(await transient.claim('o', 'a', 0, 10).catch((error: unknown) => error)).to.be.an.instanceOf(ClaimsFull)
    await transient.lock('m', 'a', 60_000)
    await transient.lock('n', 'a', 1)
    expect(await transient.lock('n', 'a', 60_000), 'its own again').to.equal(true)
    expect(await transient.lock('o', 'a', 10).catch((error: unknown) => error)).to.be.an.instanceOf(ClaimsFull)
    await transient.lock('m', 'a', 1)
    await eventually(async () => (await transient.lock('o', 'a', 60_000).catch(() => false)) === true)
  })

  it('do not take room from other kinds: codes never refuse a challenge', async () => {
    const transient = createTransient(2)
    for (const key of ['code:a', 'code:b', 'challenge:a']) await transient.put(key, '1', { nowMs: 0, expiresMs: 10 })
    expect(
      await transient.put('code:c', '1', { nowMs: 0, expiresMs: 10 }).catch((error: unknown) => error),
    ).to.be.an.instanceOf(Error)
    await transient.put('challenge:b', '1', { nowMs: 0, expiresMs: 10 })
    expect(await transient.take('challenge:a', 1)).to.equal('1')
  })

  it('refuse one owner more than their share until one of theirs is used or expires', async () => {
    const transient = createTransient()
    const put = (key: string, owner: string, nowMs: number) =>
      transient
        .put(`ticket:${key}`, '1', { nowMs, expiresMs: nowMs + 10 }, { owner, max: 2 })
        .catch((error: unknown) => error)
    await put('a', 'one', 0)
    await put('b', 'one', 5)
    expect(await put('c', 'one', 5)).to.be.an.instanceOf(ShareFull)
    expect(await put('c', 'other', 5)).to.equal(undefined)
    expect(await put('b', 'one', 5), 'again').to.equal(undefined)
    expect(await transient.take('ticket:b', 5)).to.equal('1')
    expect(await put('d', 'one', 5)).to.equal(undefined)
    expect(await put('e', 'one', 5)).to.be.an.instanceOf(ShareFull)
    expect(await put('e', 'one', 10), 'the first has expired').to.equal(undefined)
  })

  it('free the space of an expired secret', async () => {
    let nowMs = 0
    const transient = createTransient(10)
    for (let n = 0; n < 10; n += 1) await transient.put(`k-${n}`, 'x', { nowMs, expiresMs: n < 5 ? 100 : 50 })
    nowMs = 50
    for (let n = 10; n < 15; n += 1) await transient.put(`k-${n}`, 'x', { nowMs, expiresMs: 100 })
    expect(
      await transient.put('one too many', 'x', { nowMs, expiresMs: 100 }).catch((error: unknown) => error),
    ).to.be.an.instanceOf(Error)
    expect(await transient.take('k-0', nowMs)).to.equal('x')
  })
})

describe('embedded token buckets, when full,', () => {
  it('drop the least recently used one', async () => {
    const rates = createRates(2)
    const bucket = (key: string) => ({ key, perSecond: 1, burst: 2 })
    await rates.take([bucket('a')], 0)
    await rates.take([bucket('b')], 0)
    await rates.take([bucket('a')], 0)
    await rates.take([bucket('c')], 0)
    expect(await rates.take([bucket('a')], 0)).to.deep.equal([{ admitted: false, remaining: 0, retryAfterMs: 1_000 }])
    expect(await rates.take([bucket('b')], 0)).to.deep.equal([{ admitted: true, remaining: 1, retryAfterMs: 0 }])
  })
})
