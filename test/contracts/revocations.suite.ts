// The contract of revocations: absolute, ordered by position, each delivered once.

import { expect } from 'chai'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../../stores/contract/revocations.ts'
import type { Check } from './test-contract.ts'

const NOW = Date.now()

const pos = (n: number): string => `${n.toString(16).padStart(16, '0')}z`
const revoked = (name: string, at: number): Noted => ({
  subject: `key:${name}`,
  pos: pos(at),
  status: { revoked: true, permissions: ['lb:*:*', 'a "quoted" one'] },
})
const narrowed = (name: string, at: number): Noted => ({
  subject: `key:${name}`,
  pos: pos(at),
  status: { revoked: false, permissions: [] },
})
const ended = (name: string, at: number): Noted => ({
  subject: `session:${name}`,
  pos: pos(at),
  status: { ended: true },
})
const banned = (name: string, at: number, until: string | null = null): Noted => ({
  subject: `player:${name}`,
  pos: pos(at),
  status: { banned: { until, reason: null }, deleted: false },
})

/** Everything noted after a version, page by page. */
async function allSince(revocations: Revocations, version: string | null): Promise<[Noted[], string]> {
  const changes: Noted[] = []
  let at = version
  for (;;) {
    const heard = await revocations.since(at)
    changes.push(...heard.changes)
    at = heard.version
    if (!heard.more) return [changes, at]
  }
}

const bySubject = (all: readonly Noted[]): Noted[] => all.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))

export const revocationsChecks: readonly Check<Revocations>[] = [
  {
    name: 'finds the noted statuses of every kind, and nothing else',
    run: async (make) => {
      const revocations = await make()
      const all = [revoked('k', 1), ended('s', 2), banned('p', 3, '2030-01-01T00:00:00.000Z')]
      await revocations.note(all, NOW)
      const subjects: Subject[] = ['player:p', 'key:none', 'key:k', 'session:s', 'session:k']
      expect(bySubject(await revocations.find(subjects))).to.deep.equal(bySubject(all))
      expect(await revocations.find(['key:none'])).to.deep.equal([])
      expect(await revocations.find([])).to.deep.equal([])
    },
  },
  {
    name: 'keeps the newer status, in any order, in one call or several',
    run: async (make) => {
      const revocations = await make()
      await revocations.note([revoked('a', 20), narrowed('a', 19), narrowed('b', 8), revoked('b', 9)], NOW)
      await revocations.note([narrowed('a', 20), narrowed('b', 8), narrowed('a', 1)], NOW)
      const found = bySubject(await revocations.find(['key:a', 'key:b']))
      expect(found).to.deep.equal([revoked('a', 20), revoked('b', 9)])
      await revocations.note([narrowed('a', 0x100)], NOW)
      expect(await revocations.find(['key:a'])).to.deep.equal([narrowed('a', 0x100)])
    },
  },
  {
    name: 'returns the changes after a version, in order, once',
    run: async (make) => {
      const revocations = await make()
      const beginning = await revocations.since(null)
      expect([beginning.changes, beginning.whole, beginning.more]).to.deep.equal([[], true, false])
      await revocations.note([revoked('a', 1), ended('b', 2)], NOW)
      const first = await revocations.since(beginning.version)
      expect([first.changes, first.more]).to.deep.equal([[revoked('a', 1), ended('b', 2)], false])
      await revocations.note([banned('c', 3)], NOW)
      await revocations.note([narrowed('a', 4)], NOW)
      const second = await revocations.since(first.version)
      expect([second.changes, second.whole]).to.deep.equal([[banned('c', 3), narrowed('a', 4)], false])
      const nothing = await revocations.since(second.version)
      expect(nothing).to.deep.equal({ version: second.version, changes: [], whole: false, more: false })
      // A reader still at the first position gets each subject in its current state.
      const again = await revocations.since(first.version)
      expect(again.changes).to.deep.equal([banned('c', 3), narrowed('a', 4)])
      const whole = await revocations.since(null)
      expect([whole.changes, whole.whole]).to.deep.equal([[ended('b', 2), banned('c', 3), narrowed('a', 4)], true])
    },
  },
  {
    name: 'does not return a change that is not newer',
    run: async (make) => {
      const revocations = await make()
      await revocations.note([revoked('a', 5)], NOW)
      const { version, changes } = await revocations.since(null)
      expect(changes).to.deep.equal([revoked('a', 5)])
      await revocations.note([revoked('a', 5), narrowed('a', 4)], NOW)
      expect((await revocations.since(version)).changes).to.deep.equal([])
    },
  },
  {
    name: 'returns everything for an unknown version',
    run: async (make) => {
      const [one, other] = [await make(), await make()]
      await one.note([revoked('a', 1), revoked('b', 2), revoked('c', 3)], NOW)
      const { version } = await one.since(null)
      await other.note([revoked('d', 4), revoked('e', 5)], NOW)
      const heard = await other.since(version)
      expect([heard.changes, heard.whole]).to.deep.equal([[revoked('d', 4), revoked('e', 5)], true])
    },
  },
  {
    name: 'returns many changes in pages, each exactly once',
    run: async (make) => {
      const revocations = await make()
      const all = Array.from({ length: 2_345 }, (_, n) => ended(`s-${n}`, n + 1))
      await revocations.note(all, NOW)
      const [changes, version] = await allSince(revocations, null)
      expect(changes).to.deep.equal(all)
      expect((await revocations.since(null)).more).to.equal(true)
      expect((await revocations.since(version)).changes).to.deep.equal([])
    },
  },
  {
    name: 'keeps each for its time, and deletes it when others arrive',
    run: async (make) => {
      const revocations = await make()
      await revocations.note([revoked('old', 1)], NOW - REVOCATIONS_KEPT_MS)
      await revocations.note([revoked('kept', 2)], NOW - REVOCATIONS_KEPT_MS + 1)
      await revocations.note([revoked('new', 3)], NOW)
      const found = bySubject(await revocations.find(['key:old', 'key:kept', 'key:new']))
      expect(found).to.deep.equal([revoked('kept', 2), revoked('new', 3)])
      expect((await revocations.since(null)).changes).to.deep.equal([revoked('kept', 2), revoked('new', 3)])
    },
  },
]
