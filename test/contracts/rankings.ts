// What every Rankings must keep: exact places under any history of changes, calls repeated without effect, and loads that
// never show half. The reference is a plain sorted array.

import { expect } from 'chai'
import fc from 'fast-check'
import { parseDecimal } from '../../domain/decimal.ts'
import { encodeMember } from '../../ranking/member.ts'
import type { Around, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import type { Check } from './sign.ts'

let positions = 0

/** A member of its own id; a lower place number comes first. */
function memberAt(place: number, id = place): string {
  const score = parseDecimal(String(place))
  if (score === null) throw new Error(`${place} is no score`)
  return encodeMember(
    { score, secondary: null, timeMs: 1_795_244_701_123, id: idOf(id) },
    { ordering: 'asc', secondaryOrdering: 'asc' },
  )
}

const idOf = (n: number) => `player${String(n).padStart(18, 'a')}`

function change(key: string, id: number, before: string | null, after: string | null): RankingChange {
  return { key, id: idOf(id), before, after, pos: String(++positions).padStart(12, '0') }
}

const added = (key: string, places: readonly number[]) => places.map((n) => change(key, n, null, memberAt(n)))
const membersAt = (places: readonly number[]) => places.map((place) => memberAt(place))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

async function* slices(members: readonly string[], size: number): AsyncGenerator<readonly string[]> {
  yield []
  for (let at = 0; at < members.length; at += size) yield members.slice(at, at + size)
}

/** A board of 0, 2, 4, 6, 8, added out of order. */
async function fiveOn(rankings: Rankings): Promise<string[]> {
  await rankings.put(added('board', [4, 0, 8, 2, 6]))
  return membersAt([0, 2, 4, 6, 8])
}

const all = (rankings: Rankings, key: string) => rankings.range(key, 0, 1_000_000)

function modelAround(members: readonly string[], member: string, limit: number): Around | null {
  const rank = members.indexOf(member)
  if (rank < 0) return null
  const offset = Math.max(0, Math.min(rank - Math.floor(limit / 2), members.length - limit))
  return { rank, size: members.length, offset, members: members.slice(offset, offset + limit) }
}

const puts: readonly Check<Rankings>[] = [
  {
    name: 'members stand in byte order, each at its place',
    run: async (make) => {
      const rankings = await make()
      const members = await fiveOn(rankings)
      expect(await all(rankings, 'board')).to.deep.equal(members)
      expect(await rankings.size('board')).to.equal(5)
      for (const [place, member] of members.entries()) expect(await rankings.rank('board', member)).to.equal(place)
    },
  },
  {
    name: 'byte order alone decides: a prefix before what it begins, marks before letters',
    run: async (make) => {
      const rankings = await make()
      const members = ['!', '!!', '!a', '0', '9', 'A', 'Aa', 'a', 'a!', 'aa', 'z', '~', '~~']
      for (const member of members.toReversed()) {
        await rankings.put([{ ...change('board', 0, null, member), id: member }])
      }
      expect(await all(rankings, 'board')).to.deep.equal(members)
    },
  },
  {
    name: 'a change moves its entry, and takes it away where nothing comes after',
    run: async (make) => {
      const rankings = await make()
      await fiveOn(rankings)
      await rankings.put([change('board', 8, memberAt(8), memberAt(1, 8)), change('board', 2, memberAt(2), null)])
      expect(await all(rankings, 'board')).to.deep.equal([memberAt(0), memberAt(1, 8), memberAt(4), memberAt(6)])
      expect(await rankings.rank('board', memberAt(8))).to.equal(null)
      expect(await rankings.size('board')).to.equal(4)
    },
  },
  {
    name: 'changes of one call are applied in their order',
    run: async (make) => {
      const rankings = await make()
      const [first, second, third] = [memberAt(5, 1), memberAt(3, 1), memberAt(4, 1)]
      await rankings.put([change('board', 1, null, first), change('board', 1, first, second)])
      await rankings.put([change('board', 1, second, null), change('board', 1, null, third)])
      expect(await all(rankings, 'board')).to.deep.equal([third])
    },
  },
  {
    name: 'a call repeated, and a whole history repeated, change nothing more',
    run: async (make) => {
      const rankings = await make()
      const history = [
        added('board', [1, 2, 3]),
        [change('board', 1, memberAt(1), memberAt(7, 1)), change('board', 2, memberAt(2), null)],
        [change('board', 1, memberAt(7, 1), memberAt(0, 1))],
      ]
      for (const changes of [...history, ...history.slice(-1), ...history]) await rankings.put(changes)
      expect(await all(rankings, 'board')).to.deep.equal([memberAt(0, 1), memberAt(3)])
      expect(await rankings.size('board')).to.equal(2)
    },
  },
  {
    name: 'removing what is not ranked and adding what is are harmless',
    run: async (make) => {
      const rankings = await make()
      const members = await fiveOn(rankings)
      await rankings.put([change('board', 5, memberAt(5), null), change('board', 4, null, memberAt(4))])
      await rankings.put([change('board', 6, memberAt(6), memberAt(6)), change('elsewhere', 6, memberAt(6), null)])
      expect(await all(rankings, 'board')).to.deep.equal(members)
      expect(await rankings.size('board')).to.equal(5)
      expect(await rankings.size('elsewhere')).to.equal(0)
    },
  },
]

const reads: readonly Check<Rankings>[] = [
  {
    name: 'before counts what comes earlier, also for a member that is not ranked',
    run: async (make) => {
      const rankings = await make()
      await fiveOn(rankings)
      const counts = await Promise.all(upTo(10).map((place) => rankings.before('board', memberAt(place))))
      expect(counts).to.deep.equal([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
    },
  },
  {
    name: 'range gives what there is from a place on, and nothing beyond the end',
    run: async (make) => {
      const rankings = await make()
      const members = await fiveOn(rankings)
      for (const offset of [0, 1, 4, 5, 6, 1_000_000_000]) {
        for (const limit of [0, 1, 2, 5, 6, 100]) {
          expect(await rankings.range('board', offset, limit)).to.deep.equal(members.slice(offset, offset + limit))
        }
      }
    },
  },
  {
    name: 'around is centred, shifted and not shortened near an end, and whole where the limit exceeds the size',
    run: async (make) => {
      const rankings = await make()
      const members = await fiveOn(rankings)
      expect(await rankings.around('board', memberAt(4), 3)).to.deep.equal({
        rank: 2,
        size: 5,
        offset: 1,
        members: membersAt([2, 4, 6]),
      })
      for (const member of [...members, memberAt(5)]) {
        for (const limit of [1, 2, 3, 4, 5, 6, 100]) {
          const expected = modelAround(members, member, limit)
          expect(await rankings.around('board', member, limit)).to.deep.equal(expected)
        }
      }
    },
  },
  {
    name: 'keys are apart from each other, and an unknown one is empty',
    run: async (make) => {
      const rankings = await make()
      await rankings.put([...added('a', [1, 2]), ...added('b', [2, 3])])
      expect(await Promise.all(['a', 'b', 'c'].map((key) => all(rankings, key)))).to.deep.equal([
        membersAt([1, 2]),
        membersAt([2, 3]),
        [],
      ])
      await rankings.drop('a')
      expect(await all(rankings, 'b')).to.deep.equal(membersAt([2, 3]))
      for (const key of ['a', 'c']) {
        expect(await rankings.size(key)).to.equal(0)
        expect(await rankings.before(key, memberAt(2))).to.equal(0)
        expect(await rankings.rank(key, memberAt(2))).to.equal(null)
        expect(await rankings.range(key, 0, 10)).to.deep.equal([])
        expect(await rankings.around(key, memberAt(2), 10)).to.equal(null)
      }
    },
  },
]
