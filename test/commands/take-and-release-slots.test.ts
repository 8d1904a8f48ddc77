// Taking, releasing and settling slots: what is counted, recorded and left alone.

import { expect } from 'chai'
import { makeBucket, removeBucket } from '../../commands/bucket.ts'
import { issue, revoke } from '../../commands/key.ts'
import { archive, makeLeaderboard } from '../../commands/leaderboard.ts'
import { isEnding, release, settle, take } from '../../commands/slots.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { SlotKind } from '../../domain/slots.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { type RecordingRig, recordingRig } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

const KEY = { game: GAME, name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: [] } as const
const BOARD = {
  name: 'Board',
  description: '',
  rules: { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null },
} as const
const KINDS = ['leaderboards', 'keys', 'buckets'] as const

describe('a slot', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const counting = (existing: number) => {
    const asked: [SlotKind, string][] = []
    const countExisting = async (kind: SlotKind, game: string) => {
      asked.push([kind, game])
      return existing
    }
    return { asked, deps: { ...rig.deps, countExisting } }
  }
  const event = (type: string, data: object) => ({ stream: `slots-${GAME}`, type, data, about: { game: null } })

  /** Creates an item of a kind; `end` archives, revokes or deletes it. */
  async function made(kind: SlotKind): Promise<{ id: string; end: () => Promise<unknown> }> {
    if (kind === 'leaderboards') {
      const { id } = await makeLeaderboard(rig.deps, GAME, BOARD, contextAt())
      return { id, end: () => archive(rig.deps, id, GAME, contextAt()) }
    }
    if (kind === 'keys') {
      const { prefix } = await issue(rig.deps, KEY, contextAt())
      return { id: prefix, end: () => revoke(rig.deps, prefix, GAME, contextAt()) }
    }
    const { id } = await makeBucket(rig.deps, GAME, { name: 'Saves', limits: NEW_BUCKET }, contextAt())
    return { id, end: () => removeBucket(rig.deps, { bucket: id, game: GAME }, contextAt()) }
  }

  it('is taken after the existing items of its kind are counted once', async () => {
    const { asked, deps } = counting(7)
    for (const id of ['one', 'two']) await take(deps, GAME, { kind: 'keys', id }, contextAt())
    await take(deps, GAME, { kind: 'buckets', id: 'three' }, contextAt())
    expect(asked).to.deep.equal([
      ['keys', GAME],
      ['buckets', GAME],
    ])
    expect(await rig.recorded()).to.deep.equal([
      event('SlotsCounted', { kind: 'keys', count: 7 }),
      event('SlotTaken', { kind: 'keys', id: 'one' }),
      event('SlotTaken', { kind: 'keys', id: 'two' }),
      event('SlotsCounted', { kind: 'buckets', count: 7 }),
      event('SlotTaken', { kind: 'buckets', id: 'three' }),
    ])
  })

  it('is the first one where nothing counts existing items', async () => {
    await take(rig.deps, GAME, { kind: 'keys', id: 'one' }, contextAt())
    expect((await rig.recorded())[0]).to.deep.equal(event('SlotsCounted', { kind: 'keys', count: 0 }))
  })

  it('is refused when all are taken, and the last one is not', async () => {
    expect(await refusalCodeOf(take(counting(999).deps, GAME, { kind: 'keys', id: 'last' }, contextAt()))).to.equal(
      'not refused',
    )
    expect(await refusalCodeOf(take(counting(0).deps, GAME, { kind: 'keys', id: 'more' }, contextAt()))).to.equal(
      'too_many_keys',
    )
  })

  it('is not taken again by a repeated call whose item exists or has ended', async () => {
    const context = { ...contextAt(), call: 'the call', repeated: true }
    for (const kind of KINDS) {
      const { id, end } = await made(kind)
      await rig.recorded()
      await take(rig.deps, GAME, { kind, id }, context)
      await end()
      await rig.recorded()
      await take(rig.deps, GAME, { kind, id }, context)
      expect(await rig.recorded(), kind).to.deep.equal([])
    }
  })

  it('is taken by the first call with an Idempotency-Key', async () => {
    await take(rig.deps, GAME, { kind: 'keys', id: 'one' }, { ...contextAt(), call: 'the call' })
    expect((await rig.recorded()).map(({ type }) => type)).to.deep.equal(['SlotsCounted', 'SlotTaken'])
  })

  it('stays taken while its item exists, and is released by a reaction after the item has ended', async () => {
    for (const kind of KINDS) {
      const { id, end } = await made(kind)
      await rig.recorded()
      await settle(rig.deps, GAME, { kind, id }, contextAt())
      expect(await rig.recorded(), kind).to.deep.equal([])
      await end()
      await take(rig.deps, GAME, { kind, id }, contextAt())
      await rig.recorded()
      await settle(rig.deps, GAME, { kind, id }, contextAt())
      expect(await rig.recorded()).to.deep.equal([event('SlotReleased', { kind, id })])
    }
  })

  it('of an item that was never created is released once, by a reaction', async () => {
    for (const kind of KINDS) {
      await take(rig.deps, GAME, { kind, id: 'none' }, contextAt())
      await rig.recorded()
      for (let n = 0; n < 2; n++) await settle(rig.deps, GAME, { kind, id: 'none' }, contextAt())
      expect(await rig.recorded()).to.deep.equal([event('SlotReleased', { kind, id: 'none' })])
    }
  })

  it('of an item that an older version created is released by its end, and never by a reaction', async () => {
    await take(counting(2).deps, GAME, { kind: 'keys', id: 'one' }, contextAt())
    await rig.recorded()
    await settle(rig.deps, GAME, { kind: 'keys', id: 'old' }, contextAt())
    expect(await rig.recorded()).to.deep.equal([])
    await release(rig.deps, GAME, { kind: 'keys', id: 'old', isGone: true }, contextAt())
    expect(await rig.recorded()).to.deep.equal([event('SlotReleased', { kind: 'keys', id: 'old' })])
  })

  it('stays taken if the call did not end the item', async () => {
    await take(rig.deps, GAME, { kind: 'keys', id: 'one' }, contextAt())
    await rig.recorded()
    await release(rig.deps, GAME, { kind: 'keys', id: 'one', isGone: false }, contextAt())
    expect(await rig.recorded()).to.deep.equal([])
  })

  it('is released by the call that recorded the end, and by no repeat', () => {
    const ended = { revision: 0, time: '' }
    expect(isEnding({ events: [ended], replayed: false })).to.equal(true)
    expect(isEnding({ events: [ended], replayed: true })).to.equal(false)
    expect(isEnding({ events: [], replayed: false })).to.equal(false)
  })
})
