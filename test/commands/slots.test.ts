// The limits of leaderboards, keys and buckets of a game, with concurrent creation on several nodes and interrupted
// calls.

import { expect } from 'chai'
import { makeBucket, removeBucket } from '../../commands/bucket.ts'
import { createHandler } from '../../commands/handle.ts'
import { issue, revoke } from '../../commands/key.ts'
import { archive, makeLeaderboard } from '../../commands/leaderboard.ts'
import { loadState } from '../../commands/load-state.ts'
import { isEnding, release, settle, take } from '../../commands/slots.ts'
import { keyedIds, randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { type SlotKind, slots, slotsStream } from '../../domain/slots.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { type RecordingRig, recordingRig } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

const NOW_MS = Date.parse('2026-11-23T03:00:00.000Z')
const BASE = { repeated: false, actor: 'sk_x', request: 'r', nowMs: NOW_MS }
const fresh = () => ({ ...randomIds(), call: null, ...BASE })
const keyed = (name: string) => ({ ...keyedIds(new Uint8Array(32), 'sk_x', null, name), call: 'the call', ...BASE })
const BUCKET = { name: 'Saves', limits: NEW_BUCKET }

const BOARD = {
  name: 'Board',
  description: '',
  rules: { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null },
} as const

const KEY = { game: GAME, name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: [] } as const

function node(log: Log, existing = 0) {
  return {
    ...{ handler: createHandler(log), log, vault: createMemoryVault(), keys: workingKeys(new Uint8Array(32)) },
    publish: async () => {},
    countExisting: async () => existing,
  }
}

const codeOf = (failure: unknown) => (failure instanceof Refusal ? failure.code : String(failure))

describe('limits on the number of a game’s items', () => {
  it('allows exactly as many items as slots, with concurrent calls on two nodes', async () => {
    const log = createMemoryLog()
    const nodes = [node(log, 995), node(log, 995)]
    const racers = Array.from({ length: 24 }, (_, n) =>
      makeBucket(nodes[n % 2] as ReturnType<typeof node>, GAME, BUCKET, fresh()),
    )
    const ends = await Promise.allSettled(racers)
    expect(ends.filter(({ status }) => status === 'fulfilled')).to.have.length(5)
    const codes = ends.flatMap((end) => (end.status === 'rejected' ? [codeOf(end.reason)] : []))
    expect(new Set(codes)).to.deep.equal(new Set(['too_many_buckets']))
    const made = (await log.readAll(null, 1_000)).filter(({ type }) => type === 'BucketCreated')
    expect(made).to.have.length(5)
  })

  it('releases a slot once when its item is archived, revoked or deleted', async () => {
    const deps = node(createMemoryLog(), 0)
    const others = async (kind: SlotKind) => (await loadState(deps, slots, slotsStream(GAME)))[kind]
    const board = (await makeLeaderboard(deps, GAME, BOARD, fresh())).id
    const key = (await issue(deps, KEY, fresh())).prefix
    const bucket = (await makeBucket(deps, GAME, BUCKET, fresh())).id
    for (const kind of ['leaderboards', 'keys', 'buckets'] as const) expect((await others(kind)).ids.size).to.equal(1)
    for (let n = 0; n < 2; n++) {
      await archive(deps, board, GAME, fresh()).catch(codeOf)
      await revoke(deps, key, GAME, fresh())
      await removeBucket(deps, { bucket, game: GAME }, fresh()).catch(codeOf)
    }
    for (const kind of ['leaderboards', 'keys', 'buckets'] as const) {
      expect([(await others(kind)).ids.size, (await others(kind)).others]).to.deep.equal([0, 0])
    }
  })

  it('takes one slot for a call and its repeats, even after the item’s end', async () => {
    const deps = node(createMemoryLog(), 0)
    const first = await makeBucket(deps, GAME, BUCKET, keyed('one'))
    const again = await makeBucket(deps, GAME, BUCKET, keyed('one'))
    expect([again.id, again.handled.replayed]).to.deep.equal([first.id, true])
    await removeBucket(deps, { bucket: first.id, game: GAME }, fresh())
    await makeBucket(deps, GAME, BUCKET, keyed('one'))
    expect((await loadState(deps, slots, slotsStream(GAME))).buckets.ids.size).to.equal(0)
  })

  it('refuses an item before anything is recorded or stored', async () => {
    const log = createMemoryLog()
    const deps = node(log, 1_000)
    expect(await issue(deps, KEY, fresh()).catch(codeOf)).to.equal('too_many_keys')
    const rules = {
      ordering: 'desc',
      secondaryOrdering: 'desc',
      unique: false,
      minScore: null,
      maxScore: null,
    } as const
    const board = { name: 'B', description: '', rules: { ...rules, keep: 'total' } } as const
    expect(await makeLeaderboard(node(log), GAME, board, fresh()).catch(codeOf)).to.equal('malformed')
    expect(await log.readAll(null, 10)).to.deep.equal([])
  })

  it('releases the slot by a reaction only if the call failed before the item was created', async () => {
    const log = createMemoryLog()
    const dying: Log = {
      ...log,
      append: async (stream, expected, events) => {
        if (stream.startsWith('bucket-')) throw new NotSent('died')
        return log.append(stream, expected, events)
      },
    }
    const failed = await makeBucket(node(dying), GAME, BUCKET, fresh()).catch(() => null)
    expect(failed).to.equal(null)
    const deps = node(log)
    const made = await makeBucket(deps, GAME, BUCKET, fresh())
    const ids = async () =>
      [...(await loadState(deps, slots, slotsStream(GAME))).buckets.ids.entries()].map(([id]) => id)
    expect(await ids()).to.have.length(2)
    for (const id of await ids()) await settle(deps, GAME, { kind: 'buckets', id }, fresh())
    expect(await ids()).to.deep.equal([made.id])
  })
})

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
