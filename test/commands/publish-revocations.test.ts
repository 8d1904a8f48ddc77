// The revocations published for keys and sessions: correct at their position, published again by a repeated call, and
// published for what was done before a failure.

import { expect } from 'chai'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { issue, revoke, setPermissions } from '../../commands/key.ts'
import { publishPlayer } from '../../commands/publish-revocations.ts'
import { end, endAll, start } from '../../commands/session.ts'
import { workingKeys } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { createRevocations } from '../../stores/embedded/revocations.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { fresh, keyed } from './counter-aggregate.ts'

const NEW_KEY = { game: 'g', name: '', kind: 'server', algorithm: 'ed25519', permissions: ['a', 'b'] } as const
const mayGrant = () => {}
const at = (n: number) => n.toString(16).padStart(16, '0')
/** Of the nth event of a key: two of its slot come before it. */
const ofKey = (n: number) => at(n + 2)

describe('publishing revocations', () => {
  let deps: CommandDeps
  let published: Noted[]
  let isUnavailable: boolean
  const store = () => createRevocations()

  beforeEach(() => {
    const log = createMemoryLog()
    published = []
    isUnavailable = false
    deps = {
      ...{ log, handler: createHandler(log), vault: createMemoryVault(), keys: workingKeys(new Uint8Array(32)) },
      publish: async (changes) => {
        if (isUnavailable) throw new StoreUnavailable('planted')
        published.push(...changes)
      },
    }
  })

  const prefixOf = async () => (await issue(deps, NEW_KEY, fresh())).prefix
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: Error) => error.name,
    )

  it('publishes nothing for created keys, sessions and players', async () => {
    await prefixOf()
    await start(deps, { game: 'g', player: 'p', key: 'k', permissions: [], signOuts: 0 }, fresh())
    expect(published).to.deep.equal([])
  })

  it('publishes a key’s status, and the same again after a call that changes nothing', async () => {
    const prefix = await prefixOf()
    await setPermissions(deps, { prefix, game: 'g', permissions: ['a'], mayGrant }, fresh())
    await setPermissions(deps, { prefix, game: 'g', permissions: ['a'], mayGrant }, fresh())
    await revoke(deps, prefix, 'g', fresh())
    await revoke({ ...deps, handler: createHandler(deps.log) }, prefix, 'g', fresh())
    const narrowed = { subject: `key:${prefix}`, pos: ofKey(2), status: { revoked: false, permissions: ['a'] } }
    const revoked = { subject: `key:${prefix}`, pos: ofKey(3), status: { revoked: true, permissions: ['a'] } }
    expect(published).to.deep.equal([narrowed, narrowed, revoked, revoked])
  })

  it('publishes the last state of an append, in any order of publication', async () => {
    const prefix = await prefixOf()
    const first = setPermissions(deps, { prefix, game: 'g', permissions: ['b'], mayGrant }, fresh())
    // These wait for the first, and are appended as one.
    const together = [
      setPermissions(deps, { prefix, game: 'g', permissions: ['a'], mayGrant }, fresh()),
      revoke(deps, prefix, 'g', fresh()),
    ]
    await Promise.all([first, ...together])
    const status = { revoked: true, permissions: ['a'] }
    expect(published.slice(1)).to.deep.equal(Array(2).fill({ subject: `key:${prefix}`, pos: ofKey(4), status }))
    for (const order of [published, published.toReversed()]) {
      const kept = store()
      for (const one of order) await kept.note([one], 0)
      expect((await kept.find([`key:${prefix}`])).map((one) => one.status)).to.deep.equal([status])
    }
  })

  it('publishes the same state again for a repeated call', async () => {
    const prefix = await prefixOf()
    await setPermissions(deps, { prefix, game: 'g', permissions: ['a'], mayGrant }, keyed('narrow'))
    await revoke(deps, prefix, 'g', fresh())
    await setPermissions(deps, { prefix, game: 'g', permissions: ['a'], mayGrant }, keyed('narrow'))
    expect(published.map(({ pos }) => pos)).to.deep.equal([ofKey(2), ofKey(3), ofKey(2)])
    expect(published[2]).to.deep.equal(published[0])
  })

  it('fails the call if publishing fails, and publishes when it is repeated', async () => {
    const prefix = await prefixOf()
    isUnavailable = true
    expect(await failure(revoke(deps, prefix, 'g', fresh()))).to.equal('StoreUnavailable')
    isUnavailable = false
    expect((await revoke(deps, prefix, 'g', fresh())).written).to.equal(null)
    expect(published).to.deep.equal([
      { subject: `key:${prefix}`, pos: ofKey(2), status: { revoked: true, permissions: ['a', 'b'] } },
    ])
  })

  it('publishes each ended session, even if a later one could not be ended', async () => {
    const newSession = { game: 'g', player: 'p', key: 'k', permissions: [], signOuts: 0 }
    const [one, two, three] = [
      (await start(deps, newSession, fresh())).id,
      (await start(deps, newSession, fresh())).id,
      (await start(deps, newSession, fresh())).id,
    ]
    await end(deps, { game: 'g', player: 'p', session: one }, fresh())
    const failing: CommandDeps['handler'] = {
      handle: (aggregate, about, ...rest) => {
        if (about.stream.endsWith(three)) throw new Refusal('unavailable', 'log_unavailable', 'planted')
        return deps.handler.handle(aggregate, about, ...rest)
      },
    }
    const of = (...sessions: readonly string[]) => ({ game: 'g', player: 'p', sessions })
    expect(await failure(endAll({ ...deps, handler: failing }, of(two, three, 'none'), fresh()))).to.equal('Refusal')
    expect(published).to.deep.equal([
      { subject: `session:${one}`, pos: at(4), status: { ended: true } },
      { subject: `session:${two}`, pos: at(5), status: { ended: true } },
    ])
    expect((await endAll(deps, of('none'), fresh())).handled).to.have.length(1)
    expect(published).to.have.length(2)
  })

  it('publishes a player’s status by the state of the whole stream', async () => {
    const current = { state: { bannedUntil: 'later' }, at: { game: 'g', position: at(9) } }
    const statusOf = ({ bannedUntil }: { bannedUntil: string }) => ({
      banned: { until: bannedUntil, reason: null },
      deleted: false,
    })
    await publishPlayer(deps, 'p', { current }, statusOf)
    await publishPlayer(deps, 'p', { current: null }, statusOf)
    expect(published).to.deep.equal([
      { subject: 'player:p', pos: at(9), status: { banned: { until: 'later', reason: null }, deleted: false } },
    ])
  })
})
