// Secrets are stored before what they are for is recorded: what a failure of a store or of the log answers and leaves.

import { expect } from 'chai'
import { recordFor, storeSecret, storeShortLived } from '../../commands/store-secret.ts'
import { Refusal } from '../../domain/decider.ts'
import { ShareFull, StoreUnavailable } from '../../stores/contract/faults.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { createMemoryVault } from '../memory/vault.ts'

const VALUE = Buffer.from('secret')
const LIFETIME = { nowMs: 0, expiresMs: 10 }
const STORED = [
  { kind: 'key-secret', id: 'a' },
  { kind: 'refresh-token', id: 'b' },
] as const

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (reason: unknown) => reason,
  )

describe('storing a secret', () => {
  it('keeps the first one of an id', async () => {
    const vault = createMemoryVault()
    await storeSecret(vault, 'key-secret', 'a', VALUE)
    await storeSecret(vault, 'key-secret', 'a', Buffer.from('other'))
    expect(Buffer.from((await vault.get('key-secret', 'a')) ?? []).toString()).to.equal('secret')
  })

  it('answers 503 where the vault fails, with the failure as its cause', async () => {
    const cause = new Error('disk full')
    const vault = { ...createMemoryVault(), putIfAbsent: () => Promise.reject(cause) }
    const error = await errorOf(storeSecret(vault, 'key-secret', 'a', VALUE))
    expect(error).to.be.instanceOf(Refusal)
    expect(error).to.include({ kind: 'unavailable', code: 'store_away', cause })
    expect((error as Refusal).message).to.match(/^Secrets cannot .*Idempotency-Key\.$/)
  })
})

describe('recording what secrets are for', () => {
  const recordWith = async (error: Error | null) => {
    const vault = createMemoryVault()
    for (const { kind, id } of STORED) await vault.putIfAbsent(kind, id, VALUE)
    const record = () => (error === null ? Promise.resolve('recorded') : Promise.reject(error))
    const result = await recordFor(vault, STORED, record).catch((reason: unknown) => reason)
    const left = await Promise.all(STORED.map(({ kind, id }) => vault.get(kind, id)))
    return { result, left: left.map((one) => one !== null) }
  }

  it('gives its result and leaves the secrets', async () => {
    expect(await recordWith(null)).to.deep.equal({ result: 'recorded', left: [true, true] })
  })

  it('destroys the secrets where the game is deleted', async () => {
    const error = new Refusal('not_found', 'game_not_found', 'There is no such game.')
    expect(await recordWith(error)).to.deep.equal({ result: error, left: [false, false] })
  })

  it('leaves the secrets after any other refusal or failure', async () => {
    for (const error of [new Refusal('not_found', 'not_found', 'No.'), new Error('game_not_found')]) {
      expect(await recordWith(error)).to.deep.equal({ result: error, left: [true, true] })
    }
  })

  it('answers the refusal where the secrets cannot be destroyed', async () => {
    const vault = { ...createMemoryVault(), destroy: () => Promise.reject(new Error('away')) }
    const error = new Refusal('not_found', 'game_not_found', 'There is no such game.')
    expect(await errorOf(recordFor(vault, STORED, () => Promise.reject(error)))).to.equal(error)
  })
})

describe('storing a secret for minutes', () => {
  const failing = (error: Error) => ({ ...createTransient(), put: () => Promise.reject(error) })

  it('stores it until it expires', async () => {
    const transient = createTransient()
    await storeShortLived(transient, 'code:a', 'one', LIFETIME)
    await storeShortLived(transient, 'code:b', 'two', LIFETIME)
    expect([await transient.take('code:a', 9), await transient.take('code:b', 10)]).to.deep.equal(['one', null])
  })

  it('answers 429 where its owner has used up their share', async () => {
    const error = await errorOf(storeShortLived(failing(new ShareFull(1)), 'code:a', 'one', LIFETIME))
    expect(error).to.include({ kind: 'too_many', code: 'rate_limited' })
    expect((error as Refusal).message).to.match(/^Too many .*tickets.*\.$/)
    expect((error as Refusal).fields).to.deep.equal({ retry_after: 5, policy: 'waiting' })
  })

  it('answers 503 where there is no room, with the failure as its cause', async () => {
    const cause = new Error('full')
    const error = await errorOf(storeShortLived(failing(cause), 'code:a', 'one', LIFETIME))
    expect(error).to.include({ kind: 'unavailable', code: 'store_away', cause })
    expect((error as Refusal).message).to.match(/^Too many .*Idempotency-Key\.$/)
  })

  it('leaves a failure of the store as it is', async () => {
    const away = new StoreUnavailable('away')
    expect(await errorOf(storeShortLived(failing(away), 'code:a', 'one', LIFETIME))).to.equal(away)
  })
})
