// The refresh tokens of expired sessions, and the days of their last use, leave the vault.

import { expect } from 'chai'
import { start } from '../../commands/session.ts'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { SESSION_LIFETIME_MS } from '../../domain/session.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { sessions } from '../../projections/sessions.ts'
import { EXPIRED_KEPT_MS, sweepSessions } from '../../reactions/sweep-sessions.ts'
import type { SecretKind } from '../../stores/contract/vault.ts'
import { contextAt, GAME, LONG_AGO_MS, signInRig } from '../commands/sign-in/sign-in-rig.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'

const ALL = new Set(ALL_PARTITIONS)
const running = new AbortController().signal
const SWEPT_MS = LONG_AGO_MS + SESSION_LIFETIME_MS + EXPIRED_KEPT_MS
const KINDS = ['refresh-token', 'session-used'] as const

/** `count` sessions that began long ago, and one that began a day later. */
async function world(count: number) {
  const { deps, log, vault } = signInRig()
  const fresh = { game: GAME, player: 'p1', key: 'ck_x', permissions: [], signOuts: 0 }
  const ids: string[] = []
  for (let n = 0; n <= count; n++) {
    const { id } = await start(deps, fresh, contextAt(LONG_AGO_MS + (n === count ? 24 * 3_600_000 : 0)))
    await vault.putIfAbsent('session-used', id, Buffer.from('2026-01-02'))
    ids.push(id)
  }
  const views = createMemoryViews()
  const view = viewInMemory(sessions)
  view.apply(...(await log.readAll(null, 10_000)))
  await views.prepare(viewSpec(sessions))
  const writes = Object.entries(view.documents('sessions')).map(([id, body]) => {
    return { collection: 'sessions', id, pos: '1', body }
  })
  await views.commit([{ view: viewKey(sessions), writes, checkpoints: new Map() }])
  const queries = { views, viewKey: () => viewKey(sessions) } as never
  const left = async () => Promise.all(KINDS.map((kind) => vault.idsOf(kind, null, 10_000)))
  return { vault, reaction: sweepSessions({ commands: deps, queries }), last: ids.at(-1) ?? '', left }
}

describe('the reaction that sweeps sessions', () => {
  it('destroys both of an expired session a day after its end, and neither of a live one', async () => {
    const { reaction, last, left } = await world(3)
    const before = await left()
    await reaction.run(ALL, SWEPT_MS - 1, running)
    expect(await left()).to.deep.equal(before)
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last], [last]])
  })

  it('destroys a day of last use whose token is gone, and leaves other secrets and unknown sessions alone', async () => {
    const { vault, reaction, last, left } = await world(1)
    const gone = (await left())[1]?.find((id) => id !== last) ?? ''
    await vault.destroy('refresh-token', gone)
    for (const kind of ['refresh-token', 'guest-token'] satisfies SecretKind[])
      await vault.putIfAbsent(kind, 'unknown', Buffer.from('x'))
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last, 'unknown'].toSorted(), [last]])
    expect(await vault.get('guest-token', 'unknown')).not.to.equal(null)
  })

  it('continues where the last run ended, and reads a limited number at each', async () => {
    const { reaction, last, left } = await world(1_200)
    await reaction.run(ALL, SWEPT_MS, running)
    const [tokens, days] = await left()
    // The live session is among the first 1,000, or not.
    for (const count of [tokens?.length, days?.length]) expect(count).to.be.within(201, 202)
    await reaction.run(ALL, SWEPT_MS, running)
    expect(await left()).to.deep.equal([[last], [last]])
  })

  it('runs on the owner of the first partition only, and not after it was stopped', async () => {
    const { reaction, left } = await world(1)
    const before = await left()
    await reaction.run(new Set([1]), SWEPT_MS, running)
    await reaction.run(ALL, SWEPT_MS, AbortSignal.abort())
    expect(await left()).to.deep.equal(before)
  })
})
