// The revocations of a node when polls stall, are late or fail, and when the store is emptied.

import { expect } from 'chai'
import { POLL_EVERY_MS, SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { TOKEN_LIFETIME_S } from '../../credentials/tokens.ts'
import { REVOCATIONS_KEPT_MS } from '../../stores/contract/revocations.ts'
import { pause } from '../until.ts'
import {
  at,
  endedSession,
  failureOf,
  narrowedKey,
  RevocationsWorld,
  revokedKey,
  type TestNode,
} from './revocations-world.ts'

describe('the revocations that a node knows', () => {
  let world: RevocationsWorld
  let a: TestNode
  let b: TestNode

  beforeEach(async () => {
    world = new RevocationsWorld()
    a = world.node()
    b = world.node()
    await a.revocations.poll()
    await b.revocations.poll()
  })

  const knows = ({ revocations }: TestNode, prefix: string, after = 0) =>
    revocations.newerThan(at(after), `key:${prefix}`) !== null
  const isSynced = ({ revocations }: TestNode) => revocations.isSynced(world.elapsedMs)

  it('knows its own at once and those of other nodes after the next poll', async () => {
    await a.revocations.note([revokedKey('k', 5)])
    expect([knows(a, 'k'), knows(b, 'k')]).to.deep.equal([true, false])
    await b.revocations.poll()
    expect(b.revocations.newerThan(at(4), 'key:k')).to.deep.equal(revokedKey('k', 5))
    expect(b.revocations.newerThan(at(5), 'key:k')).to.equal(null)
  })

  it('keeps the newer of two statuses, in any order of arrival', async () => {
    await a.revocations.note([revokedKey('k', 5)])
    await a.revocations.note([narrowedKey('k', 4, [])])
    await b.revocations.note([narrowedKey('k', 3, [])])
    await b.revocations.poll()
    for (const node of [a, b]) expect(node.revocations.newerThan(at(0), 'key:k')).to.deep.equal(revokedKey('k', 5))
  })

  it('counts as synchronised for two seconds from the start of a poll, not from its answer', async () => {
    world.elapsedMs += SYNCED_WITHIN_MS
    expect(isSynced(b)).to.equal(true)
    world.elapsedMs += 1
    expect(isSynced(b)).to.equal(false)
    b.way = 'silent'
    const poll = b.revocations.poll()
    world.elapsedMs += SYNCED_WITHIN_MS + 1
    b.forgetExpired()
    await poll
    expect(isSynced(b)).to.equal(false)
    expect(b.revocations.syncAgeMs()).to.equal(SYNCED_WITHIN_MS + 1)
  })

  it('synchronises with later polls if one is never answered', async () => {
    b.way = 'silent'
    void b.revocations.poll()
    b.way = 'open'
    await a.revocations.note([revokedKey('k', 5)])
    world.elapsedMs += POLL_EVERY_MS
    await b.revocations.poll()
    expect([knows(b, 'k'), b.revocations.syncAgeMs()]).to.deep.equal([true, 0])
  })

  it('ignores the answer of a poll that a later one has overtaken', async () => {
    b.way = 'silent'
    const late = b.revocations.poll()
    b.way = 'open'
    world.elapsedMs += POLL_EVERY_MS
    await a.revocations.note([revokedKey('k', 5)])
    await b.revocations.poll()
    b.forgetExpired()
    await late
    expect([knows(b, 'k'), b.revocations.syncAgeMs()]).to.deep.equal([true, 0])
    const { since } = b.asked
    await b.revocations.poll()
    expect([b.asked.since - since, b.revocations.size]).to.deep.equal([1, 1])
  })

  it('polls every second, even after failed polls', async () => {
    const node = world.node()
    await node.revocations.start()
    try {
      node.way = 'away'
      while (isSynced(node)) {
        world.elapsedMs += 500
        await pause(20)
      }
      await a.revocations.note([revokedKey('k', 5)])
      node.way = 'open'
      while (!knows(node, 'k')) await pause(20)
      expect(isSynced(node)).to.equal(true)
    } finally {
      node.revocations.stop()
    }
  })

  it('rejects the start if the store is unavailable', async () => {
    const node = world.node()
    node.way = 'away'
    expect(await failureOf(node.revocations.start())).to.equal('StoreUnavailable')
    node.revocations.stop()
  })

  it('looks statuses up in one request while polls fail', async () => {
    b.way = 'away'
    await a.revocations.note([revokedKey('k', 5), endedSession('s', 6)])
    world.elapsedMs += SYNCED_WITHIN_MS + 1
    expect(await failureOf(b.revocations.poll())).to.equal('StoreUnavailable')
    expect(await failureOf(b.revocations.lookUp(['key:k']))).to.equal('StoreUnavailable')
    b.way = 'open'
    await b.revocations.lookUp(['key:k', 'session:s', 'player:p'])
    expect([knows(b, 'k'), b.asked.find, isSynced(b)]).to.deep.equal([true, 1, false])
  })

  it('publishes again after the store failed: by the caller or with the next poll', async () => {
    a.way = 'away'
    expect(await failureOf(a.revocations.note([revokedKey('k', 5)]))).to.equal('StoreUnavailable')
    expect(await failureOf(a.revocations.note([revokedKey('l', 6)]))).to.equal('StoreUnavailable')
    expect([knows(a, 'k'), a.revocations.unpublished]).to.deep.equal([true, 2])
    a.way = 'open'
    await a.revocations.note([revokedKey('k', 5)])
    expect(a.revocations.unpublished).to.equal(1)
    await b.revocations.poll()
    expect([knows(b, 'k'), knows(b, 'l')]).to.deep.equal([true, false])
    await a.revocations.poll()
    await b.revocations.poll()
    expect([knows(b, 'l'), a.revocations.unpublished]).to.deep.equal([true, 0])
  })

  it('publishes the newest status again, even if an older one was noted after it', async () => {
    a.way = 'away'
    await failureOf(a.revocations.note([revokedKey('k', 5)]))
    await failureOf(a.revocations.note([narrowedKey('k', 4, [])]))
    a.way = 'open'
    await a.revocations.note([narrowedKey('k', 4, [])])
    expect(a.revocations.unpublished).to.equal(1)
    await a.revocations.poll()
    expect(await world.find(['key:k'])).to.deep.equal([revokedKey('k', 5)])
  })

  it('publishes everything it knows after the store was emptied', async () => {
    await a.revocations.note([revokedKey('k', 5)])
    const forgotten: unknown[] = []
    b.revocations.onChange((subject) => forgotten.push(subject))
    world.flush()
    await b.revocations.poll()
    expect([forgotten, knows(b, 'k')]).to.deep.equal([[null], false])
    await a.revocations.poll()
    await b.revocations.poll()
    expect([knows(a, 'k'), knows(b, 'k'), forgotten]).to.deep.equal([true, true, [null, 'key:k']])
    const { note } = a.asked
    await a.revocations.poll()
    expect(a.asked.note).to.equal(note)
  })

  it('reads all statuses in pages at start', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => endedSession(`s-${n}`, n + 1))
    await a.revocations.note(many)
    const node = world.node()
    await node.revocations.poll()
    expect([node.revocations.size, node.asked.since]).to.deep.equal([2_500, 3])
    expect(isSynced(node)).to.equal(true)
  })

  it('forgets a status after a time that is longer than a token’s lifetime', async () => {
    expect(REVOCATIONS_KEPT_MS).to.equal(2 * TOKEN_LIFETIME_S * 1_000)
    await a.revocations.note([revokedKey('k', 5)])
    world.elapsedMs += REVOCATIONS_KEPT_MS - 1
    await a.revocations.note([revokedKey('l', 6)])
    await a.revocations.poll()
    expect([knows(a, 'k'), a.revocations.size]).to.deep.equal([true, 2])
    world.elapsedMs += 1
    await a.revocations.poll()
    expect([knows(a, 'k'), knows(a, 'l'), a.revocations.size]).to.deep.equal([false, true, 1])
  })
})
