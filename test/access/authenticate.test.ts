// Authentication with stale, new and missing documents, and with revocations that are synchronised, looked up or unavailable.

import { expect } from 'chai'
import { authenticate } from '../../access/authenticate.ts'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { createStatuses, type Statuses } from '../../access/statuses.ts'
import { createTokens, type Tokens } from '../../credentials/tokens.ts'
import type { JsonObject } from '../../domain/event.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Noted } from '../../stores/contract/revocations.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { gate } from '../until.ts'
import {
  at,
  endedSession,
  narrowedKey,
  playerNow,
  RevocationsWorld,
  revokedKey,
  type TestNode,
} from './revocations-world.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const iso = (ms: number) => new Date(ms).toISOString()
const KEY = { game: 'g', name: '', kind: 'client', algorithm: 'ed25519', publicKey: '', created: iso(NOW_MS) }
const PLAYER = { name: null, guest: true, externalId: null, created: iso(NOW_MS), banned: null, deleted: false }
const SESSION = { player: 'p', key: 'k', permissions: [], expires: iso(NOW_MS + 1_000_000_000) }
const PERMISSIONS = ['lb:*:scores', 'lb:*:submit']

describe('authentication of a token', () => {
  let world: RevocationsWorld
  let other: TestNode
  let node: TestNode
  let tokens: Tokens
  let statuses: Statuses
  let token: string
  let reads: number
  let views: ReturnType<typeof createMemoryViews>
  let countedDeps: QueryDeps

  const write = (collection: string, id: string, pos: number, state: JsonObject) =>
    views.commit([
      {
        view: collection,
        writes: [{ collection, id, pos: at(pos), body: { id, game: 'g', state } }],
        checkpoints: new Map(),
      },
    ])
  const keyAt = (pos: number, permissions: readonly string[], revoked = false) =>
    write('keys', 'k', pos, { ...KEY, permissions, revoked })

  beforeEach(async () => {
    world = new RevocationsWorld()
    other = world.node()
    node = world.node()
    await other.revocations.poll()
    await node.revocations.poll()
    tokens = createTokens(new Uint8Array(32))
    const claims = { key: 'k', game: 'g', permissions: PERMISSIONS, player: 'p', session: 's' }
    token = (await tokens.issue(claims, NOW_MS)).token
    views = createMemoryViews()
    for (const key of ['keys', 'sessions', 'players']) {
      await views.prepare({ key, collections: [{ name: key, indexes: {} }] })
    }
    reads = 0
    const get: typeof views.get = (...asked) => {
      reads++
      return views.get(...asked)
    }
    countedDeps = {
      history: createMemoryLog(),
      views: { ...views, get },
      rankings: createRankings(),
      viewKey: (name) => name,
    }
    statuses = createStatuses(countedDeps, node.revocations)
    await keyAt(1, PERMISSIONS)
    await write('sessions', 's', 2, { ...SESSION, ended: false })
    await write('players', 'p', 3, PLAYER)
  })

  /** `may <permissions>`, or the code it is refused with. */
  async function asked(nowMs = NOW_MS): Promise<string> {
    try {
      const { may } = await authenticate(statuses, tokens, token, nowMs)
      return `may ${PERMISSIONS.filter(may)}`
    } catch (error) {
      return error instanceof Error && 'code' in error
        ? String(error.code)
        : String(error instanceof Error && error.name)
    }
  }
  const elsewhere = async (...changes: Noted[]) => {
    await other.revocations.note(changes)
    await node.revocations.poll()
  }
  const ALL = `may ${PERMISSIONS}`

  it('caches a status and reads it again after the cache time', async () => {
    expect([await asked(), await asked(), reads]).to.deep.equal([ALL, ALL, 3])
    const exchanges = { ...node.asked }
    world.elapsedMs += STATUS_CACHED_MS
    await node.revocations.poll()
    expect([await asked(), reads, node.asked.find]).to.deep.equal([ALL, 6, exchanges.find])
  })

  it('reads a status again after a cache time of its own, and never before', async () => {
    statuses = createStatuses(countedDeps, node.revocations, { cachedMs: 2 * STATUS_CACHED_MS })
    expect([await asked(), reads]).to.deep.equal([ALL, 3])
    world.elapsedMs += 2 * STATUS_CACHED_MS - 1
    await node.revocations.poll()
    expect([await asked(), reads]).to.deep.equal([ALL, 3])
    world.elapsedMs += 1
    await node.revocations.poll()
    expect([await asked(), reads]).to.deep.equal([ALL, 6])
  })

  it('caches as many sessions and players as given', async () => {
    statuses = createStatuses(countedDeps, node.revocations, { maxCached: 1 })
    const first = token
    await write('sessions', 't', 2, { ...SESSION, ended: false })
    const claims = { key: 'k', game: 'g', permissions: PERMISSIONS, player: 'p', session: 't' }
    const second = (await tokens.issue(claims, NOW_MS)).token
    const readsOf = async (one: string) => {
      const before = reads
      token = one
      expect(await asked()).to.equal(ALL)
      return reads - before
    }
    expect([await readsOf(first), await readsOf(first), await readsOf(second), await readsOf(first)]).to.deep.equal([
      3, 0, 1, 1,
    ])
  })

  it('answers each token by its own permissions, although players of a key share what they may do', async () => {
    const permissionsOf = [['lb:*:scores'], ['lb:*:submit'], ['lb:*:scores', 'lb:*:submit'], []]
    const issued = await Promise.all(
      permissionsOf.flatMap((permissions) =>
        [1, 2].map(async () => ({
          permissions,
          token: (await tokens.issue({ key: 'k', game: 'g', permissions, player: 'p', session: 's' }, NOW_MS)).token,
        })),
      ),
    )
    for (let round = 0; round < 2; round++) {
      for (const one of issued) {
        token = one.token
        expect(await asked()).to.equal(`may ${PERMISSIONS.filter((name) => one.permissions.includes(name))}`)
      }
    }
    await elsewhere(narrowedKey('k', 10, ['lb:*:submit']))
    for (const one of issued) {
      token = one.token
      expect(await asked()).to.equal(`may ${one.permissions.filter((name) => name === 'lb:*:submit')}`)
    }
  })

  it('applies every kind of revocation, even if the documents do not change', async () => {
    const ends: [Noted, string][] = [
      [revokedKey('k', 10), 'token_rejected'],
      [endedSession('s', 10), 'token_rejected'],
      [playerNow('p', 10, { banned: null, deleted: true }), 'token_rejected'],
      [playerNow('p', 10, { banned: { until: null, reason: null }, deleted: false }), 'player_banned'],
      [narrowedKey('k', 10, ['lb:*:scores']), 'may lb:*:scores'],
    ]
    for (const [end, answer] of ends) {
      world.flush()
      const fresh = world.node()
      await fresh.revocations.poll()
      node = fresh
      statuses = createStatuses(
        { history: createMemoryLog(), views, rankings: createRankings(), viewKey: (name) => name },
        node.revocations,
      )
      expect(await asked()).to.equal(ALL)
      await elsewhere(end)
      expect(await asked()).to.equal(answer)
      expect(await asked()).to.equal(answer)
    }
  })

  it('refuses a token at once on the node that revoked it', async () => {
    expect(await asked()).to.equal(ALL)
    await node.revocations.note([revokedKey('k', 10)])
    expect(await asked()).to.equal('token_rejected')
  })

  it('uses the newer of the document and the published status', async () => {
    await elsewhere(narrowedKey('k', 10, []))
    expect(await asked()).to.equal('may ')
    await keyAt(11, ['lb:*:submit'])
    world.elapsedMs += STATUS_CACHED_MS
    await node.revocations.poll()
    expect(await asked()).to.equal('may lb:*:submit')
    await elsewhere(narrowedKey('k', 12, PERMISSIONS))
    expect(await asked()).to.equal(ALL)
    await elsewhere(narrowedKey('k', 9, []))
    expect(await asked()).to.equal(ALL)
  })

  it('does not cache that a key, session or player is missing', async () => {
    const claims = { key: 'k', game: 'g', permissions: PERMISSIONS, player: 'new', session: 'fresh' }
    token = (await tokens.issue(claims, NOW_MS)).token
    expect(await asked()).to.equal('behind')
    await write('sessions', 'fresh', 20, { ...SESSION, player: 'new', ended: false })
    expect(await asked()).to.equal('behind')
    await write('players', 'new', 21, PLAYER)
    expect(await asked()).to.equal(ALL)
  })

  describe('authentication while the views lag', () => {
    const NEW = { key: 'k', game: 'g', permissions: PERMISSIONS, player: 'p', session: 's' }
    const askedWith = async (claims: typeof NEW, nowMs = NOW_MS) => {
      token = (await tokens.issue(claims, NOW_MS)).token
      return asked(nowMs)
    }

    it('answers 503 to a new token whose key, session or player the views lack', async () => {
      for (const claims of [
        { ...NEW, key: 'new' },
        { ...NEW, session: 'new' },
        { ...NEW, player: 'new' },
      ]) {
        expect(await askedWith(claims)).to.equal('behind')
      }
      const refusal = await authenticate(statuses, tokens, token, NOW_MS).catch((error: unknown) => error)
      expect(refusal).to.include({ kind: 'unavailable', code: 'behind' })
      expect(refusal).to.deep.include({ fields: { retry_after: 1 } })
    })

    it('rejects a token older than ten seconds whose key, session or player the views lack', async () => {
      const issuedMs = Math.floor(NOW_MS / 1_000) * 1_000
      expect(await askedWith({ ...NEW, session: 'new' }, issuedMs + 9_999)).to.equal('behind')
      expect(await askedWith({ ...NEW, session: 'new' }, issuedMs + 10_000)).to.equal('token_rejected')
    })

    it('rejects a token if its key, session or player is over, even if another is missing', async () => {
      await write('sessions', 'ended', 20, { ...SESSION, ended: true })
      await write('players', 'deleted', 21, { ...PLAYER, deleted: true })
      await write('keys', 'revoked', 22, { ...KEY, permissions: [], revoked: true })
      const over = [
        { ...NEW, player: 'new', session: 'ended' },
        { ...NEW, session: 'new', player: 'deleted' },
        { ...NEW, session: 'new', key: 'revoked' },
      ]
      for (const claims of over) expect(await askedWith(claims)).to.equal('token_rejected')
    })

    it('rejects a token whose revocation is known before its document', async () => {
      await elsewhere(revokedKey('gone-k', 30), endedSession('gone-s', 31))
      await elsewhere(playerNow('gone-p', 32, { banned: null, deleted: true }))
      for (const claims of [{ key: 'gone-k' }, { session: 'gone-s' }, { player: 'gone-p' }]) {
        expect(await askedWith({ ...NEW, ...claims })).to.equal('token_rejected')
      }
    })
  })

  it('accepts a player again when the ban has expired', async () => {
    await elsewhere(playerNow('p', 10, { banned: { until: iso(NOW_MS + 5_000), reason: null }, deleted: false }))
    expect([await asked(), await asked(NOW_MS + 4_999), await asked(NOW_MS + 5_000)]).to.deep.equal([
      'player_banned',
      'player_banned',
      ALL,
    ])
  })

  it('rejects an expired session, cached or not', async () => {
    await write('sessions', 's', 4, { ...SESSION, expires: iso(NOW_MS + 5_000), ended: false })
    expect([await asked(NOW_MS + 4_999), await asked(NOW_MS + 5_000)]).to.deep.equal([ALL, 'token_rejected'])
  })

  it('queries the revocations once per call if the last poll is older than two seconds', async () => {
    expect(await asked()).to.equal(ALL)
    await other.revocations.note([endedSession('s', 10)])
    world.elapsedMs += SYNCED_WITHIN_MS
    expect([await asked(), node.asked.find]).to.deep.equal([ALL, 0])
    world.elapsedMs += 1
    expect([await asked(), node.asked.find]).to.deep.equal(['token_rejected', 1])
    expect([await asked(), node.asked.find]).to.deep.equal(['token_rejected', 2])
  })

  it('rejects every token if the revocations are stale and the store is unavailable', async () => {
    expect(await asked()).to.equal(ALL)
    node.way = 'away'
    world.elapsedMs += SYNCED_WITHIN_MS + 1
    expect([await asked(), await asked()]).to.deep.equal(['StoreUnavailable', 'StoreUnavailable'])
    node.way = 'open'
    expect([await asked(), node.asked.find]).to.deep.equal([ALL, 1])
    await node.revocations.poll()
    expect([await asked(), node.asked.find]).to.deep.equal([ALL, 1])
  })

  it('does not cache a status whose read began before the revocation', async () => {
    const get = views.get
    const { opened: held, open: answer } = gate()
    const slow: QueryDeps = {
      history: createMemoryLog(),
      views: {
        ...views,
        get: async (...asking) => {
          const found = await get(...asking)
          await held
          return found
        },
      },
      rankings: createRankings(),
      viewKey: (name) => name,
    }
    statuses = createStatuses(slow, node.revocations)
    const early = asked()
    await elsewhere(revokedKey('k', 10))
    answer()
    expect([await early, await asked()]).to.deep.equal(['token_rejected', 'token_rejected'])
  })

  it('reads documents again after the revocation store was emptied', async () => {
    expect(await asked()).to.equal(ALL)
    await keyAt(10, PERMISSIONS, true)
    expect(await asked()).to.equal(ALL)
    world.flush()
    await node.revocations.poll()
    expect(await asked()).to.equal('token_rejected')
  })
})
