// Given which slots of a game were taken, when one is taken or released, then these events follow.

import { expect } from 'chai'
import { releaseSlot, SLOTS_MAX, type SlotEvent, type SlotKind, slots, takeSlot } from '../../domain/slots.ts'
import { given } from './given.ts'

const KINDS: readonly SlotKind[] = ['leaderboards', 'keys', 'buckets']
const counted = (kind: SlotKind, count: number): SlotEvent => ({ type: 'SlotsCounted', data: { kind, count } })
const taken = (kind: SlotKind, id: string): SlotEvent => ({ type: 'SlotTaken', data: { kind, id } })
const released = (kind: SlotKind, id: string): SlotEvent => ({ type: 'SlotReleased', data: { kind, id } })

describe('the slots of a game', () => {
  it('are limited to 10,000 for leaderboards, and 1,000 each for keys and buckets', () => {
    expect(SLOTS_MAX).to.deep.equal({ leaderboards: 10_000, keys: 1_000, buckets: 1_000 })
  })

  it('are counted when the first one is taken, and each is taken once', () => {
    given(slots)
      .when(takeSlot({ kind: 'keys', id: 'a' }, 7))
      .then(counted('keys', 7), taken('keys', 'a'))
    given(slots, counted('keys', 7), taken('keys', 'a'))
      .when(takeSlot({ kind: 'keys', id: 'b' }, 99))
      .then(taken('keys', 'b'))
  })

  for (const kind of KINDS) {
    it(`of ${kind} are refused beyond the limit, and available again once one is released`, () => {
      const full = [counted(kind, 2), ...Array.from({ length: SLOTS_MAX[kind] - 2 }, (_, n) => taken(kind, `id${n}`))]
      const another = takeSlot({ kind, id: 'another' }, 0)
      given(slots, ...full.slice(0, -1))
        .when(another)
        .then(taken(kind, 'another'))
      given(slots, ...full)
        .when(another)
        .refused('unprocessable', `too_many_${kind}`, { limit: SLOTS_MAX[kind] })
      given(slots, ...full)
        .when(takeSlot({ kind, id: 'id0' }, 0))
        .then()
      given(slots, ...full, released(kind, 'id5'))
        .when(another)
        .then(taken(kind, 'another'))
      given(slots, ...full, released(kind, 'an older one'))
        .when(another)
        .then(taken(kind, 'another'))
      for (const other of KINDS.filter((one) => one !== kind)) {
        given(slots, ...full)
          .when(takeSlot({ kind: other, id: 'x' }, 0))
          .then(counted(other, 0), taken(other, 'x'))
      }
    })
  }

  it('are refused at once if an older version has created as many', () => {
    given(slots)
      .when(takeSlot({ kind: 'buckets', id: 'a' }, 1_000))
      .refused('unprocessable', 'too_many_buckets')
    given(slots)
      .when(takeSlot({ kind: 'buckets', id: 'a' }, 999))
      .then(counted('buckets', 999), taken('buckets', 'a'))
  })

  it('are released once, and those of an older version only if an item is known to have ended', () => {
    const one = [counted('keys', 1), taken('keys', 'a')]
    given(slots, ...one)
      .when(releaseSlot({ kind: 'keys', id: 'a' }, false))
      .then(released('keys', 'a'))
    given(slots, ...one)
      .when(releaseSlot({ kind: 'keys', id: 'other' }, false))
      .then()
    given(slots, ...one)
      .when(releaseSlot({ kind: 'keys', id: 'other' }, true))
      .then(released('keys', 'other'))
    given(slots, ...one, released('keys', 'other'))
      .when(releaseSlot({ kind: 'keys', id: 'third' }, true))
      .then()
    given(slots)
      .when(releaseSlot({ kind: 'keys', id: 'a' }, true))
      .then()
  })

  it('are unchanged through a snapshot', () => {
    const state = given(
      slots,
      counted('keys', 3),
      taken('keys', 'a'),
      taken('buckets', 'b'),
      released('keys', 'x'),
    ).state()
    const { write, read } = slots.snapshot ?? {}
    const { size } = slots
    if (write === undefined || read === undefined || size === undefined) throw new Error('there is no snapshot')
    const again = read(JSON.parse(JSON.stringify(write(state))))
    expect(write(again)).to.deep.equal(write(state))
    expect(write(state)).to.deep.equal({
      leaderboards: { others: null, ids: [] },
      keys: { others: 2, ids: ['a'] },
      buckets: { others: null, ids: ['b'] },
    })
    expect(size(state)).to.equal(2)
  })
})
