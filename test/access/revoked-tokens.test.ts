// Authentication after revocations: published by this node or another one, newer or older than the documents, and while
// they cannot be read.

import { expect } from 'chai'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { STATUS_CACHED_MS } from '../../access/status-cache.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { ALL, type AuthenticationWorld, authenticationWorld, PERMISSIONS } from './authentication-world.ts'
import { endedSession, narrowedKey, playerNow, revokedKey } from './revocations-world.ts'

describe('authentication after a revocation', () => {
  let of: AuthenticationWorld

  beforeEach(async () => {
    of = await authenticationWorld()
  })

  const ends: readonly (readonly [what: string, end: Noted, answer: string])[] = [
    ['the revocation of a key', revokedKey('k', 10), 'token_rejected'],
    ['the end of a session', endedSession('s', 10), 'token_rejected'],
    ['the deletion of a player', playerNow('p', 10, { banned: null, deleted: true }), 'token_rejected'],
    [
      'the ban of a player',
      playerNow('p', 10, { banned: { until: null, reason: null }, deleted: false }),
      'player_banned',
    ],
    ['the narrowing of a key', narrowedKey('k', 10, ['lb:*:scores']), 'may lb:*:scores'],
  ]
  for (const [what, end, answer] of ends) {
    it(`applies ${what} before the documents change`, async () => {
      expect(await of.asked()).to.equal(ALL)
      await of.elsewhere(end)
      expect([await of.asked(), await of.asked()]).to.deep.equal([answer, answer])
    })
  }

  it('refuses a token at once on the node that revoked it', async () => {
    expect(await of.asked()).to.equal(ALL)
    await of.node.revocations.note([revokedKey('k', 10)])
    expect(await of.asked()).to.equal('token_rejected')
  })

  it('uses the newer of the document and the published status', async () => {
    await of.elsewhere(narrowedKey('k', 10, []))
    expect(await of.asked()).to.equal('may ')
    await of.keyAt(11, ['lb:*:submit'])
    of.shared.elapsedMs += STATUS_CACHED_MS
    await of.node.revocations.poll()
    expect(await of.asked()).to.equal('may lb:*:submit')
    await of.elsewhere(narrowedKey('k', 12, PERMISSIONS))
    expect(await of.asked()).to.equal(ALL)
    await of.elsewhere(narrowedKey('k', 9, []))
    expect(await of.asked()).to.equal(ALL)
  })

  it('queries the revocations once per call if the last poll is older than two seconds', async () => {
    expect(await of.asked()).to.equal(ALL)
    await of.other.revocations.note([endedSession('s', 10)])
    of.shared.elapsedMs += SYNCED_WITHIN_MS
    expect([await of.asked(), of.node.asked.find]).to.deep.equal([ALL, 0])
    of.shared.elapsedMs += 1
    expect([await of.asked(), of.node.asked.find]).to.deep.equal(['token_rejected', 1])
    expect([await of.asked(), of.node.asked.find]).to.deep.equal(['token_rejected', 2])
  })

  it('answers 503 to every token while revocations are over 2 s old and Redis is away', async () => {
    expect(await of.asked()).to.equal(ALL)
    of.node.way = 'away'
    of.shared.elapsedMs += SYNCED_WITHIN_MS + 1
    expect([await of.asked(), await of.asked()]).to.deep.equal(['StoreUnavailable', 'StoreUnavailable'])
    of.node.way = 'open'
    expect([await of.asked(), of.node.asked.find]).to.deep.equal([ALL, 1])
    await of.node.revocations.poll()
    expect([await of.asked(), of.node.asked.find]).to.deep.equal([ALL, 1])
  })
})
